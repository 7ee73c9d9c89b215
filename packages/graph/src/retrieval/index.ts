import { GraphIndex } from './graph-index.js';
import type { GraphRetriever } from './types.js';

/** Creates an empty index of a graph. The name is part of the ids of entities and relations. */
export function createRetriever(graph: string): GraphRetriever {
  return new GraphIndex(graph);
}
