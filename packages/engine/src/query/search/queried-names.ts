import { findDefinitionName, queryTerms } from '@trove/text/analyzer';
import type { IndexVocabulary } from '../../generations/selection/active-vocabulary.js';

/** Tells the names that questions such as "where is parseHeader defined" ask for. */
export class QueriedNames {
  readonly #words: Pick<IndexVocabulary, 'frequencies'>;

  constructor(words: Pick<IndexVocabulary, 'frequencies'>) {
    this.#words = words;
  }

  /** The name alone, if it is one that something indexed defines; otherwise the query. `run`: asks the index in turn. */
  async reduceToName(
    query: string,
    run: (ask: () => Promise<Map<string, number>>) => Promise<Map<string, number>>,
  ): Promise<string> {
    const name = findDefinitionName(query);
    if (name === null) return query;
    const { names } = queryTerms(name);
    const found = await run(() => this.#words.frequencies(names, { maxCount: 1 }));
    return [...found.values()].some((count) => count > 0) ? name : query;
  }
}
