import type { InvalidRecord } from '../../sources/connectors/invalid-record.js';

/** More reasons are not listed. */
const maxReasons = 5;
const maxNameChars = 200;

/** The records left out so far. */
export interface LeftOutSummary {
  readonly count: number;
  readonly reasons: readonly string[];
}

/** Collects the records of an object that are not indexed, with reasons. */
export class LeftOutRecords {
  readonly #reasons: string[];
  #count: number;

  constructor({ count, reasons }: LeftOutSummary = { count: 0, reasons: [] }) {
    this.#reasons = [...reasons];
    this.#count = count;
  }

  get summary(): { count: number; reasons: string[] } {
    return { count: this.#count, reasons: [...this.#reasons] };
  }

  /** `place`: the position of the record in the object, from 1. */
  add({ key, error }: InvalidRecord, place: number): void {
    const name = key === null ? `record ${place}` : JSON.stringify(key).slice(0, maxNameChars);
    this.#add(1, `${name}: ${error.detail}`);
  }

  /** Adds a record whose key another record has, too. `key`: null if it is unknown. */
  addRepeated(key: string | null, count = 1): void {
    if (count <= 0) return;
    const isOne = count === 1;
    if (key === null)
      this.#add(count, `${count} ${isOne ? 'has' : 'have'} the key of another record`);
    else this.#add(count, `${key.slice(0, maxNameChars)}: another record has the same key`);
  }

  /** Describes all reasons in one sentence. Null if no record was left out. */
  describe(): string | null {
    if (this.#count === 0) return null;
    const which = this.#count === 1 ? 'One of its records is' : `${this.#count} of its records are`;
    const more = this.#count > maxReasons ? '; and so on' : '';
    return `${which} not indexed: ${this.#reasons.join('; ')}${more}`;
  }

  #add(count: number, reason: string): void {
    this.#count += count;
    if (this.#reasons.length < maxReasons) this.#reasons.push(reason);
  }
}
