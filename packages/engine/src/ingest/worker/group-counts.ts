import { digest } from '../../sources/ids.js';

const initialSlots = 2 ** 12;
/** A number can hold 13 hexadecimal digits. */
const digits = 13;

/** Counts the rows of many groups. Identifies a group by a part of its hash, and takes about 24 bytes for each. */
export class GroupCounts {
  /** 0 marks a free slot. */
  #names = new Float64Array(initialSlots);
  /** Negative: the group was taken. */
  #counts = new Int32Array(initialSlots);
  #size = 0;
  #remaining = 0;

  /** The number of groups that were added and not taken. */
  get remaining(): number {
    return this.#remaining;
  }

  add(group: string, rows: number): void {
    if (2 * this.#size >= this.#names.length) this.#grow();
    const name = nameOf(group);
    const place = this.#placeOf(name);
    if (this.#names[place] === 0) {
      this.#names[place] = name;
      this.#size++;
      this.#remaining++;
    }
    this.#counts[place] = (this.#counts[place] ?? 0) + rows;
  }

  /** Returns the number of rows of a group, and 0 for further calls. */
  take(group: string): number {
    const place = this.#placeOf(nameOf(group));
    const count = this.#counts[place] ?? 0;
    if (count <= 0) return 0;
    this.#counts[place] = -1;
    this.#remaining--;
    return count;
  }

  isRemaining(group: string): boolean {
    return (this.#counts[this.#placeOf(nameOf(group))] ?? 0) > 0;
  }

  /** Returns the slot of a group, or the free slot for it. */
  #placeOf(name: number): number {
    const last = this.#names.length - 1;
    let place = name % this.#names.length;
    while (this.#names[place] !== 0 && this.#names[place] !== name) place = (place + 1) & last;
    return place;
  }

  #grow(): void {
    const [names, counts] = [this.#names, this.#counts];
    this.#names = new Float64Array(2 * names.length);
    this.#counts = new Int32Array(2 * names.length);
    names.forEach((name, at) => {
      if (name === 0) return;
      const place = this.#placeOf(name);
      this.#names[place] = name;
      this.#counts[place] = counts[at] ?? 0;
    });
  }
}

/** Hashes the name of a group. Group names normally are hashes already. Others are hashed first. */
function nameOf(group: string): number {
  const end = group.slice(-digits);
  const hash = /^[0-9a-f]{13}$/.test(end) ? end : digest(group).slice(-digits);
  return Number.parseInt(hash, 16) + 1;
}
