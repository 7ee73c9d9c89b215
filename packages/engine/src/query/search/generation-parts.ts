import { relativePath } from '@trove/core';
import type { ConnectorRecord } from '@trove/core/store';
import type { ResultEnvelope } from '../../api/schemas.js';
import type { ActiveGenerations, Generation } from '../../generations/selection/generations.js';

/** What is searched of one edition. */
export interface GenerationPart {
  readonly generation: Generation;
  /** Whether an object, by its URI, is answered from this edition; null: all of them are. */
  readonly contains: ((source: string) => boolean) | null;
}

/** The generations that a search has to ask; more than one only while another embedder takes over. */
export function partsOf(
  { generations, of }: ActiveGenerations,
  sources: readonly Pick<ConnectorRecord, 'id' | 'rootUri'>[],
  prefix: string | undefined,
): GenerationPart[] {
  const [only, ...more] = generations;
  if (only !== undefined && more.length === 0) return [{ generation: only, contains: null }];
  const roots = new Map<Generation, string[]>();
  for (const { id, rootUri } of sources) {
    if (prefix !== undefined && !isWithin(rootUri, prefix) && !isWithin(prefix, rootUri)) continue;
    const generation = of(id);
    roots.set(generation, [...(roots.get(generation) ?? []), rootUri]);
  }
  return Array.from(roots, ([generation, some]) => {
    const contains = (source: string): boolean => some.some((root) => isWithin(root, source));
    return { generation, contains: roots.size === 1 ? null : contains };
  });
}

/** A page of the hits of several generations, by how well each fits; those with the same text are one. */
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
    else distinct.set(hit.content, withTwin(better, hit));
  }
  return [...distinct.values()].slice(offset, offset + limit);
}

function withTwin(hit: ResultEnvelope, { source, metadata }: ResultEnvelope): ResultEnvelope {
  const also = new Set([...hit.metadata.also, source, ...metadata.also]);
  also.delete(hit.source);
  return { ...hit, metadata: { ...hit.metadata, also: [...also] } };
}

function isWithin(root: string, uri: string): boolean {
  return relativePath(root, uri) !== null;
}
