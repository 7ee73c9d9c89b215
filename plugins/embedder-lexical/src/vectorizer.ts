import type { TrainedTable } from './trained-table.js';
import { hashText, mix } from './hash.js';
import { TermTable } from './term-table.js';

/** Weight of a pair of adjacent terms relative to its terms. */
const pairWeight = 0.25;
/** Terms of this length or more have full weight. Shorter terms are more likely to be common. */
const fullLength = 12;
/** Length of the vector of a term's n-grams relative to the term itself. */
const gramsWeight = 0.7;
/** Weight of a whole term, by its length. */
const lengthWeights = Float64Array.from({ length: fullLength + 1 }, (_, length) =>
  Math.sqrt(length / fullLength),
);
/** Share of the latent meanings in the cosine of two vectors of known terms. Hashes have the rest. */
const latentShare = 0.5;
/** The exponent of a term's rarity. A query's rare words name its topic, while the others only locate it. */
const rarityPowers = { document: 1, query: 1.75 } as const;
const unknownTerm = -1;
/** A chunk rarely has more distinct terms. */
const initialTermCapacity = 512;

/** The purpose of an embedding. */
export type Purpose = keyof typeof rarityPowers;

/** Returns the number of latent dimensions, which are the last ones of a vector. */
export function latentDimensions(dimension: number): number {
  return Math.floor(dimension / 8);
}

/**
 * Turns terms into unit vectors by signed feature hashing and, after training, the latent directions of terms. A hashed
 * dimension has two slots, one that adds and one that subtracts. Collisions therefore cancel out on average.
 */
export class Vectorizer {
  readonly #dimension: number;
  readonly #slots: Float64Array;
  readonly #latent: Float32Array;
  readonly #learned: TrainedTable | null;
  readonly #table: TermTable;
  /** The known terms of the current text, and their weights. */
  #learnedNumbers = new Int32Array(initialTermCapacity);
  #learnedWeights = new Float64Array(initialTermCapacity);
  #rarityPower: number = rarityPowers.document;

  constructor(dimension: number, learned: TrainedTable | null) {
    this.#dimension = dimension;
    this.#latent = new Float32Array(latentDimensions(dimension));
    this.#slots = new Float64Array(2 * (dimension - this.#latent.length));
    this.#learned = learned;
    this.#table = new TermTable(
      this.#slots.length,
      (hash) => learned?.numberOf(hash) ?? unknownTerm,
    );
  }

  /** Returns a unit vector for at least one term. */
  vector(terms: readonly string[], purpose: Purpose): Float32Array {
    this.#rarityPower = rarityPowers[purpose];
    this.#slots.fill(0);
    this.#latent.fill(0);
    this.#table.trim();
    // Latent meanings count only as far as the terms are known.
    const share = latentShare * this.#addTerms(this.#addPairs(terms));
    const vector = new Float32Array(this.#dimension);
    const hashed = vector.subarray(0, this.#dimension - this.#latent.length);
    const slots = this.#slots;
    for (let i = 0; i < hashed.length; i++) {
      hashed[i] = (slots[2 * i] ?? 0) - (slots[2 * i + 1] ?? 0);
    }
    const hasLatent = scaleTo(Math.sqrt(share), this.#latent);
    if (hasLatent) vector.set(this.#latent, hashed.length);
    const length = Math.sqrt(hasLatent ? 1 - share : 1);
    // Any fixed direction will do if all features cancel out.
    if (!scaleTo(length, hashed)) hashed[0] = length;
    return vector;
  }

  /** Adds each pair of adjacent terms and counts the terms. Returns the numbers of the distinct terms. */
  #addPairs(terms: readonly string[]): number[] {
    const slots = this.#slots;
    const table = this.#table;
    const numbers: number[] = [];
    let previousHash: number | undefined;
    let previousWeight = 0;
    for (const term of terms) {
      const hash = hashText(term);
      const number = table.numberOf(term, hash);
      if (table.count(number) === 0) numbers.push(number);
      const weight = weightOf(term.length) * this.#rarity(number);
      if (previousHash !== undefined) {
        const slot = mix(Math.imul(previousHash, 31) + hash) % slots.length;
        slots[slot] = (slots[slot] ?? 0) + pairWeight * Math.sqrt(previousWeight * weight);
      }
      previousHash = hash;
      previousWeight = weight;
    }
    return numbers;
  }

  /**
   * Adds each term, its n-grams and its latent direction. Repeated occurrences count less. Returns the share of known
   * terms, from 0 to 1.
   */
  #addTerms(numbers: readonly number[]): number {
    let knownWeight = 0;
    let totalWeight = 0;
    let knownCount = 0;
    this.#makeRoomFor(numbers.length);
    for (const number of numbers) {
      const weight = (1 + Math.log(this.#table.takeCount(number))) * this.#rarity(number);
      const learnedAs = this.#table.learned(number);
      if (this.#learned !== null && learnedAs !== unknownTerm) {
        this.#learnedNumbers[knownCount] = learnedAs;
        this.#learnedWeights[knownCount++] = weight * this.#learned.scaleOf(learnedAs);
        knownWeight += weight * weight;
      }
      totalWeight += weight * weight;
      this.#addHashes(number, weight);
    }
    this.#learned?.sumInto(this.#latent, this.#learnedNumbers, this.#learnedWeights, knownCount);
    return totalWeight === 0 ? 0 : knownWeight / totalWeight;
  }

  #makeRoomFor(terms: number): void {
    if (terms <= this.#learnedNumbers.length) return;
    this.#learnedNumbers = new Int32Array(2 * terms);
    this.#learnedWeights = new Float64Array(2 * terms);
  }

  #addHashes(number: number, count: number): void {
    const slots = this.#slots;
    const table = this.#table;
    const { pool } = table;
    const weight = count * weightOf(table.length(number));
    const start = table.start(number);
    const end = table.end(number);
    const own = pool[start] ?? 0;
    slots[own] = (slots[own] ?? 0) + weight;
    const gramWeight = (gramsWeight * weight) / Math.sqrt(end - start - 1 || 1);
    for (let i = start + 1; i < end; i++) {
      const slot = pool[i] ?? 0;
      slots[slot] = (slots[slot] ?? 0) + gramWeight;
    }
  }

  /**
   * Returns the rarity of a term relative to a term of a single text, to the current power. Returns 1 for unknown terms
   * and without training.
   */
  #rarity(number: number): number {
    const learnedAs = this.#table.learned(number);
    if (this.#learned === null || learnedAs === unknownTerm) return 1;
    return (this.#learned.rarityOf(learnedAs) / this.#learned.maxRarity) ** this.#rarityPower;
  }
}

function weightOf(length: number): number {
  return lengthWeights[Math.min(length, fullLength)] ?? 1;
}

/** Scales a vector to a length. Returns false for a zero vector. */
function scaleTo(length: number, vector: Float32Array): boolean {
  let square = 0;
  for (const value of vector) square += value * value;
  if (square === 0) return false;
  const scale = length / Math.sqrt(square);
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) * scale;
  return true;
}
