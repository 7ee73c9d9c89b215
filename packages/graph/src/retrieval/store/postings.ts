import { NumberArray } from './numbers.js';

const firstSliceLength = 2;
const maxSliceLength = 1 << 12;
/** Words of a list's head. */
const headLength = 4;
const firstIndex = 0;
const sliceEndIndex = 1;
const nextFreeIndex = 2;
const countIndex = 3;

/**
 * Many growing lists of 32-bit numbers in one array. A list is a chain of slices, each twice as long as the previous.
 * The last word of a slice is the position of the next.
 */
export class Postings {
  readonly #words = new NumberArray();
  readonly #heads = new NumberArray();
  #buffer = new Uint32Array(64);

  constructor() {
    // Position 0 marks a list without slices.
    this.#words.push(0);
  }

  get bytes(): number {
    return this.#words.bytes + this.#heads.bytes;
  }

  push(list: number, value: number): void {
    const head = list * headLength;
    if (this.#heads.at(head + nextFreeIndex) === this.#heads.at(head + sliceEndIndex))
      this.#grow(head);
    const at = this.#heads.at(head + nextFreeIndex);
    this.#words.set(at, value);
    this.#heads.set(head + nextFreeIndex, at + 1);
    this.#heads.add(head + countIndex, 1);
  }

  /** Returns the values in order. The result is valid until the next call. */
  read(list: number): Uint32Array {
    const head = list * headLength;
    const count = this.#heads.at(head + countIndex);
    if (count > this.#buffer.length) this.#buffer = new Uint32Array(2 * count);
    const words = this.#words.values;
    let slice = this.#heads.at(head + firstIndex);
    let length = firstSliceLength;
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
    const count = this.#heads.at(head + countIndex);
    const length = count === 0 ? firstSliceLength : lengthAfter(count);
    const start = this.#words.extend(length);
    if (count === 0) this.#heads.set(head + firstIndex, start);
    else this.#words.set(this.#heads.at(head + sliceEndIndex), start);
    this.#heads.set(head + nextFreeIndex, start);
    this.#heads.set(head + sliceEndIndex, start + length - 1);
  }
}

function nextLength(length: number): number {
  return Math.min(maxSliceLength, 2 * length);
}

/** Returns the length of the slice that follows those filled by `count` values. */
function lengthAfter(count: number): number {
  let length = firstSliceLength;
  for (let held = length - 1; held < count; held += length - 1) length = nextLength(length);
  return nextLength(length);
}
