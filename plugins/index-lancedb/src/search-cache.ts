import { createHash } from 'node:crypto';
import type { Table } from '@lancedb/lancedb';
import type {
  Candidate,
  IndexCandidates,
  IndexHit,
  IndexQuery,
  RowIdentity,
} from '@trove/core/index';
import { LruCache } from './lru-cache.js';
import { keyAt, type TableVersion, rowsWithKeys, versionOf } from './row-keys.js';
import { toHit, toIdentity, type RawRow } from './rows.js';
import type { ScannedRows } from './search.js';
import { hitColumns, identityColumns } from './table-schema.js';
import { TableVersions, versionName } from './table-versions.js';
import { whereOf } from './where.js';

/** Each takes about a hundred bytes. */
const maxCandidates = 50_000;
/** The limit for recently read rows, in characters. */
const maxCharacters = 4 * 1024 ** 2;
/** Each takes about four hundred bytes. */
const maxIdentities = 10_000;

/** The cache is cleared after this time without a search. */
const keptMs = 30_000;

/** A cache of rows: the columns to read, their conversion, and the weight of a result. */
interface RowCache<Row> {
  readonly columns: readonly string[];
  readonly entries: LruCache<Row>;
  readonly rowOf: (raw: RawRow) => Row;
  readonly weightOf: (row: Row) => number;
}

/**
 * Caches results and rows of one version of a table. Uses them only while that version is the latest, so a result is
 * never older than the query. Concurrent equal queries run once.
 */
export class SearchCache {
  readonly #versions: TableVersions;
  readonly #isLocal: boolean;
  readonly #results = new LruCache<Promise<IndexCandidates>>(maxCandidates);
  readonly #hits: RowCache<IndexHit> = {
    columns: hitColumns,
    entries: new LruCache(maxCharacters),
    rowOf: toHit,
    weightOf: ({ content, source }) => content.length + source.length,
  };
  readonly #identities: RowCache<RowIdentity> = {
    columns: identityColumns,
    entries: new LruCache(maxIdentities),
    rowOf: toIdentity,
    weightOf: () => 1,
  };

  /** The table and version at the last query. */
  #latest: TableVersion | null = null;
  #clearTimer: NodeJS.Timeout | undefined;

  /** `folder`: the local folder of the table. Without one nothing is cached, because reading the version takes a request. */
  constructor(folder: string | null) {
    this.#versions = new TableVersions(folder);
    this.#isLocal = folder !== null;
  }

  /**
   * Runs an uncached query while the latest version is determined, which takes some time. Caches the result if the last
   * known version is still the latest.
   */
  async search(
    table: Table,
    query: IndexQuery,
    scanned: ScannedRows,
    find: () => Promise<IndexCandidates>,
  ): Promise<IndexCandidates> {
    const digest = digestOf(query, scanned);
    const before = this.#latest;
    const isEarly = before !== null && this.#results.get(nameOf(before, digest)) === undefined;
    const early = isEarly ? find() : null;
    // Not awaited if another result was cached meanwhile or the version cannot be read.
    early?.catch(() => undefined);
    if (early === null || before === null) {
      const latest = await this.#currentVersion(table);
      return latest === null ? find() : this.#cachedSearch(latest, digest, find);
    }
    const pending = this.#cachedSearch(before, digest, () => early);
    // Equal queries now wait for this one.
    const [now, found] = await Promise.all([this.#currentVersion(table), pending]);
    if (now !== null && nameOf(now, digest) === nameOf(before, digest)) return found;
    this.#results.delete(nameOf(before, digest));
    return early;
  }

  async #cachedSearch(
    version: TableVersion,
    digest: string,
    find: () => Promise<IndexCandidates>,
  ): Promise<IndexCandidates> {
    const name = nameOf(version, digest);
    const known = this.#results.get(name);
    if (known !== undefined) return known;
    // If a later query sees the same version, nothing has changed since this query.
    const pending = find().then((found) => candidatesAt(version, found));
    this.#results.set(name, pending, 0);
    try {
      const found = await pending;
      if (this.#results.get(name) === pending) this.#results.set(name, pending, weightOf(found));
      return found;
    } catch (error) {
      if (this.#results.get(name) === pending) this.#results.delete(name);
      throw error;
    }
  }

  identities(table: Table, keys: readonly string[]): Promise<(RowIdentity | null)[]> {
    return this.#rows(table, keys, this.#identities);
  }

  hits(table: Table, keys: readonly string[]): Promise<(IndexHit | null)[]> {
    return this.#rows(table, keys, this.#hits);
  }

  async #rows<Row>(
    table: Table,
    keys: readonly string[],
    { columns, entries: rows, rowOf, weightOf: weight }: RowCache<Row>,
  ): Promise<(Row | null)[]> {
    const kept = await this.#cachedRows(table, keys, rows);
    const unknown = keys.filter((_key, at) => kept[at] === undefined);
    const read = await rowsWithKeys(table, unknown, columns);
    let next = 0;
    return keys.map((key, at) => {
      const known = kept[at];
      if (known !== undefined) return known;
      const raw = read[next++] ?? null;
      if (raw === null) return null;
      const fresh = rowOf(raw);
      if (versionOf(key) !== null) rows.set(key, fresh, weight(fresh));
      return fresh;
    });
  }

  /** The cached rows with these keys. Rows of an older version are not used. */
  async #cachedRows<Row>(
    table: Table,
    keys: readonly string[],
    rows: LruCache<Row>,
  ): Promise<(Row | undefined)[]> {
    const kept = keys.map((key) => rows.get(key));
    if (kept.every((row) => row === undefined)) return kept;
    const latest = await table.version();
    return keys.map((key, at) => (versionOf(key) === latest ? kept[at] : undefined));
  }

  #scheduleClear(): void {
    if (this.#clearTimer !== undefined) return void this.#clearTimer.refresh();
    this.#clearTimer = setTimeout(() => this.#clear(), keptMs).unref();
  }

  #clear(): void {
    this.#clearTimer = undefined;
    for (const { entries } of [this.#hits, this.#identities]) entries.clear();
    this.#results.clear();
  }

  async #currentVersion(table: Table): Promise<TableVersion | null> {
    if (!this.#isLocal) return null;
    this.#scheduleClear();
    const now = await this.#versions.current(table);
    if (now === null) return null;
    this.#latest = now;
    return now;
  }
}

function candidatesAt(version: TableVersion, { dense, sparse }: IndexCandidates): IndexCandidates {
  const at = ({ key, score }: Candidate): Candidate => ({ key: keyAt(key, version), score });
  return { dense: dense.map(at), sparse: sparse.map(at) };
}

function nameOf(version: TableVersion, digest: string): string {
  return `${versionName(version)} ${digest}`;
}

function weightOf({ dense, sparse }: IndexCandidates): number {
  return 1 + dense.length + sparse.length;
}

function digestOf(query: IndexQuery, scanned: ScannedRows): string {
  const { vector, sparse, pairWeight, candidates, loading } = query;
  const isRestricted = scanned.text === 'finished' || scanned.vectors === 'finished';
  const others = isRestricted ? loading : [];
  const keyParts = [whereOf(query), sparse, pairWeight, candidates, scanned, others];
  const hash = createHash('sha256').update(JSON.stringify(keyParts));
  if (vector !== undefined)
    hash.update(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
  return hash.digest('base64url');
}
