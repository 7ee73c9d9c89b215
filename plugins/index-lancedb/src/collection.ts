import type { Table } from '@lancedb/lancedb';
import type { Schema } from 'apache-arrow';
import { TroveError, type Logger } from '@trove/core';
import type {
  Collection,
  CollectionSpec,
  FrequencyQuery,
  IndexCandidates,
  IndexGroup,
  IndexHit,
  IndexQuery,
  IndexRow,
  IndexScope,
  RowIdentity,
  GroupCallback,
  LoadsInProgress,
} from '@trove/core/index';
import { readBatches } from './column-batches.js';
import type { Builder } from './builder.js';
import { ChangeIndexing } from './change-indexing.js';
import { fieldsIn } from './facets.js';
import { translateErrors } from './failures.js';
import { countTerms } from './frequencies.js';
import type { LanceModule } from './lance.js';
import { LanceMaintenance } from './maintenance.js';
import { Pressure } from './pressure.js';
import type { Recovery } from './recovery.js';
import { removeRows, replaceGroups } from './replace.js';
import { rowsWithKeys } from './row-keys.js';
import { rawRows, textOf, tombstoneGroup, toRow, type RawRow } from './rows.js';
import { ScanPlanner } from './scan-planner.js';
import { SearchCache } from './search-cache.js';
import { searchTable } from './search.js';
import { SerialQueue } from './serial.js';
import type { TableHandle } from './table-handle.js';
import { hitColumns, rowColumns, tableSchema } from './table-schema.js';
import { hasField, isOneOf, quote, whereOf } from './where.js';

/** The number of rows to sample for field names or other scopes. */
const maxSampledRows = 2000;
const maxFields = 1000;

/** The number and maximum age of recent searches that are repeated on a reopened table. */
const maxRepeatedSearches = 4;
const repeatedSearchMs = 30_000;
/** The number of rows that a search reads. */
const maxRepeatedRows = 15;

const isLive = `\`group\` <> ${quote(tombstoneGroup)}`;

/** The table of a collection. */
interface TableLocation {
  readonly table: TableHandle;
  readonly recovery: Recovery;
  /** Null if the table is not in a local folder. */
  readonly folder: string | null;
}

/** A collection in one Lance table. Writes within a process run one at a time, so they do not conflict. */
export class LanceCollection implements Collection {
  readonly name: string;
  readonly #lance: LanceModule;
  readonly #table: TableHandle;
  readonly #recovery: Recovery;
  readonly #builder: Builder;
  readonly #schema: Schema;
  readonly #dimension: number;
  readonly #writes = new SerialQueue();
  readonly #maintenance: LanceMaintenance;
  readonly #cache: SearchCache;
  readonly #pressure = new Pressure();
  readonly #scans: ScanPlanner;
  readonly #changeIndexing: ChangeIndexing;
  readonly #lastSearches: { readonly query: IndexQuery; readonly at: number }[] = [];

