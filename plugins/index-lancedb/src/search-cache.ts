import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { Table } from '@lancedb/lancedb';
import type { Candidate, IndexCandidates, IndexHit, IndexQuery, RowIdentity } from '@trove/core';
import { Recent } from './recent.js';
import { keyOf, placeOf, rowsWithKeys } from './row-keys.js';
import { toHit, toIdentity, type RawRow } from './rows.js';
import type { Found, IndexedOnly } from './search.js';
import { hitColumns, identityColumns } from './table-schema.js';
import { whereOf } from './where.js';

/** Each takes about a hundred bytes. */
const CANDIDATES = 50_000;
/** Of the rows shown last, in characters. */
const CHARACTERS = 4 * 1024 ** 2;
/** Each takes about four hundred bytes. */
const IDENTITIES = 10_000;

/** Without a search for so long, nothing is kept. */
const KEPT_FOR_MS = 30_000;

/** A table as it is at one moment. */
interface Moment {
  /** Which of the tables that had the name: another one may come to the same version. */
  readonly table: number;
  readonly version: number;
}

/** What is read of rows: which columns, as what, and how much of it there is. */
interface Reading<Row> {
  readonly columns: readonly string[];
  readonly kept: Recent<Row>;
  readonly rowOf: (raw: RawRow) => Row;
  readonly weightOf: (row: Row) => number;
}

/**
 * Remembers what one version of a table answered, and rows by where they are stored, which never change there. Every call
 * looks up which version is the latest, so an answer is never older than the question. What is asked several times at once
 * is looked up once.
 */
export class SearchCache {
  readonly #folder: string | null;
  readonly #found = new Recent<Promise<IndexCandidates>>(CANDIDATES);
  readonly #hits: Reading<IndexHit> = {
    columns: hitColumns,
    kept: new Recent(CHARACTERS),
    rowOf: toHit,
    weightOf: ({ content, source }) => content.length + source.length,
  };
  readonly #identities: Reading<RowIdentity> = {
    columns: identityColumns,
    kept: new Recent(IDENTITIES),
    rowOf: toIdentity,
    weightOf: () => 1,
  };

  /** How many tables of the name there were, and what tells the last one from those before. */
  #tables = 0;
  #made = '';
  #forgetting: NodeJS.Timeout | undefined;

  /** `folder`: of the table. Without a local one nothing is remembered: to look up the version takes a request. */
  constructor(folder: string | null) {
    this.#folder = folder;
  }

  async search(
    table: Table,
    query: IndexQuery,
    indexedOnly: IndexedOnly,
    find: () => Promise<Found>,
  ): Promise<IndexCandidates> {
    const now = await this.#now(table);
    if (now === null) return find();
    const key = `${now.table} ${now.version} ${digestOf(query, indexedOnly)}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const finding = find();
    this.#found.set(key, finding, 0);
    try {
      const found = await finding;
      // What changed meanwhile may be in it, or not.
      if ((await table.version()) !== now.version) return found;
      const placed = placedAt(now, found);
      this.#found.set(key, Promise.resolve(placed), weightOf(placed));
      return placed;
    } finally {
      if (this.#found.get(key) === finding) this.#found.delete(key);
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
    { columns, kept, rowOf, weightOf: weight }: Reading<Row>,
  ): Promise<(Row | null)[]> {
    const version = this.#folder === null ? null : await table.version();
    const known = keys.map((key) => {
      const place = placeOf(key);
      if (place === null || place.version !== version) return undefined;
      return kept.get(`${place.table} ${place.address}`);
    });
    const unknown = keys.filter((_key, at) => known[at] === undefined);
    const read = await rowsWithKeys(table, unknown, columns);
    let next = 0;
    return known.map((row) => {
      if (row !== undefined) return row;
      const found = read[next++] ?? null;
      if (found === null) return null;
      const fresh = rowOf(found.row);
      if (version !== null) kept.set(`${this.#tables} ${found.address}`, fresh, weight(fresh));
      return fresh;
    });
  }

  #forgetLater(): void {
    if (this.#forgetting !== undefined) return void this.#forgetting.refresh();
    this.#forgetting = setTimeout(() => this.#forget(), KEPT_FOR_MS).unref();
  }

  #forget(): void {
    this.#forgetting = undefined;
    for (const { kept } of [this.#hits, this.#identities]) kept.clear();
    this.#found.clear();
  }

  async #now(table: Table): Promise<Moment | null> {
    if (this.#folder === null) return null;
    this.#forgetLater();
    const version = await table.version();
    const folder = await stat(this.#folder, { bigint: true }).catch(() => null);
    if (folder === null) return null;
    // Some file systems do not keep when a folder was made; what is in it hardly ever changes.
    const made = [folder.ino, folder.birthtimeNs, folder.ctimeNs].join(' ');
    if (made !== this.#made) this.#tables++;
    this.#made = made;
    return { table: this.#tables, version };
  }
}

function placedAt(moment: Moment, { dense, sparse, addresses }: Found): IndexCandidates {
  const placed = ({ key, score }: Candidate): Candidate => {
    const address = addresses.get(key);
    return address === undefined
      ? { key, score }
      : { key: keyOf(key, { address, ...moment }), score };
  };
  return { dense: dense.map(placed), sparse: sparse.map(placed) };
}

function weightOf({ dense, sparse }: IndexCandidates): number {
  return 1 + dense.length + sparse.length;
}

function digestOf(query: IndexQuery, indexedOnly: IndexedOnly): string {
  const { vector, sparse, pairWeight, candidates } = query;
  const asked = [whereOf(query), sparse, pairWeight, candidates, indexedOnly];
  const hash = createHash('sha256').update(JSON.stringify(asked));
  if (vector !== undefined)
    hash.update(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
  return hash.digest('base64url');
}
