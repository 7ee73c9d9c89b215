import { nameInQuestion, queryTerms } from '@trove/text/analyzer';
import type { Words } from '../../generations/selection/active-words.js';

/** Tells the names that questions such as "where is parseHeader defined" ask for. */
export class QueriedNames {
  readonly #words: Pick<Words, 'frequencies'>;

  constructor(words: Pick<Words, 'frequencies'>) {
    this.#words = words;
  }

  /** The name alone, if it is one that something indexed defines; otherwise the query. `run`: asks the index in turn. */
  async alone(
    query: string,
    run: (ask: () => Promise<Map<string, number>>) => Promise<Map<string, number>>,
  ): Promise<string> {
    const name = nameInQuestion(query);
    if (name === null) return query;
    const { names } = queryTerms(name);
    const found = await run(() => this.#words.frequencies(names, { maxCount: 1 }));
    return [...found.values()].some((count) => count > 0) ? name : query;
  }
}
