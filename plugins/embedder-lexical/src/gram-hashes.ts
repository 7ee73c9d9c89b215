import { HASH_START, hashCodeUnit, mix } from './hash.js';

const SHORTEST_GRAM = 3;
const LONGEST_GRAM = 5;

/** Hashes of a term's character n-grams, with border marks, so that its ends differ from its middle. */
export function hashGrams(term: string): number[] {
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
