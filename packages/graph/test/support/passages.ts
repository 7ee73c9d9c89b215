import { createRetriever } from '../../src/retrieval/index.js';
import type {
  GraphPassage,
  GraphRetriever,
  Retrieval,
  RetrievalOptions,
} from '../../src/retrieval/types.js';

export const options: RetrievalOptions = {
  passageTopK: 5,
  entityTopK: 20,
  relationTopK: 20,
  expansionDegree: 1,
};

/** Creates a passage with triplets written as `subject | predicate | object`. */
export function passage(
  id: string,
  title: string | null,
  text: string,
  triplets: readonly string[] = [],
): GraphPassage {
  return {
    id,
    title,
    text,
    triplets: triplets.map((each) => {
      const [subject = '', predicate = '', object = ''] = each
        .split('|')
        .map((part) => part.trim());
      return { subject, predicate, object };
    }),
  };
}

/** Passages in which one names an entity that another describes. */
export const world: readonly GraphPassage[] = [
  passage('film', 'The Long Harbour', 'The Long Harbour is a film directed by Mira Okafor.', [
    'The Long Harbour | directed by | Mira Okafor',
  ]),
  passage('person', 'Mira Okafor', 'Mira Okafor was born in Velstad and studied painting there.', [
    'Mira Okafor | born in | Velstad',
  ]),
  passage('town', 'Velstad', 'Velstad lies on the river Tamm. It has an old bridge.', [
    'Velstad | lies on | Tamm',
  ]),
  passage('other', 'Harbour seals', 'Harbour seals rest on rocks near a harbour.', [
    'Harbour seals | rest on | rocks',
  ]),
  passage('noise', 'Directing', 'A film is directed by a director who was born somewhere.', []),
];

export function retrieverOf(passages: readonly GraphPassage[]): GraphRetriever {
  const retriever = createRetriever('g');
  retriever.add(passages);
  return retriever;
}

export function ids({ passages }: Retrieval): string[] {
  return passages.map(({ id }) => id);
}
