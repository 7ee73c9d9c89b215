import type { Collection, CollectionSpec, VectorIndex } from '@trove/core/index';
import type { GraphContent } from '@trove/core/store';
import { embeddingName, type EmbedderFacts } from '@trove/runtime';

/** What made the vectors of a graph. */
export type Vectors = Pick<GraphContent, 'embedding' | 'dimension'>;

/** Rows without vectors take no room for any. */
const noVectors: Vectors = { embedding: 'none', dimension: 1 };

/** Vectors that only reflect spelling find nothing that the words themselves do not find: such graphs have none. */
export function vectorsOf(facts: EmbedderFacts): Vectors {
  if (facts.nature === 'lexical') return noVectors;
  return { embedding: embeddingName(facts), dimension: facts.dimension };
}

export function haveVectors({ embedding }: Vectors): boolean {
  return embedding !== noVectors.embedding;
}

export const parts = ['entities', 'relations', 'passages'] as const;
export type Part = (typeof parts)[number];

export function collectionName(graph: string, part: Part): string {
  return `${graph}_${part}`;
}

/** Opens one of a graph's collections, creating it if needed. Throws `index_mismatch` when it holds other vectors. */
export function openCollection(
  index: VectorIndex,
  graph: string,
  part: Part,
  { embedding, dimension }: Vectors,
): Promise<Collection> {
  const spec: CollectionSpec = { name: collectionName(graph, part), dimension, embedding };
  return index.collection(spec);
}
