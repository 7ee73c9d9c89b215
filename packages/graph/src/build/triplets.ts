import { normalizeName } from '../identity/names.js';
import type { Triplet } from '../retrieval/types.js';

const maxNameChars = 512;
const maxPredicateChars = 1000;

/** A triplet as callers may write it. */
export type GivenTriplet =
  | readonly string[]
  | { readonly subject: string; readonly predicate: string; readonly object: string };

export interface CleanTriplets {
  readonly triplets: readonly Triplet[];
  /** How many were dropped, since their subject or object is no name. */
  readonly dropped: number;
}

/** The triplets that can be part of a graph, each once, their parts trimmed. */
export function cleanTriplets(given: readonly GivenTriplet[]): CleanTriplets {
  const kept = new Map<string, Triplet>();
  let dropped = 0;
  for (const triplet of given) {
    const [subject, object] = partsOf(triplet)
      .filter((_, at) => at !== 1)
      .map((part) => cut(part, maxNameChars));
    const predicate = cut(partsOf(triplet)[1], maxPredicateChars);
    const names = [subject ?? '', object ?? ''].map(normalizeName);
    if (names.includes('')) {
      dropped++;
      continue;
    }
    const key = JSON.stringify([names[0], normalizeName(predicate), names[1]]);
    if (!kept.has(key)) {
      kept.set(key, { subject: subject ?? '', predicate, object: object ?? '' });
    }
  }
  return { triplets: [...kept.values()], dropped };
}

function partsOf(triplet: GivenTriplet): readonly [string, string, string] {
  if ('subject' in triplet) return [triplet.subject, triplet.predicate, triplet.object];
  const [subject = '', predicate = '', object = ''] = triplet;
  return [subject, predicate, object];
}

function cut(part: string, maxChars: number): string {
  return part.slice(0, maxChars).toWellFormed().replaceAll(/\s+/gu, ' ').trim();
}
