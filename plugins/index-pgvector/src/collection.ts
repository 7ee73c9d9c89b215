import { TroveError, type Logger } from '@trove/core';
import {
  demotedReasonField,
  type Collection,
  type CollectionSpec,
  type FrequencyQuery,
  type IndexCandidates,
  type IndexGroup,
  type IndexHit,
  type IndexQuery,
  type IndexRow,
  type IndexScope,
  type RowIdentity,
  type GroupCallback,
} from '@trove/core/index';
import { decodeText, encodeText } from '@trove/core/database';
import type { ConnectionPool, Row } from './connections.js';
import type { IndexLimits } from './index-limits.js';
import { frequenciesOf } from './frequencies.js';
import { PgMaintenance } from './maintenance.js';
import { checkNames, removeSome, replaceGroups, type ReplaceTarget } from './replace.js';
import { hitColumns, rowColumns, textOf, toHit, toRow } from './rows.js';
import { denseCandidates, sparseCandidates } from './search.js';
import { hasField, SqlParameters, whereOf } from './where.js';

/** The number of rows to sample for field names. */
const maxSampledRows = 2000;
const maxFields = 1000;
const maxGroupsPerBatch = 10_000;

/** The text in a field. */
const demotedReason = `case jsonb_typeof(c.fields -> '${demotedReasonField}') when 'string' then c.fields ->> '${demotedReasonField}' end`;

/** A collection in the tables of a PostgreSQL database. */
export class PgCollection implements Collection {
  readonly name: string;
  readonly #connections: ConnectionPool;
  readonly #place: ReplaceTarget;
  readonly #dimension: number;
  readonly #maintenance: PgMaintenance;

  constructor(
    connections: ConnectionPool,
    place: ReplaceTarget,
    spec: CollectionSpec & { readonly id: number },
    limits: IndexLimits,
    logger: Logger,
  ) {
    this.name = spec.name;
    this.#connections = connections;
    this.#place = place;
    this.#dimension = spec.dimension;
    this.#maintenance = new PgMaintenance(connections, place.tables, spec, limits, logger);
  }

  async replace(
    groups: readonly IndexGroup[],
    { signal }: { readonly signal: AbortSignal },
  ): Promise<void> {
    signal.throwIfAborted();
    if (groups.length === 0) return;
    checkNames(groups);
    for (const { vector } of groups.flatMap(({ rows }) => rows)) this.#checkVector(vector);
    const changes = await this.#connections.transaction(
      (session) => replaceGroups(session, this.#place, groups),
      signal,
    );
    this.#maintenance.changed(changes);
  }

