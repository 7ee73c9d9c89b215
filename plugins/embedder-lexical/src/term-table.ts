import { hashTerm } from './term-hashes.js';

/** Above this many places in the pool, the table starts afresh before the next text. */
const POOL_LIMIT = 1 << 19;
const INITIAL_POOL = 1 << 16;
/** From this length on a term counts fully; shorter ones are likelier to be common. */
const FULL_LENGTH = 12;
/** Length of the vector of a term's n-grams beside that of the term itself. */
const GRAMS_WEIGHT = 1.4;

/** What a term adds to a vector: its own hash's slot is the first of its slots, its n-grams' follow. */
export interface TermEntry {
  readonly hash: number;
  /** Where its slots are in the pool. */
  readonly start: number;
  readonly end: number;
  /** Weight of the whole term. */
  readonly weight: number;
  /** Weight of each n-gram. */
  readonly gramWeight: number;
  /** Occurrences in the text at hand. */
  count: number;
}

/** The terms met lately, their slots packed into one pool. */
export class TermTable {
  readonly #slots: number;
  #entries = new Map<string, TermEntry>();
  #pool = new Uint16Array(INITIAL_POOL);
  #used = 0;

  constructor(slots: number) {
    this.#slots = slots;
  }

  get pool(): Uint16Array {
    return this.#pool;
  }

  /** To be called between texts: entries handed out before are void. */
  trim(): void {
    if (this.#used < POOL_LIMIT) return;
    this.#entries = new Map();
    this.#pool = new Uint16Array(INITIAL_POOL);
    this.#used = 0;
  }

  get(term: string): TermEntry {
    const known = this.#entries.get(term);
    if (known !== undefined) return known;
    const hashes = hashTerm(term);
    const start = this.#used;
    this.#put(hashes.term);
    for (const gram of hashes.grams) this.#put(gram);
    const weight = Math.sqrt(Math.min(term.length, FULL_LENGTH) / FULL_LENGTH);
    const gramWeight = (GRAMS_WEIGHT * weight) / Math.sqrt(hashes.grams.length || 1);
    const entry = { hash: hashes.term, start, end: this.#used, weight, gramWeight, count: 0 };
    this.#entries.set(term, entry);
    return entry;
  }

  #put(hash: number): void {
    if (this.#used === this.#pool.length) {
      const larger = new Uint16Array(this.#pool.length * 2);
      larger.set(this.#pool);
      this.#pool = larger;
    }
    this.#pool[this.#used++] = hash % this.#slots;
  }
}
