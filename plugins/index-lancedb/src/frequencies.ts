import type { Table } from '@lancedb/lancedb';
import { readBatches, type ColumnBatch } from './column-batches.js';
import type { LanceModule } from './lance.js';
import { rawRows, textOf } from './rows.js';
import { readScoredRows } from './scored-rows.js';
import { execution, passesFor, type Pass, type ScanMode } from './search.js';

/** Rows read per step to find their terms. Few suffice, because most rows have several terms. */
const rowsPerProbe = 16;

/** The table and rows in which terms are looked up. */
export interface TermSearch {
  readonly lance: LanceModule;
  readonly table: Table;
  readonly where: string | undefined;
  readonly scanned: ScanMode;
  readonly loading: readonly string[];
}

/**
 * Counts the rows with each term, up to `maxCount`. Terms without rows are left out. The store has no query for the
 * terms of its index.
 */
export async function countTerms(
  search: TermSearch,
  terms: readonly string[],
  maxCount: number,
): Promise<Map<string, number>> {
  const present = await findPresentTerms(search, terms);
  if (maxCount === 1) return new Map(present.map((term) => [term, 1]));
  const counts = await Promise.all(present.map((term) => countRows(search, term, maxCount)));
  return new Map(present.map((term, at) => [term, counts[at] ?? 1]));
}

/** Returns the known counts of some terms, up to `maxCount`. Terms without rows are left out. */
export function takeCounts(
  known: ReadonlyMap<string, number>,
  terms: readonly string[],
  maxCount: number,
): Map<string, number> {
  const present = [...new Set(terms)].filter((term) => known.has(term));
  return new Map(present.map((term) => [term, Math.min(maxCount, known.get(term) ?? 0)]));
}

/** Searches the index first, because unindexed rows have to be scanned. */
async function findPresentTerms(search: TermSearch, terms: readonly string[]): Promise<string[]> {
  const remaining = new Set(terms);
  const { scanned, where, loading } = search;
  const index = { where, indexedOnly: true };
  const scans = passesFor(scanned, where, loading).filter(({ indexedOnly }) => !indexedOnly);
  for (const pass of [index, ...scans]) await findTerms(search, pass, remaining);
  return [...new Set(terms)].filter((term) => !remaining.has(term));
}

/** Removes the terms of the best rows from `remaining`, and repeats this for the remaining terms. */
async function findTerms(search: TermSearch, pass: Pass, remaining: Set<string>): Promise<void> {
  for (let before = -1; remaining.size > 0 && remaining.size !== before;) {
    before = remaining.size;
    const found = await matchTerms(search, pass, [...remaining], 'terms', rowsPerProbe);
    for (const row of rawRows(found)) {
      for (const term of textOf(row, 'terms').split(' ')) remaining.delete(term);
    }
  }
}

async function countRows(search: TermSearch, term: string, maxCount: number): Promise<number> {
  const ids = new Set<number>();
  for (const pass of passesFor(search.scanned, search.where, search.loading)) {
    const found = await matchTerms(search, pass, [term], '_rowid', maxCount);
    for (const id of readScoredRows(found, '_score').ids) ids.add(id);
  }
  return Math.min(maxCount, ids.size);
}

function matchTerms(
  { lance, table }: TermSearch,
  { where, indexedOnly }: Pass,
  terms: readonly string[],
  column: string,
  limit: number,
): Promise<ColumnBatch[]> {
  const query = table
    .query()
    .fullTextSearch(new lance.MatchQuery(terms.join(' '), 'terms'))
    .limit(limit)
    .select([column, '_score']);
  if (column === '_rowid') query.withRowId();
  if (where !== undefined) query.where(where);
  if (indexedOnly) query.fastSearch();
  return readBatches(query, execution, limit);
}
