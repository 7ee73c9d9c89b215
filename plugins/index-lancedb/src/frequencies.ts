import type { Table } from '@lancedb/lancedb';
import { answerTo, rowsIn, type Batch } from './answer.js';
import type { LanceModule } from './lance.js';
import { rawRows, textOf } from './rows.js';
import { execution } from './search.js';

/** Rows that are read at once to see which terms they have: few, since most have several of them. */
const ROWS_PER_LOOK = 16;

/** Where, and among which rows, terms are looked up. */
export interface TermSearch {
  readonly lance: LanceModule;
  readonly table: Table;
  readonly where: string | undefined;
  /** Whether to skip rows that are not indexed yet. */
  readonly indexedOnly: boolean;
}

/**
 * Of these terms those that rows have, each with the number of its rows, counted up to `atMost`. The store cannot be asked
 * for the terms of its index.
 */
export async function frequenciesOf(
  search: TermSearch,
  terms: readonly string[],
  atMost: number,
): Promise<Map<string, number>> {
  const there = await presentTerms(search, terms);
  if (atMost === 1) return new Map(there.map((term) => [term, 1]));
  const counts = await Promise.all(there.map((term) => countRows(search, term, atMost)));
  return new Map(there.map((term, at) => [term, counts[at] ?? 1]));
}

/** Looks in the index first: rows that are not in it yet have to be scanned. */
async function presentTerms(search: TermSearch, terms: readonly string[]): Promise<string[]> {
  const wanted = new Set(terms);
  await findTerms({ ...search, indexedOnly: true }, wanted);
  if (!search.indexedOnly) await findTerms(search, wanted);
  return [...new Set(terms)].filter((term) => !wanted.has(term));
}

/** Removes from the wanted terms those that rows have: those of the best rows, then those of the best for the rest. */
async function findTerms(search: TermSearch, wanted: Set<string>): Promise<void> {
  for (let before = -1; wanted.size > 0 && wanted.size !== before;) {
    before = wanted.size;
    const found = await matching(search, [...wanted], 'terms', ROWS_PER_LOOK);
    for (const row of rawRows(found)) {
      for (const term of textOf(row, 'terms').split(' ')) wanted.delete(term);
    }
  }
}

async function countRows(search: TermSearch, term: string, atMost: number): Promise<number> {
  return rowsIn(await matching(search, [term], '_rowid', atMost));
}

function matching(
  { lance, table, where, indexedOnly }: TermSearch,
  terms: readonly string[],
  column: string,
  limit: number,
): Promise<Batch[]> {
  const query = table
    .query()
    .fullTextSearch(new lance.MatchQuery(terms.join(' '), 'terms'))
    .limit(limit)
    .select([column, '_score']);
  if (column === '_rowid') query.withRowId();
  if (where !== undefined) query.where(where);
  if (indexedOnly) query.fastSearch();
  return answerTo(query, execution, limit);
}
