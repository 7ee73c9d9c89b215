import { hashGrams } from './gram-hashes.js';
import { TermNumbers } from './term-numbers.js';

/** A larger pool is reset before the next text. */
const maxPoolSize = 1 << 19;
const initialPoolSize = 1 << 16;
const initialTerms = 1 << 12;

/** The fields of a term, in this order. */
const startField = 0;
const endField = 1;
const lengthField = 2;
const countField = 3;
const learnedField = 4;
const fieldsPerTerm = 5;

/** A table of recent terms by number. Most time is spent on memory access, so the fields of a term are adjacent. */
export class TermTable {
  readonly #slots: number;
  readonly #learnedAs: (hash: number) => number;
  readonly #numbers = new TermNumbers();
  #fields = new Int32Array(initialTerms * fieldsPerTerm);
  #pool = new Uint16Array(initialPoolSize);
  #used = 0;

  /**
   * Hashes terms into `slots` slots, at most 65,536. `learnedAs` returns the number that is stored for a term's hash.
   */
  constructor(slots: number, learnedAs: (hash: number) => number) {
    this.#slots = slots;
    this.#learnedAs = learnedAs;
  }

  /** For each term, its own slot, then the slots of its n-grams. */
  get pool(): Uint16Array {
    return this.#pool;
  }

  /** Resets a large table between texts, which invalidates earlier numbers. */
  trim(): void {
    if (this.#used < maxPoolSize) return;
    this.#numbers.clear();
    this.#used = 0;
  }

  /** Returns the number of a term with this hash. */
  numberOf(term: string, hash: number): number {
    const known = this.#numbers.size;
    const number = this.#numbers.numberOf(term, hash);
    if (number === known) this.#add(number, term, hash);
    return number;
  }

  /** Returns where a term's slots start in the pool. */
  start(number: number): number {
    return this.#fields[number * fieldsPerTerm + startField] ?? 0;
  }

  /** Returns where a term's slots end in the pool. */
  end(number: number): number {
    return this.#fields[number * fieldsPerTerm + endField] ?? 0;
  }

  /** In UTF-16 code units. */
  length(number: number): number {
    return this.#fields[number * fieldsPerTerm + lengthField] ?? 0;
  }

  /** Returns the number that `learnedAs` gave the term. */
  learned(number: number): number {
    return this.#fields[number * fieldsPerTerm + learnedField] ?? 0;
  }

  /** Counts an occurrence in the current text. Returns the number of earlier ones. */
  count(number: number): number {
    const at = number * fieldsPerTerm + countField;
    const before = this.#fields[at] ?? 0;
    this.#fields[at] = before + 1;
    return before;
  }

  /** Returns the number of occurrences and resets it. */
  takeCount(number: number): number {
    const at = number * fieldsPerTerm + countField;
    const count = this.#fields[at] ?? 0;
    this.#fields[at] = 0;
    return count;
  }

  #add(number: number, term: string, hash: number): void {
    const start = this.#used;
    this.#put(hash);
    for (const gram of hashGrams(term)) this.#put(gram);
    const at = number * fieldsPerTerm;
    if (at === this.#fields.length) {
      const larger = new Int32Array(2 * at);
      larger.set(this.#fields);
      this.#fields = larger;
    }
    this.#fields[at + startField] = start;
    this.#fields[at + endField] = this.#used;
    this.#fields[at + lengthField] = term.length;
    this.#fields[at + countField] = 0;
    this.#fields[at + learnedField] = this.#learnedAs(hash);
  }

  #put(hash: number): void {
    if (this.#used === this.#pool.length) {
      const larger = new Uint16Array(2 * this.#pool.length);
      larger.set(this.#pool);
      this.#pool = larger;
    }
    this.#pool[this.#used++] = hash % this.#slots;
  }
}
