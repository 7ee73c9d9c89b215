import { queryTerms } from '@trove/text/analyzer';

/** Weights of the dense arm. Lexical vectors know little more than BM25, so they count less. Trained ones know more. */
const lexicalWeight = 0.2;
const trainedWeight = 0.35;
export const semanticWeight = 0.5;
/** For names. Words find their definitions, while vectors find similar names. */
const nameWeight = 0.1;

/** A query that may be a name in a program. Names among other words are part of a question. */
const singleName = /^[\w$#@~.:-]+[!?]?$/;

interface VectorTraits {
  readonly nature: 'lexical' | 'semantic';
  readonly isTrained: boolean;
}

/**
 * Returns the weight of the dense arm in a hybrid search. Models understand names that are single words, so those
 * keep the full weight.
 */
export function denseWeight(query: string, { nature, isTrained }: VectorTraits): number {
  const isLexical = nature === 'lexical';
  if (singleName.test(query.trim()) && (isLexical || queryTerms(query).terms.length > 1))
    return nameWeight;
  if (isLexical) return isTrained ? trainedWeight : lexicalWeight;
  return semanticWeight;
}