  async search(query: IndexQuery): Promise<IndexCandidates> {
    const { vector, sparse, signal } = query;
    this.#checkVector(vector ?? null);
    const { tables } = this.#place;
    const [dense, found] = await Promise.all([
      vector === undefined
        ? []
        : this.#connections.use(
            (session) =>
              denseCandidates(session, tables, query, vector, this.#maintenance.hasGraph),
            signal,
          ),
      sparse === undefined
        ? []
        : this.#connections.use(
            (session) => sparseCandidates(session, tables, query, sparse),
            signal,
          ),
    ]);
    signal.throwIfAborted();
    return { dense, sparse: found };
  }

  async identify(keys: readonly string[]): Promise<(RowIdentity | null)[]> {
    const rows = await this.#withKeys(
      keys,
      `c.id, c."group", c.source, c.ordinal, c.digest, ${demotedReason} as demoted_reason`,
    );
    return rows.map(
      (row) =>
        row && {
          id: textOf(row, 'id'),
          group: textOf(row, 'group'),
          source: textOf(row, 'source'),
          ordinal: Number(row['ordinal']),
          digest: textOf(row, 'digest'),
          demotedReason: row['demoted_reason'] === null ? null : textOf(row, 'demoted_reason'),
        },
    );
  }

  async fetch(keys: readonly string[]): Promise<(IndexHit | null)[]> {
    return (await this.#withKeys(keys, hitColumns)).map((row) => row && toHit(row));
  }

  async rows(group: string): Promise<IndexRow[]> {
    const { chunks, vectors } = this.#place.tables;
    const rows = await this.#all(
      `select ${rowColumns} from ${chunks} c left join ${vectors} v using (number)
       where c."group" = $1 order by c.ordinal, c.position`,
      [encodeText(group)],
    );
    return rows.map(toRow);
  }

  async removeScope(scope: string): Promise<void> {
    for (;;) {
      const removed = await this.#connections.transaction((session) =>
        removeSome(session, this.#place.tables, scope),
      );
      this.#maintenance.changed({ written: 0, removed, parts: 0 });
      if (removed === 0) return;
    }
  }

  /** Skips from one scope to the next through the index. */
  async otherScopes(known: readonly string[]): Promise<string[]> {
    const { chunks } = this.#place.tables;
    const rows = await this.#all(
      `with recursive scopes(scope) as (
         select min(scope) from ${chunks}
         union all
         select (select min(c.scope) from ${chunks} c where c.scope > scopes.scope) from scopes
         where scopes.scope is not null
       )
       select scope from scopes where scope is not null and scope <> all($1::text[])`,
      [known.map(encodeText)],
    );
    return rows.map((row) => textOf(row, 'scope'));
  }

  async count(scope: IndexScope = {}): Promise<number> {
    const { totals, chunks, vectors, segments, postings, removed } = this.#place.tables;
    const parameters = new SqlParameters();
    const where = whereOf(scope, parameters);
    // Fails if another table of the collection has been dropped.
    const others = [chunks, vectors, segments, postings, removed].map(
      (table) => `(select 1 from ${table} limit 0)`,
    );
    const [row] = await this.#all(
      where === undefined
        ? `select coalesce(sum(rows), 0)::float8 as count, ${others.join(', ')} from ${totals}`
        : `select count(*)::float8 as count from ${chunks} c where ${where}`,
      parameters.values,
    );
    return Number(row?.['count']);
  }

  frequencies(terms: readonly string[], query: FrequencyQuery): Promise<Map<string, number>> {
    return this.#connections.use((session) =>
      frequenciesOf(session, this.#place.tables, terms, query),
    );
  }

  async hasField(name: string, scope: IndexScope = {}): Promise<boolean> {
    const parameters = new SqlParameters();
    const where = [hasField(name, parameters), whereOf(scope, parameters) ?? 'true'].join(' and ');
    const found = await this.#all(
      `select 1 from ${this.#place.tables.chunks} c where ${where} limit 1`,
      parameters.values,
    );
    return found.length > 0;
  }

  async sampleFields(scope: IndexScope = {}): Promise<string[]> {
    const { chunks } = this.#place.tables;
    const parameters = new SqlParameters();
    const where = whereOf(scope, parameters) ?? 'true';
    const rows = await this.#all(
      `select distinct jsonb_object_keys(fields) as name
       from (select c.fields from ${chunks} c where c.fields <> '{}' and ${where}
         order by c.number limit ${maxSampledRows}) as sample
       limit ${maxFields}`,
      parameters.values,
    );
    return rows.map(({ name }) => decodeText(String(name)));
  }

  async groups(scope: string, take: GroupCallback): Promise<void> {
    let after = '';
    for (;;) {
      const rows = await this.#all(
        `select "group", count(*)::integer as count from ${this.#place.tables.chunks}
         where scope = $1 and "group" > $2 group by "group" order by "group" limit ${maxGroupsPerBatch}`,
        [encodeText(scope), after],
      );
      await take(new Map(rows.map((row) => [textOf(row, 'group'), Number(row['count'])])));
      const last = rows.at(-1);
      if (last === undefined || rows.length < maxGroupsPerBatch) return;
      after = encodeText(textOf(last, 'group'));
    }
  }

  optimize(): Promise<void> {
    return this.#maintenance.optimize();
  }

  compact(): Promise<void> {
    return this.#maintenance.compact();
  }

  /** Checks whether another process has built a graph of the vectors. */
  lookForGraph(): Promise<void> {
    return this.#maintenance.findGraph();
  }

  /** Waits for running maintenance. */
  close(): Promise<void> {
    return this.#maintenance.close();
  }

  #checkVector(vector: Float32Array | null): void {
    if (vector === null || vector.length === this.#dimension) return;
    throw new TroveError(
      'index_mismatch',
      `The collection ${this.name} holds vectors of ${this.#dimension} dimensions, not of ${vector.length}`,
    );
  }

  async #withKeys(keys: readonly string[], columns: string): Promise<(Row | null)[]> {
    if (keys.length === 0) return [];
    const rows = await this.#all(
      `select c.number, ${columns} from ${this.#place.tables.chunks} c
       where c.number = any($1::bigint[])`,
      [[...new Set(keys)]],
    );
    const byKey = new Map(rows.map((row) => [String(row['number']), row]));
    return keys.map((key) => byKey.get(key) ?? null);
  }

  #all(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return this.#connections.use((session) => session.all(sql, values));
  }
}
