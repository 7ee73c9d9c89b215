import { hashText } from './hash.js';
import { packTable, rarity } from './trained-table.js';
import { dominantSubspace, type SparseRow } from './subspace.js';

/** A term of a single text says nothing about others. */
const minTextsPerTerm = 2;
/** The table of the most frequent terms takes about a megabyte. */
const maxTerms = 8192;

/** Trains a `TrainedTable` from the terms of texts. */
export function trainTable(texts: readonly (readonly string[])[], rank: number): Uint8Array {
  const counted = texts.map(countsOf);
  const terms = findFrequentTerms(counted);
  const numbers = new Map(terms.map(({ hash }, number) => [hash, number]));
  const rarities = Float32Array.from(terms, ({ texts: found }) => rarity(found, texts.length));
  const rows = counted.map((counts) => toSparseRow(counts, numbers, rarities));
  return packTable({
    hashes: Int32Array.from(terms, ({ hash }) => hash),
    rarities,
    directions: dominantSubspace(rows, terms.length, rank),
    rank,
    texts: texts.length,
  });
}

/** Counts occurrences by the hash of the term. */
function countsOf(terms: readonly string[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const term of terms) {
    const hash = hashText(term);
    counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  return counts;
}

/** Returns frequent terms by ascending hash. */
function findFrequentTerms(counted: readonly ReadonlyMap<number, number>[]) {
  const found = new Map<number, number>();
  for (const counts of counted) {
    for (const hash of counts.keys()) found.set(hash, (found.get(hash) ?? 0) + 1);
  }
  return Array.from(found, ([hash, texts]) => ({ hash, texts }))
    .filter(({ texts }) => texts >= minTextsPerTerm)
    .sort((a, b) => b.texts - a.texts || a.hash - b.hash)
    .slice(0, maxTerms)
    .sort((a, b) => a.hash - b.hash);
}

/** Returns a text as a row of length 1. */
function toSparseRow(
  counts: ReadonlyMap<number, number>,
  numbers: ReadonlyMap<number, number>,
  rarities: Float32Array,
): SparseRow {
  const features: number[] = [];
  const weights: number[] = [];
  let square = 0;
  for (const [hash, count] of counts) {
    const number = numbers.get(hash);
    if (number === undefined) continue;
    const weight = (1 + Math.log(count)) * (rarities[number] ?? 0);
    features.push(number);
    weights.push(weight);
    square += weight * weight;
  }
  const scale = square === 0 ? 0 : 1 / Math.sqrt(square);
  return {
    features: Int32Array.from(features),
    weights: Float32Array.from(weights, (weight) => weight * scale),
  };
}
