import { canonicalName, normalizeName } from '@trove/text/names';
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
export function cleanTriplets(input: readonly TripletInput[]): CleanTriplets {
  const unique = new Map<string, Triplet>();
  let dropped = 0;
  for (const triplet of input) {
    const { subject, predicate, object } = trimTriplet(triplet);
    const [from, to] = [canonicalName(subject), canonicalName(object)];
    if (from === '' || to === '') {
      dropped++;
      continue;
    }
    const key = JSON.stringify([from, normalizeName(predicate), to]);
    if (!unique.has(key)) unique.set(key, { subject, predicate, object });
  }
  return { triplets: [...unique.values()], dropped };
}

function trimTriplet(input: TripletInput): Triplet {
  const { subject, predicate, object } = 'subject' in input ? input : toTriplet(input);
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
