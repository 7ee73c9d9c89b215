import { queryTerms } from '@trove/text/analyzer';

/** The weight of the dense arm: lexical vectors see what BM25 sees, so they count less; once they are learned, they see more. */
const lexicalWeight = 0.2;
const trainedWeight = 0.35;
export const semanticWeight = 0.5;
/** For a name: words say where it is defined, vectors what has names alike. */
const nameWeight = 0.1;

/** What may be a name in a program; with other words beside it, it is part of a question. */
const singleName = /^[\w$#@~.:-]+[!?]?$/;

interface VectorTraits {
  readonly nature: 'lexical' | 'semantic';
  readonly isTrained: boolean;
}

/** The weight of the dense arm in a hybrid search. Models know what a name that is a single word means otherwise. */
export function denseWeight(query: string, { nature, isTrained: isLearned }: VectorTraits): number {
  const isLexical = nature === 'lexical';
  if (singleName.test(query.trim()) && (isLexical || queryTerms(query).terms.length > 1))
    return nameWeight;
  if (isLexical) return isLearned ? trainedWeight : lexicalWeight;
  return semanticWeight;
}
