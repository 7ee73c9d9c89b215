import { findDefinitionName, queryTerms } from '@trove/text/analyzer';
import type { IndexVocabulary } from '../../generations/selection/active-vocabulary.js';

/** Extracts names from questions such as "where is parseHeader defined". */
export class QueriedNames {
  readonly #vocabulary: Pick<IndexVocabulary, 'frequencies'>;

  constructor(vocabulary: Pick<IndexVocabulary, 'frequencies'>) {
    this.#vocabulary = vocabulary;
  }

  /**
   * Returns the name in the query if an indexed chunk defines it, otherwise the query. `run` queues the lookup in the
   * index.
   */
  async reduceToName(
    query: string,
    run: (lookUp: () => Promise<Map<string, number>>) => Promise<Map<string, number>>,
  ): Promise<string> {
    const name = findDefinitionName(query);
    if (name === null) return query;
    const { names } = queryTerms(name);
    const found = await run(() => this.#vocabulary.frequencies(names, { maxCount: 1 }));
    return [...found.values()].some((count) => count > 0) ? name : query;
  }
}
