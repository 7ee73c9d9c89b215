import type { InvalidRecord } from '../../sources/connectors/invalid-record.js';

/** So many are named. */
const maxReasons = 5;
const maxNameChars = 200;

/** Records of an object that are not indexed, and why. */
export class LeftOutRecords {
  readonly #named: string[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** `place`: which of the records it is, from 1. */
  add({ key, problem }: InvalidRecord, place: number): void {
    const name = key === null ? `record ${place}` : JSON.stringify(key).slice(0, maxNameChars);
    this.#add(1, `${name}: ${problem}`);
  }

  /** `key`: the same as that of another record; null: nobody knows which. */
  addRepeated(key: string | null, count = 1): void {
    if (count <= 0) return;
    const isOne = count === 1;
    if (key === null)
      this.#add(count, `${count} ${isOne ? 'has' : 'have'} the key of another record`);
    else this.#add(count, `${key.slice(0, maxNameChars)}: another record has the same key`);
  }

  /** Null: there are none. */
  describe(): string | null {
    if (this.#count === 0) return null;
    const which = this.#count === 1 ? 'One of its records is' : `${this.#count} of its records are`;
    const more = this.#count > maxReasons ? '; and so on' : '';
    return `${which} not indexed: ${this.#named.join('; ')}${more}`;
  }

  #add(count: number, reason: string): void {
    this.#count += count;
    if (this.#named.length < maxReasons) this.#named.push(reason);
  }
}
