import { hashStart, hashCodeUnit, mix } from './hash.js';

const minGramLength = 3;
const maxGramLength = 5;

/** Hashes a term's character n-grams. Border marks distinguish its ends from its middle. */
export function hashGrams(term: string): number[] {
  const bordered = `<${term}>`;
  const grams: number[] = [];
  for (let start = 0; start + minGramLength <= bordered.length; start++) {
    const end = Math.min(bordered.length, start + maxGramLength);
    let hash = hashStart;
    for (let i = start; i < end; i++) {
      hash = hashCodeUnit(hash, bordered.charCodeAt(i));
      if (i - start + 1 >= minGramLength) grams.push(mix(hash));
    }
  }
  return grams;
}
