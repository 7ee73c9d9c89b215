import { normalizeName } from '@trove/text/names';
import type { Triplet } from '../retrieval/types.js';

const maxNameChars = 512;
const maxPredicateChars = 1000;

/** A triplet in a request. */
export type TripletInput =
  | readonly string[]
  | { readonly subject: string; readonly predicate: string; readonly object: string };

export interface CleanTriplets {
  readonly triplets: readonly Triplet[];
  /** Number of triplets that were dropped because their subject or object is not a name. */
  readonly dropped: number;
}

/** Trims triplets, and drops duplicates and those without names. */
export function cleanTriplets(given: readonly TripletInput[]): CleanTriplets {
  const kept = new Map<string, Triplet>();
  let dropped = 0;
  for (const triplet of given) {
    const { subject, predicate, object } = trimTriplet(triplet);
    const [from, to] = [normalizeName(subject), normalizeName(object)];
    if (from === '' || to === '') {
      dropped++;
      continue;
    }
    const key = JSON.stringify([from, normalizeName(predicate), to]);
    if (!kept.has(key)) kept.set(key, { subject, predicate, object });
  }
  return { triplets: [...kept.values()], dropped };
}

function trimTriplet(given: TripletInput): Triplet {
  const { subject, predicate, object } = 'subject' in given ? given : toTriplet(given);
  return {
    subject: trimPart(subject, maxNameChars),
    predicate: trimPart(predicate, maxPredicateChars),
    object: trimPart(object, maxNameChars),
  };
}

function toTriplet([subject = '', predicate = '', object = '']: readonly string[]): Triplet {
  return { subject, predicate, object };
}

function trimPart(part: string, maxChars: number): string {
  return part.slice(0, maxChars).toWellFormed().replaceAll(/\s+/gu, ' ').trim();
}
