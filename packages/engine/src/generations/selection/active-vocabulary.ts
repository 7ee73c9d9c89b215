import type { FrequencyQuery, IndexHit, IndexQuery } from '@trove/core/index';
import type { LargeJobs } from '../scheduling/large-jobs.js';
import type { GenerationFinder, QueriedCollection } from './generations.js';

/** Statistics of the terms and fields of an index. */
export interface IndexVocabulary extends Pick<QueriedCollection, 'hasField' | 'sampleFields'> {
  /** The number of rows with each term. Terms without rows are left out. */
  frequencies(terms: readonly string[], query: FrequencyOptions): Promise<Map<string, number>>;
  /** Returns some texts that contain a term, with their titles and paths. */
  findTexts(term: string, among: TextsQuery): Promise<string[]>;
}

/** The rows in which terms are counted, and the limit of the count. */
export type FrequencyOptions = Omit<FrequencyQuery, 'loading'>;

/** The rows to search. `candidates`: the limit per generation. */
export type TextsQuery = Omit<IndexQuery, 'vector' | 'sparse' | 'pairWeight' | 'loading'>;

/** The terms and fields of all active generations. */
export class ActiveVocabulary implements IndexVocabulary {
  readonly #generations: GenerationFinder;
  readonly #largeJobs: LargeJobs;

  constructor(generations: GenerationFinder, largeJobs: LargeJobs) {
    this.#generations = generations;
    this.#largeJobs = largeJobs;
  }

  async frequencies(
    terms: readonly string[],
    query: FrequencyOptions,
  ): Promise<Map<string, number>> {
    const loading = await this.#largeJobs.running();
    const counted = { ...query, loading };
    const [first, ...rest] = await this.#each((each) => each.frequencies(terms, counted));
    const sums = new Map(first);
    for (const counts of rest) {
      for (const [term, count] of counts)
        sums.set(term, Math.min(query.maxCount, count + (sums.get(term) ?? 0)));
    }
    return sums;
  }

  async hasField(name: string): Promise<boolean> {
    return (await this.#each((each) => each.hasField(name))).includes(true);
  }

  async sampleFields(): Promise<string[]> {
    return [...new Set((await this.#each((each) => each.sampleFields())).flat())];
  }

  async findTexts(term: string, among: TextsQuery): Promise<string[]> {
    const loading = await this.#largeJobs.running();
    const sparse = { terms: [term], pairs: [] };
    const texts = await this.#each(async (collection) => {
      const found = await collection.search({ ...among, sparse, pairWeight: 0, loading });
      // A search may return more candidates than requested.
      const some = found.sparse.slice(0, among.candidates);
      const rows = await collection.fetch(some.map(({ key }) => key));
      return rows.flatMap((row) => (row === null ? [] : textOf(row)));
    });
    return texts.flat();
  }

  async #each<T>(query: (collection: QueriedCollection) => Promise<T>): Promise<T[]> {
    const { generations } = await this.#generations.active();
    return Promise.all(generations.map(({ collection }) => query(collection)));
  }
}

function textOf({ content, title, source }: IndexHit): string {
  return `${content}\n${title ?? ''}\n${source}`;
}
