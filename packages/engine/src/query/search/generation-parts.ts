import { relativePath } from '@trove/core';
import type { ConnectorRecord } from '@trove/core/store';
import type { ResultEnvelope } from '../../api/schemas.js';
import type {
  QueriedGeneration,
  QueriedGenerations,
} from '../../generations/selection/generations.js';

/** The part of a search that one generation answers. */
export interface GenerationPart {
  readonly generation: QueriedGeneration;
  /** Whether this generation answers for the object at a URI; null if it answers for all. */
  readonly contains: ((source: string) => boolean) | null;
}

/** Returns the generations to search. There are several only during an embedder switch. */
export function partsOf(
  { generations, of }: QueriedGenerations,
  sources: readonly Pick<ConnectorRecord, 'id' | 'rootUri'>[],
  prefix: string | undefined,
): GenerationPart[] {
  const [only, ...more] = generations;
  if (only !== undefined && more.length === 0) return [{ generation: only, contains: null }];
  const roots = new Map<QueriedGeneration, string[]>();
  for (const { id, rootUri } of sources) {
    if (prefix !== undefined && !isWithin(rootUri, prefix) && !isWithin(prefix, rootUri)) continue;
    const generation = of(id);
    roots.set(generation, [...(roots.get(generation) ?? []), rootUri]);
  }
  return Array.from(roots, ([generation, uris]) => {
    const contains = (source: string): boolean => uris.some((root) => isWithin(root, source));
    return { generation, contains: roots.size === 1 ? null : contains };
  });
}

/** Merges hits of several generations by relevance score and deduplicates them. Returns a page. */
export function mergeHits(
  lists: readonly (readonly ResultEnvelope[])[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): ResultEnvelope[] {
  const all = lists.flat().sort((one, other) => (other.score ?? 0) - (one.score ?? 0));
  const distinct = new Map<string, ResultEnvelope>();
  for (const hit of all) {
    const better = distinct.get(hit.content);
    if (better === undefined) distinct.set(hit.content, hit);
    else if (better.source === hit.source) distinct.set(`${hit.content}\0${distinct.size}`, hit);
    else distinct.set(hit.content, addSource(better, hit));
  }
  return [...distinct.values()].slice(offset, offset + limit);
}

function addSource(hit: ResultEnvelope, { source, metadata }: ResultEnvelope): ResultEnvelope {
  const also = new Set([...hit.metadata.also, source, ...metadata.also]);
  also.delete(hit.source);
  return { ...hit, metadata: { ...hit.metadata, also: [...also] } };
}

function isWithin(root: string, uri: string): boolean {
  return relativePath(root, uri) !== null;
}
