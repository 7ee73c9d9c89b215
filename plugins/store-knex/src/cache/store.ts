import type { TransformationCache } from '@trove/core/store';

import { migrate } from '../database/migrate.js';
import type { Binding, Database, Row, StoreSession } from '../database/types.js';
import { bytes, list, number, rows, text } from '../database/values.js';
import { migrations } from './schema.js';

/** Uses are recorded in memory and written in batches of this size. */
const maxPendingUses = 2000;
const valuesPerStatement = 200;
const maxDropsPerTransaction = 500;

/** Migrates the database and opens the transformation cache in it. */
export async function openTransformationCache(db: Database): Promise<TransformationCache> {
  await migrate(db, 'cache', migrations);
  return new KnexTransformationCache(db);
}

class KnexTransformationCache implements TransformationCache {
  readonly #db: Database;
  #used = new Set<string>();

  constructor(db: Database) {
    this.#db = db;
  }

  async getMany(keys: readonly string[]): Promise<Map<string, Uint8Array>> {
    if (keys.length === 0) return new Map();
    const found = await this.#db.all(
      `select c.key, v.value from ${this.#db.dialect.elements(':keys', 'k')}
        cross join trove_cache c cross join trove_cache_values v
        where c.key = k.value and v.id = c.id`,
      { keys: list(new Set(keys)) },
    );
    const values = new Map(found.map((row) => [text(row, 'key'), bytes(row, 'value')]));
    for (const key of values.keys()) this.#used.add(key);
    if (this.#used.size >= maxPendingUses)
      await this.#db.write((session) => this.#recordUses(session));
    return values;
  }

  async putMany(entries: ReadonlyMap<string, Uint8Array>): Promise<void> {
    if (entries.size === 0) return;
    // In key order, so that two processes writing the same keys cannot deadlock.
    const keys = [...entries.keys()].sort();
    await this.#db.write(async (session) => {
      const { dialect } = this.#db;
      const written = await session.all(
        `insert into trove_cache (key, size, used_at)
          select r.key, r.size, ${dialect.now}
          from ${dialect.rows('entries', { key: 'text', size: 'bigint' })} r where true order by r.n
          on conflict (key) do update set size = excluded.size, used_at = excluded.used_at
          returning id, key`,
        { entries: rows(keys.map((key) => [key, entries.get(key)?.byteLength ?? 0])) },
      );
      for (let from = 0; from < written.length; from += valuesPerStatement) {
        await writeValues(session, written.slice(from, from + valuesPerStatement), entries);
      }
    });
  }

  async prune(maxBytes: number): Promise<void> {
    await this.#db.write((session) => this.#recordUses(session));
    for (;;) {
      const excess = (await this.#size()) - maxBytes;
      if (excess <= 0) return;
      const dropped = await this.#db.write((session) => this.#dropOldest(session, excess));
      if (dropped === 0) return;
    }
  }

  size(): Promise<number> {
    return this.#db.size({ prefix: 'trove_cache' });
  }

  async compact(): Promise<void> {
    await this.#db.compact?.();
  }

  async close(): Promise<void> {
    try {
      await this.#db.write((session) => this.#recordUses(session));
    } finally {
      await this.#db.close();
    }
  }

  async #size(): Promise<number> {
    const [row] = await this.#db.all(this.#db.table('trove_cache').sum('size as size'));
    return Number(row?.['size'] ?? 0);
  }

  async #dropOldest(session: StoreSession, excess: number): Promise<number> {
    const { skipLocked, isOneOf } = this.#db.dialect;
    const oldest = await session.all(
      `select c.id, c.size from trove_cache c order by c.used_at, c.id limit :limit ${skipLocked('c')}`,
      { limit: maxDropsPerTransaction },
    );
    let freed = 0;
    const dropped = oldest.filter((row) => {
      if (freed >= excess) return false;
      freed += number(row, 'size');
      return true;
    });
    await session.run(
      `delete from trove_cache
        where ${isOneOf('id', 'ids', 'bigint')}`,
      { ids: list(dropped.map((row) => number(row, 'id'))) },
    );
    return dropped.length;
  }

  async #recordUses(session: StoreSession): Promise<void> {
    const used = this.#used;
    if (used.size === 0) return;
    this.#used = new Set();
    const { dialect } = this.#db;
    // Keys locked by another process are in use, so they are skipped.
    await session.run(
      `with used as materialized (
          select c.id from ${dialect.elements(':keys', 'k')} cross join trove_cache c
          where c.key = k.value ${dialect.skipLocked('c')})
        update trove_cache set used_at = ${dialect.now} where id in (select id from used)`,
      { keys: list(used) },
    );
  }
}

async function writeValues(
  session: StoreSession,
  written: readonly Row[],
  entries: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const bindings: Record<string, Binding> = {};
  for (const [index, row] of written.entries()) {
    bindings[`id${index}`] = number(row, 'id');
    bindings[`value${index}`] = Buffer.from(entries.get(text(row, 'key')) ?? []);
  }
  const tuples = written.map((_row, index) => `(:id${index}, :value${index})`);
  await session.run(
    `insert into trove_cache_values (id, value) values ${tuples.join(', ')}
      on conflict (id) do update set value = excluded.value`,
    bindings,
  );
}