  constructor(
    lance: LanceModule,
    { table, recovery, folder }: TableLocation,
    builder: Builder,
    spec: CollectionSpec,
    logger: Logger,
  ) {
    this.name = spec.name;
    this.#lance = lance;
    this.#table = table;
    this.#recovery = recovery;
    this.#builder = builder;
    this.#schema = tableSchema(spec);
    this.#dimension = spec.dimension;
    const scans = new ScanPlanner(table, spec.dimension, this.#pressure);
    this.#scans = scans;
    const onIndexed = scans.markIndexed.bind(scans);
    const { dimension } = spec;
    this.#maintenance = new LanceMaintenance(table, builder, folder, dimension, logger, onIndexed);
    this.#maintenance.start();
    table.warming = (renewed) => this.#repeatSearches(renewed);
    this.#cache = new SearchCache(folder);
    this.#changeIndexing = new ChangeIndexing(async () => {
      await this.#maintenance.optimize();
      this.#scans.recount();
    });
  }

  async replace(
    groups: readonly IndexGroup[],
    { signal }: { readonly signal: AbortSignal },
  ): Promise<void> {
    if (groups.length === 0) return;
    for (const { vector } of groups.flatMap(({ rows }) => rows)) this.#checkVector(vector);
    await this.#writes.run(async () => {
      signal.throwIfAborted();
      const changes = await this.#run('be written', () =>
        this.#table.write((table) => replaceGroups(table, this.#schema, groups)),
      );
      this.#scans.markGrowing();
      await this.#maintenance.changed(changes);
      this.#changeIndexing.add(changes.overwritten);
    });
  }

  async search(query: IndexQuery): Promise<IndexCandidates> {
    query.signal.throwIfAborted();
    this.#checkVector(query.vector ?? null);
    this.#maintenance.searched();
    this.#lastSearches.push({ query, at: performance.now() });
    if (this.#lastSearches.length > maxRepeatedSearches) this.#lastSearches.shift();
    if (this.#pressure.isHigh) this.#builder.lowerPriority();
    return this.#pressure.during(() => this.#search(query));
  }

  async identify(keys: readonly string[]): Promise<(RowIdentity | null)[]> {
    return this.#run('be read', () =>
      this.#table.use((table) => this.#cache.identities(table, keys)),
    );
  }

  async fetch(keys: readonly string[]): Promise<(IndexHit | null)[]> {
    return this.#run('be read', () => this.#table.use((table) => this.#cache.hits(table, keys)));
  }

  async rows(group: string): Promise<IndexRow[]> {
    const raw = await this.#select(`\`group\` = ${quote(group)}`, rowColumns);
    return raw.map(toRow).sort((a, b) => a.ordinal - b.ordinal);
  }

  async removeScope(scope: string): Promise<void> {
    await this.#writes.run(async () => {
      const { numDeletedRows: removed } = await this.#run('be written', () =>
        this.#table.write((table) => removeRows(table, `${isLive} AND scope = ${quote(scope)}`)),
      );
      await this.#maintenance.changed({ overwritten: 0, removed });
    });
  }

  async otherScopes(known: readonly string[]): Promise<string[]> {
    const isOther = `${isLive} AND NOT (${isOneOf('scope', known)})`;
    const rows = await this.#select(isOther, ['scope'], maxSampledRows);
    return [...new Set(rows.map((row) => textOf(row, 'scope')))];
  }

  async count(scope: IndexScope = {}): Promise<number> {
    const where = whereOf(scope);
    return this.#run('be read', () =>
      this.#table.use((table) =>
        table.countRows(where === undefined ? isLive : `${isLive} AND ${where}`),
      ),
    );
  }

  async frequencies(
    terms: readonly string[],
    { maxCount, loading = [], ...scope }: FrequencyQuery,
  ): Promise<Map<string, number>> {
    const where = whereOf(scope);
    const { scanned, leftOut } = await this.#scans.plan(loading);
    const search = { lance: this.#lance, where, scanned: scanned.text, loading: leftOut };
    return this.#run('be read', () =>
      this.#table.use((table) => countTerms({ ...search, table }, terms, maxCount)),
    );
  }

  async hasField(name: string, scope: IndexScope = {}): Promise<boolean> {
    const where = liveRows(scope, hasField(name));
    const found = await this.#select(where, ['id'], 1);
    return found.length > 0;
  }

  async sampleFields(scope: IndexScope = {}): Promise<string[]> {
    const where = liveRows(scope, 'coalesce(array_length(facets), 0) > 0');
    const rows = await this.#select(where, ['facets'], maxSampledRows);
    const names = rows.flatMap(({ facets }) => fieldsIn(facets));
    return [...new Set(names)].slice(0, maxFields);
  }

  async groups(scope: string, take: GroupCallback): Promise<void> {
    const each = (receive: GroupCallback): Promise<void> =>
      this.#table.useLatest(async (table) => {
        const query = table.query().where(`${isLive} AND scope = ${quote(scope)}`);
        for await (const batch of query.select(['group'])) {
          const groups = new Map<string, number>();
          for (const group of batch.getChild('group') ?? [])
            groups.set(String(group), (groups.get(String(group)) ?? 0) + 1);
          await receive(groups);
        }
      });
    await translateErrors('be read', () =>
      this.#recovery.during(
        () => each(take),
        () => each(() => undefined),
      ),
    );
  }

  async optimize({ loading = [] }: LoadsInProgress = {}): Promise<void> {
    // During a load, indices would soon be rebuilt again, which would slow down the load.
    if (loading.length > 0 && (await this.#scans.canScan(loading))) return;
    this.#scans.markEnding();
    this.#changeIndexing.reset();
    await this.#run('be optimized', () => this.#maintenance.optimize());
    this.#scans.markSettled();
  }

  /** Bytes of the data and the indexes of the current version. */
  size(): Promise<number> {
    return this.#run('be read', () =>
      this.#table.use(async (table) => (await table.stats()).totalBytes),
    );
  }

  async compact(): Promise<void> {
    await this.#run('be compacted', () => this.#maintenance.compact());
  }

  /** Waits for pending writes, then closes the table. */
  async close(): Promise<void> {
    await this.#writes.run(async () => undefined);
    await this.#maintenance.close();
    this.#table.close();
  }

  async #search(query: IndexQuery): Promise<IndexCandidates> {
    const { scanned, leftOut } = await this.#scans.plan(query.loading);
    const limited = { ...query, loading: leftOut };
    return this.#run('be searched', () =>
      this.#table.use((table) => {
        const find = (): Promise<IndexCandidates> =>
          searchTable(this.#lance, table, limited, scanned);
        return this.#cache.search(table, limited, scanned, find);
      }),
    );
  }

  /** Repeats recent searches to load the indices of a reopened table, while queries still use the previous one. */
  async #repeatSearches(renewed: Table): Promise<void> {
    const since = performance.now() - repeatedSearchMs;
    for (const { query } of this.#lastSearches.filter(({ at }) => at > since)) {
      const scanned = { text: 'none', vectors: 'none' } as const;
      const { sparse } = await searchTable(this.#lance, renewed, query, scanned);
      const keys = sparse.slice(0, maxRepeatedRows).map(({ key }) => key);
      await rowsWithKeys(renewed, keys, hitColumns);
    }
  }

  /** Runs an action with translated errors and recovery. `what` as for `translateErrors`. `action` may run twice. */
  #run<T>(what: string, action: () => Promise<T>): Promise<T> {
    return translateErrors(what, () => this.#recovery.during(action));
  }

  #checkVector(vector: Float32Array | null): void {
    if (vector === null || vector.length === this.#dimension) return;
    throw new TroveError(
      'index_mismatch',
      `The collection ${this.name} holds vectors of ${this.#dimension} dimensions, not of ${vector.length}`,
    );
  }

  #select(where: string, columns: readonly string[], limit?: number): Promise<RawRow[]> {
    return this.#run('be read', () =>
      this.#table.use(async (table) => {
        const query = table
          .query()
          .where(where)
          .select([...columns]);
        return rawRows(await readBatches(limit === undefined ? query : query.limit(limit)));
      }),
    );
  }
}

/** Returns a condition for the rows of a scope that meet another one. */
function liveRows(scope: IndexScope, condition: string): string {
  const where = whereOf(scope);
  return [isLive, condition, ...(where === undefined ? [] : [where])].join(' AND ');
}
