import { GraphIndex } from './graph-index.js';
import type { GraphRetriever } from './types.js';

/** An empty index of a graph, whose name is part of the ids of its entities and relations. */
export function createRetriever(graph: string): GraphRetriever {
  return new GraphIndex(graph);
}
