import { canonicalName, normalizeName } from '@trove/text/names';
import { isMeasure } from './entity-name.js';

const maxTriplets = 100;
const maxNameChars = 200;

export interface ExtractedTriplet {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
}

/** Collects triplets, each once, up to a limit. */
export class TripletList {
  readonly #triplets = new Map<string, ExtractedTriplet>();

  get isFull(): boolean {
    return this.#triplets.size >= maxTriplets;
  }

  get items(): ExtractedTriplet[] {
    return [...this.#triplets.values()];
  }

  /** Drops a triplet without a part, with a measured value as an end, or about an entity and itself. */
  add(subject: string, predicate: string, object: string): void {
    const triplet = {
      subject: toPart(subject),
      predicate: toPart(predicate),
      object: toPart(object),
    };
    if (isMeasure(triplet.subject) || isMeasure(triplet.object)) return;
    const [from, to] = [canonicalName(triplet.subject), canonicalName(triplet.object)];
    if (this.isFull || from === '' || to === '' || from === to || triplet.predicate === '') return;
    const key = JSON.stringify([from, normalizeName(predicate), to]);
    if (!this.#triplets.has(key)) this.#triplets.set(key, triplet);
  }
}

function toPart(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim().slice(0, maxNameChars).toWellFormed();
}
