import type { Table } from '@lancedb/lancedb';
import { readBatches } from './column-batches.js';
import { LruCache } from './lru-cache.js';
import { rawRows, textOf } from './rows.js';
import { versionName, type TableVersions } from './table-versions.js';

/** The maximum number of rows of a small scope. Reading their terms takes about 20 ms. */
const maxRows = 1000;
/** The maximum number of cached terms. They take about ten megabytes. */
const maxTerms = 100_000;
/** How long a scope counts as large, also in later versions. */
const largeMs = 60_000;
const maxLargeScopes = 1000;

/** The number of rows with each term. */
type TermCounts = ReadonlyMap<string, number>;

interface Vocabulary {
  readonly version: string;
  readonly counts: Promise<TermCounts | null>;
}

/**
 * Caches the terms of small scopes for a version of the table. A query that looks for other spellings of a word counts
 * hundreds of terms, and each count would evaluate the condition of the scope again.
 */
export class ScopeVocabularies {
  readonly #versions: TableVersions;
  readonly #vocabularies = new LruCache<Vocabulary>(maxTerms);
  /** The times at which scopes were large, by condition. */
  readonly #large = new LruCache<number>(maxLargeScopes);

  constructor(versions: TableVersions) {
    this.#versions = versions;
  }

  /** Returns the terms of the rows that meet a condition, or null if there are many rows or versions are unknown. */
  async counts(table: Table, where: string): Promise<TermCounts | null> {
    if (performance.now() - (this.#large.get(where) ?? -Infinity) < largeMs) return null;
    const current = await this.#versions.current(table);
    if (current === null) return null;
    const version = versionName(current);
    const known = this.#vocabularies.get(where);
    if (known?.version === version) return known.counts;
    const vocabulary = { version, counts: readCounts(table, where) };
    this.#vocabularies.set(where, vocabulary, 1);
    try {
      const counts = await vocabulary.counts;
      if (counts === null) this.#large.set(where, performance.now(), 1);
      if (this.#vocabularies.get(where) !== vocabulary) return counts;
      if (counts === null) this.#vocabularies.delete(where);
      else this.#vocabularies.set(where, vocabulary, counts.size + 1);
      return counts;
    } catch (error) {
      if (this.#vocabularies.get(where) === vocabulary) this.#vocabularies.delete(where);
      throw error;
    }
  }
}

async function readCounts(table: Table, where: string): Promise<TermCounts | null> {
  if ((await table.countRows(where)) > maxRows) return null;
  const query = table.query().where(where).select(['terms']);
  const counts = new Map<string, number>();
  for (const row of rawRows(await readBatches(query))) {
    for (const term of new Set(textOf(row, 'terms').split(' ')))
      counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts;
}
