import { TroveError } from '@trove/core';
import type {
  ConnectorRecord,
  ConnectorStats,
  ConnectorRegistry,
  NewConnector,
  Problem,
} from '@trove/core/store';

import type { Row, StoreSession } from '../database/types.js';
import {
  flag,
  jsonOrNull,
  list,
  number,
  numberOrNull,
  oneOf,
  text,
  textOrNull,
  texts,
} from '../database/values.js';
import { cancelled, endJob, lockJobs } from './end-job.js';
import { problemOf } from './job-record.js';
import { rootHash } from './root-hash.js';
import { catalogues, cataloguesOf, type GenerationScope } from './scope.js';

const columns = [
  'id',
  'root_uri',
  'type',
  'status',
  'config',
  'tree',
  'state',
  'registered_at',
  'last_synced_at',
  'problem_code',
  'problem_detail',
  'is_complete',
  'next_sync_at',
  'failures',
  'failing_since',
  'error_code',
  'error_detail',
  'error_at',
  'moved_from',
];
const statuses = ['active', 'syncing', 'removing', 'error'] as const;

export class SqlSources implements ConnectorRegistry {
  readonly #scope: GenerationScope;

  constructor(scope: GenerationScope) {
    this.#scope = scope;
  }

  register(connector: NewConnector): Promise<ConnectorRecord> {
    return register(this.#scope, connector);
  }

  async get(id: string): Promise<ConnectorRecord | null> {
    const { db, namespace } = this.#scope;
    const [row] = await db.all(
      db.table('trove_connectors').select(columns).where({ namespace, id }),
    );
    return row === undefined ? null : connectorOf(row);
  }

  async findByRoot(rootUris: readonly string[]): Promise<ConnectorRecord[]> {
    const { db, namespace } = this.#scope;
    const query = db.table('trove_connectors').select(columns).where({ namespace });
    return (await db.all(query.whereIn('root_hash', rootUris.map(rootHash)))).map(connectorOf);
  }

  async list(ids?: readonly string[]): Promise<ConnectorRecord[]> {
    const { db, namespace } = this.#scope;
    const query = db.table('trove_connectors').select(columns).where({ namespace });
    if (ids !== undefined) query.whereIn('id', ids);
    return (await db.all(query.orderBy('root_uri'))).map(connectorOf);
  }

  async listDue(time: number): Promise<ConnectorRecord[]> {
    const { db, namespace } = this.#scope;
    const query = db.table('trove_connectors').select(columns).where({ namespace });
    query.where('next_sync_at', '<=', Math.round(time)).orderBy(['next_sync_at', 'seq']);
    return (await db.all(query)).map(connectorOf);
  }

  async listFailing(): Promise<ConnectorRecord[]> {
    const { db, namespace } = this.#scope;
    const query = db.table('trove_connectors').select(columns).where({ namespace });
    return (await db.all(query.where('failures', '>', 0))).map(connectorOf);
  }

  async listMoved(): Promise<ConnectorRecord[]> {
    const { db, namespace } = this.#scope;
    const query = db.table('trove_connectors').select(columns).where({ namespace });
    // The partial index serves only this literal condition.
    return (await db.all(query.whereRaw(`moved_from <> '[]'`))).map(connectorOf);
  }

  async listWatched(): Promise<ConnectorRecord[]> {
    const { db, namespace } = this.#scope;
    const query = db.table('trove_connectors').select(columns).where({ namespace });
    // Also finds nested keys.
    const rows = await db.all(query.where('config', 'like', '%"watch":true%'));
    return rows.map(connectorOf).filter(({ config }) => config?.['watch'] === true);
  }

  beginRemoval(id: string): Promise<boolean> {
    const { db } = this.#scope;
    return db.write(async (session) => {
      const changed = await session.change(
        db
          .table('trove_connectors')
          .where({ id })
          .whereIn('namespace', cataloguesOf(this.#scope))
          .where('status', '<>', 'removing')
          .update({ status: 'removing' }),
      );
      return changed > 0;
    });
  }

  configure(id: string, config: ConnectorRecord['config']): Promise<void> {
    const { db } = this.#scope;
    return db.write((session) =>
      session.run(
        db
          .table('trove_connectors')
          .where({ id })
          .whereIn('namespace', cataloguesOf(this.#scope))
          .update({ config: config && JSON.stringify(config), next_sync_at: null }),
      ),
    );
  }

  planSync(id: string, at: number): Promise<void> {
    const { db, namespace } = this.#scope;
    return db.write((session) =>
      session.run(
        db
          .table('trove_connectors')
          .where({ namespace, id, next_sync_at: null })
          .update({ next_sync_at: Math.round(at) }),
      ),
    );
  }

  reportProblem(id: string, { code, detail }: Problem): Promise<void> {
    const { db, namespace } = this.#scope;
    return db.write((session) =>
      session.run(
        `update trove_connectors set problem_code = :code, problem_detail = :detail,
            error_code = :code, error_detail = :detail, error_at = ${db.dialect.now},
            failing_since = coalesce(failing_since, ${db.dialect.now}),
            status = case when status = 'active' then 'error' else status end
          where namespace = :namespace and id = :id`,
        { namespace, id, code, detail },
      ),
    );
  }

  endMove({ id, movedFrom }: Pick<ConnectorRecord, 'id' | 'movedFrom'>): Promise<void> {
    const { db, namespace } = this.#scope;
    const known = db
      .table('trove_connectors')
      .where({ namespace, id, moved_from: list(movedFrom) });
    return db.write((session) => session.run(known.update({ moved_from: '[]' })));
  }

  delete(id: string): Promise<void> {
    return remove(this.#scope, id);
  }

  async stats(id?: string): Promise<ConnectorStats[]> {
    const { db, namespace } = this.#scope;
    const counts = db
      .table('trove_connectors as c')
      .leftJoin('trove_objects as o', 'o.connector', 'c.seq')
      .select('c.id', 'o.search_status')
      .count('o.connector as objects')
      .sum('o.chunks as chunks')
      .where({ 'c.namespace': namespace, ...(id === undefined ? {} : { 'c.id': id }) })
      .groupBy('c.id', 'o.search_status')
      .orderBy('c.id');
    const written = db
      .table('trove_connectors as c')
      .join('trove_summaries as s', 's.connector', 'c.seq')
      .select('c.id')
      .count('* as summaries')
      .where({ 'c.namespace': namespace, ...(id === undefined ? {} : { 'c.id': id }) })
      .groupBy('c.id');
    return statsOf(await db.all(counts), await db.all(written));
  }
}

async function register(
  { db, namespace, base }: GenerationScope,
  connector: NewConnector,
): Promise<ConnectorRecord> {
  const hash = rootHash(connector.rootUri);
  return db.write(async (session) => {
    // Equal roots have equal ids, so concurrent inserts may violate either constraint.
    await session.run(
      `insert into trove_connectors (namespace, id, root_hash, root_uri, type, status, config, tree, registered_at)
        select e.catalogue, cast(:id as text), cast(:rootHash as text), cast(:rootUri as text),
          cast(:type as text), 'active', cast(:config as text), cast(:tree as text), ${db.dialect.now}
        from trove_generations e where e.namespace = :base and e.state = 'used' order by e.number
        on conflict do nothing`,
      {
        base,
        id: connector.id,
        rootHash: hash,
        rootUri: connector.rootUri,
        type: connector.type,
        config: connector.config === null ? null : JSON.stringify(connector.config),
        tree: connector.tree ?? null,
      },
    );
    const [row] = await session.all(
      db.table('trove_connectors').select(columns).where({ namespace, root_hash: hash }),
    );
    if (row === undefined)
      throw new TroveError('internal_error', 'A new connector was not stored.');
    return connectorOf(row);
  });
}

async function remove(scope: GenerationScope, id: string): Promise<void> {
  const { db, base } = scope;
  const deletion = async (session: StoreSession): Promise<void> => {
    const rows = await session.all(
      `select seq, namespace from trove_connectors
        where namespace in ${catalogues} and id = :id order by seq ${db.dialect.lock}`,
      { base, id },
    );
    for (const row of rows) {
      const connector = number(row, 'seq');
      const live = await lockJobs(
        session,
        { db, namespace: text(row, 'namespace') },
        `connector_id = :id and status in ('queued', 'running')`,
        { id },
      );
      for (const { seq } of live) await endJob(session, scope, seq, cancelled);
      await session.run(db.table('trove_objects').where({ connector }).delete());
      await session.run(db.table('trove_records').where({ connector }).delete());
      await session.run(db.table('trove_summaries').where({ connector }).delete());
    }
    // A generation that began in the meantime also gets the connector.
    await session.run(
      `delete from trove_connectors where namespace in ${catalogues} and id = :id`,
      {
        base,
        id,
      },
    );
  };
  await db.write(deletion, { durable: true });
}

function statsOf(rows: readonly Row[], written: readonly Row[]): ConnectorStats[] {
  const summaries = new Map(written.map((row) => [text(row, 'id'), number(row, 'summaries')]));
  const byConnector = new Map<string, ConnectorStats>();
  for (const row of rows) {
    const connectorId = text(row, 'id');
    const before = byConnector.get(connectorId);
    const status = textOrNull(row, 'search_status');
    const objects = number(row, 'objects');
    byConnector.set(connectorId, {
      connectorId,
      objects: (before?.objects ?? 0) + objects,
      chunks: (before?.chunks ?? 0) + Number(row['chunks']),
      summaries: summaries.get(connectorId) ?? 0,
      bySearchStatus: {
        ...before?.bySearchStatus,
        ...(status === null ? {} : { [status]: objects }),
      },
    });
  }
  return [...byConnector.values()];
}

function connectorOf(row: Row): ConnectorRecord {
  return {
    id: text(row, 'id'),
    rootUri: text(row, 'root_uri'),
    type: text(row, 'type'),
    status: oneOf(row, 'status', statuses),
    config: configOf(textOrNull(row, 'config')),
    tree: textOrNull(row, 'tree'),
    state: jsonOrNull(row, 'state'),
    registeredAt: number(row, 'registered_at'),
    lastSyncedAt: numberOrNull(row, 'last_synced_at'),
    isComplete: flag(row, 'is_complete'),
    problem: problemOf(row),
    failures: number(row, 'failures'),
    failingSince: numberOrNull(row, 'failing_since'),
    lastError: lastErrorOf(row),
    nextSyncAt: numberOrNull(row, 'next_sync_at'),
    movedFrom: texts(row, 'moved_from'),
  };
}

function lastErrorOf(row: Row): ConnectorRecord['lastError'] {
  const at = numberOrNull(row, 'error_at');
  return at === null
    ? null
    : { code: text(row, 'error_code'), detail: text(row, 'error_detail'), at };
}

function configOf(json: string | null): ConnectorRecord['config'] {
  const value: unknown = json === null ? null : JSON.parse(json);
  return isRecord(value) ? value : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
