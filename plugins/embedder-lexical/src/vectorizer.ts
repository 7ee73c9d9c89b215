import { mix } from './hash.js';
import { TermTable, type TermEntry } from './term-table.js';

/** A pair of neighbouring terms weighs this much of what its terms do. */
const PAIR_WEIGHT = 0.25;

/** Scales to unit length; should all features have cancelled out, any fixed direction does. */
function normalize(vector: Float32Array): void {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0) vector[0] = sum = 1;
  const scale = 1 / Math.sqrt(sum);
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) * scale;
}

/**
 * Turns terms into unit vectors by signed feature hashing. A feature falls into one of two slots per
 * dimension, one that adds and one that takes away, so that collisions cancel out on average.
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

  /** Unit vector of at least one term. */
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

  /** Adds each pair of neighbours, and counts the terms; returns the different ones. */
  #addPairs(terms: readonly string[]): TermEntry[] {
    const slots = this.#slots;
    const entries: TermEntry[] = [];
    let previous: TermEntry | undefined;
    for (const term of terms) {
      const entry = this.#table.get(term);
      if (entry.count++ === 0) entries.push(entry);
      if (previous !== undefined) {
        const slot = mix(Math.imul(previous.hash, 31) + entry.hash) % slots.length;
        const weight = PAIR_WEIGHT * Math.sqrt(previous.weight * entry.weight);
        slots[slot] = (slots[slot] ?? 0) + weight;
      }
      previous = entry;
    }
    return entries;
  }

  /** Adds each term and its n-grams: the second occurrence counts less than the first. */
  #addTerms(entries: readonly TermEntry[]): void {
    const slots = this.#slots;
    const pool = this.#table.pool;
    for (const entry of entries) {
      const frequency = 1 + Math.log(entry.count);
      entry.count = 0;
      const own = pool[entry.start] ?? 0;
      slots[own] = (slots[own] ?? 0) + frequency * entry.weight;
      const gramWeight = frequency * entry.gramWeight;
      for (let i = entry.start + 1; i < entry.end; i++) {
        const slot = pool[i] ?? 0;
        slots[slot] = (slots[slot] ?? 0) + gramWeight;
      }
    }
  }
}
