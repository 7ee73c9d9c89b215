import type { Collection, FrequencyQuery } from '@trove/core';
import type { Editions } from './editions.js';

/** What is asked of an index about the words and fields that it has. */
export type Words = Pick<Collection, 'frequencies' | 'hasField' | 'someFields'>;

/** The words and fields of all collections that anything is answered from. */
export class AnsweredWords implements Words {
  readonly #editions: Editions;

  constructor(editions: Editions) {
    this.#editions = editions;
  }

  async frequencies(terms: readonly string[], query: FrequencyQuery): Promise<Map<string, number>> {
    const [first, ...rest] = await this.#each((each) => each.frequencies(terms, query));
    const sums = new Map(first);
    for (const counts of rest) {
      for (const [term, count] of counts)
        sums.set(term, Math.min(query.atMost, count + (sums.get(term) ?? 0)));
    }
    return sums;
  }

  async hasField(name: string): Promise<boolean> {
    return (await this.#each((each) => each.hasField(name))).includes(true);
  }

  async someFields(): Promise<string[]> {
    return [...new Set((await this.#each((each) => each.someFields())).flat())];
  }

  async #each<T>(ask: (collection: Collection) => Promise<T>): Promise<T[]> {
    const { editions } = await this.#editions.answering();
    return Promise.all(editions.map(({ collection }) => ask(collection)));
  }
}
