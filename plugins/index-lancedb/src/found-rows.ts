import type { Candidate } from '@trove/core';
import { rowsIn, type Batch } from './answer.js';
import { keyOf } from './row-keys.js';

/**
 * Rows that a query has found, by their ids, and their scores. A search finds hundreds: an object for each of them, or a key
 * for those that no answer has, is what memory has to be collected for.
 */
export interface FoundRows {
  readonly ids: Float64Array;
  readonly scores: Float64Array;
}

export const noRows: FoundRows = { ids: new Float64Array(), scores: new Float64Array() };

/** What a query returned, in its order. */
export function readFound(batches: readonly Batch[], scoreColumn: string): FoundRows {
  const length = rowsIn(batches);
  const found = { ids: new Float64Array(length), scores: new Float64Array(length) };
  let at = 0;
  for (const { rows, columns } of batches) {
    const ids = columns.get('_rowid');
    const scores = columns.get(scoreColumn);
    if (!(ids instanceof BigUint64Array) || !(scores instanceof Float32Array))
      throw new TypeError(`The index returned no row ids, or no ${scoreColumn}`);
    found.ids.set(numbersOf(ids), at);
    found.scores.set(scores, at);
    at += rows;
  }
  return found;
}

/** Row ids count rows: a number has room for them, and takes less than a `bigint`. */
function numbersOf(ids: BigUint64Array): Float64Array {
  const halves = new Uint32Array(ids.buffer, ids.byteOffset, 2 * ids.length);
  const numbers = new Float64Array(ids.length);
  for (let at = 0; at < ids.length; at++)
    numbers[at] = (halves[2 * at] ?? 0) + (halves[2 * at + 1] ?? 0) * 2 ** 32;
  return numbers;
}

/** The rows of several lists, those of the first one first; what several have is there as often. */
export function joined(lists: readonly FoundRows[]): FoundRows {
  const [first = noRows] = lists;
  if (lists.length < 2) return first;
  const length = lists.reduce((sum, { ids }) => sum + ids.length, 0);
  const all = { ids: new Float64Array(length), scores: new Float64Array(length) };
  let at = 0;
  for (const { ids, scores } of lists) {
    all.ids.set(ids, at);
    all.scores.set(scores, at);
    at += ids.length;
  }
  return all;
}

/**
 * The found rows once each, with what others found of them added to their scores; `isOpen`: also, after them, those that only
 * the others found.
 */
export function withOthers(
  found: FoundRows,
  others: FoundRows,
  { weight, isOpen }: { readonly weight: number; readonly isOpen: boolean },
): FoundRows {
  const most = found.ids.length + (isOpen ? others.ids.length : 0);
  const ids = new Float64Array(most);
  const scores = new Float64Array(most);
  const places = new Places(ids);
  let size = 0;
  for (let at = 0; at < found.ids.length; at++) {
    if (places.taken(found.ids[at] ?? 0, size) === size) scores[size++] = found.scores[at] ?? 0;
  }
  for (let at = 0; at < others.ids.length; at++) {
    const id = others.ids[at] ?? 0;
    const place = isOpen ? places.taken(id, size) : places.of(id);
    if (place === null) continue;
    scores[place] = (scores[place] ?? 0) + weight * (others.scores[at] ?? 0);
    if (place === size) size++;
  }
  return { ids: ids.subarray(0, size), scores: scores.subarray(0, size) };
}

/** The best, those found first before others of the same score, and all that score the same as the last of them. */
export function best({ ids, scores }: FoundRows, wanted: number): Candidate[] {
  // Numbers alone are sorted in a fraction of the time.
  const last = scores.toSorted()[Math.max(0, scores.length - wanted)] ?? Infinity;
  const top: Candidate[] = [];
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at] ?? 0;
    if (score >= last) top.push({ key: keyOf(ids[at]), score });
  }
  return top.sort((a, b) => b.score - a.score);
}

/** Tells where in a list of row ids each one is. A map of them takes several times the memory of what was found. */
class Places {
  readonly #ids: Float64Array;
  /** Of each id at its slot, or at the first free one after it, its place, counted from one. */
  readonly #slots: Int32Array;

  /** `ids` has room for all that come. */
  constructor(ids: Float64Array) {
    this.#ids = ids;
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * ids.length + 1)));
  }

  of(id: number): number | null {
    const place = this.#slots[this.#slotOf(id)] ?? 0;
    return place === 0 ? null : place - 1;
  }

  /** The place of an id: this one, unless it has another. */
  taken(id: number, place: number): number {
    const slot = this.#slotOf(id);
    const known = this.#slots[slot] ?? 0;
    if (known !== 0) return known - 1;
    this.#ids[place] = id;
    this.#slots[slot] = place + 1;
    return place;
  }

  #slotOf(id: number): number {
    const last = this.#slots.length - 1;
    // Row ids count rows: their last bits are spread well.
    let slot = id & last;
    for (;;) {
      const place = this.#slots[slot] ?? 0;
      if (place === 0 || this.#ids[place - 1] === id) return slot;
      slot = (slot + 1) & last;
    }
  }
}
