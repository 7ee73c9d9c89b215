import { queryTerms } from '@trove/text/analyzer';

/** The weight of the dense arm: lexical vectors see what BM25 sees, so they count less; once they are learned, they see more. */
const lexicalWeight = 0.2;
const learnedWeight = 0.35;
export const semanticWeight = 0.5;
/** For a name: words say where it is defined, vectors what has names alike. */
const nameWeight = 0.1;

/** What may be a name in a program; with other words beside it, it is part of a question. */
const NAME = /^[\w$#@~.:-]+[!?]?$/;

interface Vectors {
  readonly nature: 'lexical' | 'semantic';
  readonly isLearned: boolean;
}

/** The weight of the dense arm in a hybrid search. Models know what a name that is a single word means otherwise. */
export function denseWeight(query: string, { nature, isLearned }: Vectors): number {
  const isLexical = nature === 'lexical';
  if (NAME.test(query.trim()) && (isLexical || queryTerms(query).terms.length > 1))
    return nameWeight;
  if (isLexical) return isLearned ? learnedWeight : lexicalWeight;
  return semanticWeight;
}
