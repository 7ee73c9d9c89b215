import type {
  AlertQueue,
  Incident,
  NewAlert,
  ObservedSource,
  QueuedAlert,
} from '@trove/core/store';

import type { StoreSession } from '../database/types.js';
import { jsonOrNull, list, number, text } from '../database/values.js';
import type { GenerationScope } from './scope.js';

export class SqlAlerts implements AlertQueue {
  readonly #scope: GenerationScope;

  constructor(scope: GenerationScope) {
    this.#scope = scope;
  }

  async incidents(): Promise<Incident[]> {
    const { db, base } = this.#scope;
    const rows = await db.all(
      `select incident, code, since from trove_incidents where namespace = :base order by incident`,
      { base },
    );
    return rows.map((row) => ({
      key: text(row, 'incident'),
      code: text(row, 'code'),
      since: number(row, 'since'),
    }));
  }

  raise(
    { key, code, since }: Incident,
    alerts: readonly NewAlert[],
    source?: ObservedSource,
  ): Promise<boolean> {
    const { db, base } = this.#scope;
    return db.write(async (session) => {
      if (source !== undefined && !(await this.#isUnchanged(session, source))) return false;
      const added = await session.change(
        `insert into trove_incidents (namespace, incident, code, since)
          values (:base, :key, :code, :since) on conflict (namespace, incident) do nothing`,
        { base, key, code, since: Math.round(since) },
      );
      if (added > 0) await this.#queue(session, key, alerts);
      return added > 0;
    });
  }

  resolve(key: string, alerts: readonly NewAlert[]): Promise<boolean> {
    const { db, base } = this.#scope;
    return db.write(async (session) => {
      const removed = await session.change(
        db.table('trove_incidents').where({ namespace: base, incident: key }).delete(),
      );
      if (removed > 0) await this.#queue(session, key, alerts);
      return removed > 0;
    });
  }

  async claim(
    worker: string,
    channels: readonly string[],
    leaseMs: number,
  ): Promise<QueuedAlert | null> {
    const { db, base } = this.#scope;
    const { now } = db.dialect;
    const oldest = `select a.seq from trove_alerts a
      where a.namespace = :base and a.due_at <= ${now}
        and ${db.dialect.isOneOf('a.channel', 'channels', 'text')}
        and not exists (select 1 from trove_alerts b where b.namespace = a.namespace
          and b.incident = a.incident and b.channel = a.channel and b.seq < a.seq)
      order by a.seq limit 1`;
    const bindings = { base, channels: list(channels) };
    if ((await db.all(oldest, bindings)).length === 0) return null;
    return db.write(async (session) => {
      const [candidate] = await session.all(`${oldest} ${db.dialect.skipLocked('a')}`, bindings);
      if (candidate === undefined) return null;
      const [row] = await session.all(
        `update trove_alerts set worker = :worker, due_at = ${now} + :leaseMs, attempt = attempt + 1
          where seq = :seq returning id, channel, body, created_at, attempt`,
        { seq: number(candidate, 'seq'), worker, leaseMs: Math.round(leaseMs) },
      );
      return row === undefined
        ? null
        : {
            id: text(row, 'id'),
            channel: text(row, 'channel'),
            body: jsonOrNull(row, 'body'),
            createdAt: number(row, 'created_at'),
            attempt: number(row, 'attempt'),
          };
    });
  }

  complete(id: string, worker: string): Promise<void> {
    const { db, base } = this.#scope;
    return db.write((session) =>
      session.run(db.table('trove_alerts').where({ namespace: base, id, worker }).delete()),
    );
  }

  postpone(id: string, worker: string, ms: number): Promise<void> {
    const { db, base } = this.#scope;
    return db.write((session) =>
      session.run(
        `update trove_alerts set worker = null, due_at = ${db.dialect.now} + :ms
          where namespace = :base and id = :id and worker = :worker`,
        { base, id, worker, ms: Math.round(ms) },
      ),
    );
  }

  /** Locks the source, so no sync of it ends before the incident is stored. */
  async #isUnchanged(
    session: StoreSession,
    { id, lastSyncedAt }: ObservedSource,
  ): Promise<boolean> {
    const { db, namespace } = this.#scope;
    const rows = await session.all(
      `select seq from trove_connectors where namespace = :namespace and id = :id
        and coalesce(last_synced_at, -1) = :lastSyncedAt ${db.dialect.lock}`,
      { namespace, id, lastSyncedAt: lastSyncedAt ?? -1 },
    );
    return rows.length > 0;
  }

  async #queue(session: StoreSession, key: string, alerts: readonly NewAlert[]): Promise<void> {
    const { db, base } = this.#scope;
    for (const { id, channel, body } of alerts)
      await session.run(
        `insert into trove_alerts (namespace, id, incident, channel, body, created_at, due_at)
          values (:base, :id, :key, :channel, :body, ${db.dialect.now}, ${db.dialect.now})`,
        { base, id, key, channel, body: JSON.stringify(body) },
      );
  }
}
