import type { Collection, CollectionSpec, VectorIndex } from '@trove/core/index';
import type { GraphContent } from '@trove/core/store';
import { embeddingName, type EmbedderFacts } from '@trove/runtime';

/** The embedding of a graph's vectors. */
export type VectorSpec = Pick<GraphContent, 'embedding' | 'dimension'>;

/** Rows without vectors use no space for them. */
const noVectors: VectorSpec = { embedding: 'none', dimension: 1 };

/** Returns no vectors for lexical embedders, because search by words already finds the same passages. */
export function vectorSpecOf(facts: EmbedderFacts): VectorSpec {
  if (facts.nature === 'lexical') return noVectors;
  return { embedding: embeddingName(facts), dimension: facts.dimension };
}

export function hasVectors({ embedding }: VectorSpec): boolean {
  return embedding !== noVectors.embedding;
}

export const graphParts = ['entities', 'relations', 'passages'] as const;
export type GraphPart = (typeof graphParts)[number];

export function collectionName(graph: string, part: GraphPart): string {
  return `${graph}_${part}`;
}

/** Opens one of a graph's collections, creating it if needed. Throws `index_mismatch` if it has other vectors. */
export function openCollection(
  index: VectorIndex,
  graph: string,
  part: GraphPart,
  { embedding, dimension }: VectorSpec,
): Promise<Collection> {
  const spec: CollectionSpec = { name: collectionName(graph, part), dimension, embedding };
  return index.collection(spec);
}
