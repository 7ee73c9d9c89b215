import { digest } from '../../sources/ids.js';

const initialSlots = 2 ** 12;
/** 13 hexadecimal digits are as many as a number holds. */
const digits = 13;

/** How many rows each of many groups has: a group is known by a part of its hash, and takes about 24 bytes. */
export class GroupCounts {
  /** What is 0 is free. */
  #names = new Float64Array(initialSlots);
  /** Below 0: taken. */
  #counts = new Int32Array(initialSlots);
  #size = 0;
  #left = 0;

  /** Groups that were added, and have not been taken. */
  get remaining(): number {
    return this.#left;
  }

  add(group: string, rows: number): void {
    if (2 * this.#size >= this.#names.length) this.#grow();
    const name = nameOf(group);
    const place = this.#placeOf(name);
    if (this.#names[place] === 0) {
      this.#names[place] = name;
      this.#size++;
      this.#left++;
    }
    this.#counts[place] = (this.#counts[place] ?? 0) + rows;
  }

  /** How many rows a group has; 0 the next time. */
  take(group: string): number {
    const place = this.#placeOf(nameOf(group));
    const count = this.#counts[place] ?? 0;
    if (count <= 0) return 0;
    this.#counts[place] = -1;
    this.#left--;
    return count;
  }

  isRemaining(group: string): boolean {
    return (this.#counts[this.#placeOf(nameOf(group))] ?? 0) > 0;
  }

  /** Where a group is, or would be. */
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

/** Groups are called by hashes; what is called otherwise is none of ours, and is told from them all the same. */
function nameOf(group: string): number {
  const end = group.slice(-digits);
  const hash = /^[0-9a-f]{13}$/.test(end) ? end : digest(group).slice(-digits);
  return Number.parseInt(hash, 16) + 1;
}
