import type { Filter } from '@trove/core';
import type { GraphRecord } from '@trove/core/store';
import { embeddingName, type EmbeddingService } from '@trove/runtime';
import { toIndexFilter } from '../filter/filter.js';
import { hasVectors } from '../storage/collections.js';
import type { GraphStorage } from '../storage/graph-storage.js';
import { idOfUri } from '../storage/rows.js';

const maxCandidates = 200;

/**
 * Returns the passages closest in meaning to a question, by id, with their similarity. Returns undefined if the graph
 * has no vectors of the current embedder.
 */
export async function searchDense(
  storage: GraphStorage,
  embedding: EmbeddingService,
  record: GraphRecord,
  question: string,
  filter: Filter | undefined,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number> | undefined> {
  if (!hasVectors(record) || record.embedding !== embeddingName(embedding.facts)) return undefined;
  const vector = await embedding.embedQuery(question, { signal });
  return storage.sweeper.withReader(record.generation, async () => {
    const collection = await storage.passages(record);
    const found = await collection.search({
      scope: record.generation,
      ...(filter === undefined ? {} : { filter: toIndexFilter(filter) }),
      candidates: maxCandidates,
      vector,
      pairWeight: 0,
      signal,
    });
    const rows = await collection.identify(found.dense.map(({ key }) => key));
    const similar = new Map<string, number>();
    found.dense.forEach(({ score }, at) => {
      const row = rows[at];
      if (row) similar.set(idOfUri(row.source), score);
    });
    return similar;
  });
}
