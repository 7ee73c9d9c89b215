import type { Filter } from '@trove/core';
import type { GraphRecord } from '@trove/core/store';
import { embeddingName, type EmbeddingService } from '@trove/runtime';
import { forIndex } from '../filter/filter.js';
import { haveVectors } from '../storage/collections.js';
import type { GraphStorage } from '../storage/graph-storage.js';
import { idOfUri } from '../storage/rows.js';

const candidates = 200;

/**
 * The passages that mean most nearly what the question does, by id, with their similarity; undefined for a graph without
 * vectors, or with those of another embedder.
 */
export async function densePassages(
  storage: GraphStorage,
  embedding: EmbeddingService,
  record: GraphRecord,
  question: string,
  filter: Filter | undefined,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number> | undefined> {
  if (!haveVectors(record) || record.embedding !== embeddingName(embedding.facts)) return undefined;
  const vector = await embedding.query(question, { signal });
  return storage.sweeper.reading(record.generation, async () => {
    const collection = await storage.passages(record);
    const found = await collection.search({
      scope: record.generation,
      ...(filter === undefined ? {} : { filter: forIndex(filter) }),
      candidates,
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
