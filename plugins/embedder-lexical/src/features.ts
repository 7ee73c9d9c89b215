import { HASH_START, hashCodeUnit, hashText, mix } from './hash.js';

const SHORTEST_GRAM = 3;
const LONGEST_GRAM = 5;
/** From this length on a term counts fully; shorter ones are likelier to be common. */
const FULL_LENGTH = 12;
const GENERATION_SIZE = 1 << 14;

/** What a term adds to a vector. */
export interface Features {
  /** Hash of the whole term, its own feature. */
  readonly hash: number;
  /** Hashes of its character n-grams. */
  readonly grams: readonly number[];
  /** Weight of the whole term. */
  readonly weight: number;
  /** Weight of each n-gram: together they weigh as much as the term. */
  readonly gramWeight: number;
}

/** Hashes of the n-grams of a term between two borders, so that its ends differ from its middle. */
function hashGrams(term: string): number[] {
  const bordered = `<${term}>`;
  const grams: number[] = [];
  for (let start = 0; start + SHORTEST_GRAM <= bordered.length; start++) {
    const end = Math.min(bordered.length, start + LONGEST_GRAM);
    let hash = HASH_START;
    for (let i = start; i < end; i++) {
      hash = hashCodeUnit(hash, bordered.charCodeAt(i));
      if (i - start + 1 >= SHORTEST_GRAM) grams.push(mix(hash));
    }
  }
  return grams;
}

function makeFeatures(term: string): Features {
  const grams = hashGrams(term);
  const weight = Math.sqrt(Math.sqrt(Math.min(term.length, FULL_LENGTH) / FULL_LENGTH));
  return { hash: hashText(term), grams, weight, gramWeight: weight / Math.sqrt(grams.length || 1) };
}

/** Features of terms, kept for those met lately. */
export class FeatureCache {
  #young = new Map<string, Features>();
  #old = new Map<string, Features>();

  get(term: string): Features {
    const known = this.#young.get(term);
    if (known !== undefined) return known;
    const features = this.#old.get(term) ?? makeFeatures(term);
    if (this.#young.size >= GENERATION_SIZE) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(term, features);
    return features;
  }
}
