import { Numbers } from './numbers.js';

const FIRST_SLICE = 2;
const LONGEST_SLICE = 1 << 12;
/** Words of a list's head. */
const HEAD = 4;
const FIRST = 0;
const SLICE_END = 1;
const NEXT_FREE = 2;
const COUNT = 3;

/**
 * Many growing lists of 32-bit numbers in one array. A list is a chain of slices, each twice as long as the one before. The last
 * word of a slice is the position of the next.
 */
export class Postings {
  readonly #words = new Numbers();
  readonly #heads = new Numbers();
  #buffer = new Uint32Array(64);

  constructor() {
    // Position 0 stands for a list without slices.
    this.#words.push(0);
  }

  get bytes(): number {
    return this.#words.bytes + this.#heads.bytes;
  }

  push(list: number, value: number): void {
    const head = list * HEAD;
    if (this.#heads.at(head + NEXT_FREE) === this.#heads.at(head + SLICE_END)) this.#grow(head);
    const at = this.#heads.at(head + NEXT_FREE);
    this.#words.set(at, value);
    this.#heads.set(head + NEXT_FREE, at + 1);
    this.#heads.add(head + COUNT, 1);
  }

  /** The values in the order they came. Valid until the next call. */
  read(list: number): Uint32Array {
    const head = list * HEAD;
    const count = this.#heads.at(head + COUNT);
    if (count > this.#buffer.length) this.#buffer = new Uint32Array(2 * count);
    const words = this.#words.values;
    let slice = this.#heads.at(head + FIRST);
    let length = FIRST_SLICE;
    let copied = 0;
    while (copied < count) {
      const values = Math.min(length - 1, count - copied);
      this.#buffer.set(words.subarray(slice, slice + values), copied);
      copied += values;
      slice = words[slice + length - 1] ?? 0;
      length = nextLength(length);
    }
    return this.#buffer.subarray(0, count);
  }

  #grow(head: number): void {
    const count = this.#heads.at(head + COUNT);
    const length = count === 0 ? FIRST_SLICE : lengthAfter(count);
    const start = this.#words.extend(length);
    if (count === 0) this.#heads.set(head + FIRST, start);
    else this.#words.set(this.#heads.at(head + SLICE_END), start);
    this.#heads.set(head + NEXT_FREE, start);
    this.#heads.set(head + SLICE_END, start + length - 1);
  }
}

function nextLength(length: number): number {
  return Math.min(LONGEST_SLICE, 2 * length);
}

/** Length of the slice that follows those filled by `count` values. */
function lengthAfter(count: number): number {
  let length = FIRST_SLICE;
  for (let held = length - 1; held < count; held += length - 1) length = nextLength(length);
  return nextLength(length);
}
