import { hashText, mix } from './hash.js';
import { TermTable } from './term-table.js';

/** Weight of a pair of adjacent terms relative to its terms. */
const PAIR_WEIGHT = 0.25;
/** Terms of at least this length count fully; shorter ones are more likely to be common. */
const FULL_LENGTH = 12;
/** Length of the vector of a term's n-grams relative to that of the term itself. */
const GRAMS_WEIGHT = 1.4;
/** Weight of a whole term, by its length. */
const WEIGHTS = Float64Array.from({ length: FULL_LENGTH + 1 }, (_, length) =>
  Math.sqrt(length / FULL_LENGTH),
);

function weightOf(length: number): number {
  return WEIGHTS[Math.min(length, FULL_LENGTH)] ?? 1;
}

/** Scales to unit length; if all features have cancelled out, any fixed direction will do. */
function normalize(vector: Float32Array): void {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0) vector[0] = sum = 1;
  const scale = 1 / Math.sqrt(sum);
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) * scale;
}

/**
 * Turns terms into unit vectors by signed feature hashing. A feature falls into one of two slots per dimension, one
 * that adds and one that subtracts, so that collisions cancel out on average.
 */
export class Vectorizer {
  readonly #dimension: number;
  readonly #slots: Float64Array;
  readonly #table: TermTable;

  constructor(dimension: number) {
    this.#dimension = dimension;
    this.#slots = new Float64Array(dimension * 2);
    this.#table = new TermTable(dimension * 2);
  }

  /** Unit vector for at least one term. */
  vector(terms: readonly string[]): Float32Array {
    this.#slots.fill(0);
    this.#table.trim();
    this.#addTerms(this.#addPairs(terms));
    const vector = new Float32Array(this.#dimension);
    const slots = this.#slots;
    for (let i = 0; i < vector.length; i++) {
      vector[i] = (slots[2 * i] ?? 0) - (slots[2 * i + 1] ?? 0);
    }
    normalize(vector);
    return vector;
  }

  /** Adds each pair of adjacent terms and counts the terms; returns the numbers of the distinct ones. */
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
      const weight = weightOf(term.length);
      if (previousHash !== undefined) {
        const slot = mix(Math.imul(previousHash, 31) + hash) % slots.length;
        slots[slot] = (slots[slot] ?? 0) + PAIR_WEIGHT * Math.sqrt(previousWeight * weight);
      }
      previousHash = hash;
      previousWeight = weight;
    }
    return numbers;
  }

  /** Adds each term and its n-grams: the second occurrence counts less than the first. */
  #addTerms(numbers: readonly number[]): void {
    const slots = this.#slots;
    const table = this.#table;
    const { pool } = table;
    for (const number of numbers) {
      const weight = (1 + Math.log(table.takeCount(number))) * weightOf(table.length(number));
      const start = table.start(number);
      const end = table.end(number);
      const own = pool[start] ?? 0;
      slots[own] = (slots[own] ?? 0) + weight;
      const gramWeight = (GRAMS_WEIGHT * weight) / Math.sqrt(end - start - 1 || 1);
      for (let i = start + 1; i < end; i++) {
        const slot = pool[i] ?? 0;
        slots[slot] = (slots[slot] ?? 0) + gramWeight;
      }
    }
  }
}
