import type { Candidate } from '@trove/core/index';
import { rowsIn, type ColumnBatch } from './column-batches.js';
import { keyOf } from './row-keys.js';

/**
 * Ids and scores of found rows. A search finds hundreds of rows, and an object or key for each would burden garbage
 * collection.
 */
export interface ScoredRows {
  readonly ids: Float64Array;
  readonly scores: Float64Array;
}

export const noScoredRows: ScoredRows = { ids: new Float64Array(), scores: new Float64Array() };

/** Reads the result of a query in order. */
export function readScoredRows(batches: readonly ColumnBatch[], scoreColumn: string): ScoredRows {
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

/** Converts row ids to numbers. They count rows, so a number is large enough and cheaper than a `bigint`. */
function numbersOf(ids: BigUint64Array): Float64Array {
  const halves = new Uint32Array(ids.buffer, ids.byteOffset, 2 * ids.length);
  const numbers = new Float64Array(ids.length);
  for (let at = 0; at < ids.length; at++)
    numbers[at] = (halves[2 * at] ?? 0) + (halves[2 * at + 1] ?? 0) * 2 ** 32;
  return numbers;
}

/** Concatenates lists in order and keeps duplicates. */
export function concatenate(lists: readonly ScoredRows[]): ScoredRows {
  const [first = noScoredRows] = lists;
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
 * Removes duplicates and adds the weighted scores of `others`. `isOpen`: also appends rows that are only in `others`.
 */
export function mergeRows(
  found: ScoredRows,
  others: ScoredRows,
  { weight, isOpen }: { readonly weight: number; readonly isOpen: boolean },
): ScoredRows {
  const maxRows = found.ids.length + (isOpen ? others.ids.length : 0);
  const ids = new Float64Array(maxRows);
  const scores = new Float64Array(maxRows);
  const places = new SlotMap(ids);
  let size = 0;
  for (let at = 0; at < found.ids.length; at++) {
    if (places.put(found.ids[at] ?? 0, size) === size) scores[size++] = found.scores[at] ?? 0;
  }
  for (let at = 0; at < others.ids.length; at++) {
    const id = others.ids[at] ?? 0;
    const place = isOpen ? places.put(id, size) : places.of(id);
    if (place === null) continue;
    scores[place] = (scores[place] ?? 0) + weight * (others.scores[at] ?? 0);
    if (place === size) size++;
  }
  return { ids: ids.subarray(0, size), scores: scores.subarray(0, size) };
}

/** Returns the best `count` rows and all rows with the score of the last one. Equal scores keep their order. */
export function takeBest({ ids, scores }: ScoredRows, count: number): Candidate[] {
  // Sorting numbers first takes a fraction of the time of sorting all candidates.
  const last = scores.toSorted()[Math.max(0, scores.length - count)] ?? Infinity;
  const top: Candidate[] = [];
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at] ?? 0;
    if (score >= last) top.push({ key: keyOf(ids[at]), score });
  }
  return top.sort((a, b) => b.score - a.score);
}

/** A hash table from row ids to positions in a list. A `Map` would take several times the memory of the list. */
class SlotMap {
  readonly #ids: Float64Array;
  /** The position of each id plus one, at its slot or the first free one after it. 0 marks a free slot. */
  readonly #slots: Int32Array;

  /** `ids` must have room for all ids that will be added. */
  constructor(ids: Float64Array) {
    this.#ids = ids;
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * ids.length + 1)));
  }

  of(id: number): number | null {
    const place = this.#slots[this.#slotOf(id)] ?? 0;
    return place === 0 ? null : place - 1;
  }

  /** Returns the position of an id. Adds a new id at `place`. */
  put(id: number, place: number): number {
    const slot = this.#slotOf(id);
    const known = this.#slots[slot] ?? 0;
    if (known !== 0) return known - 1;
    this.#ids[place] = id;
    this.#slots[slot] = place + 1;
    return place;
  }

  #slotOf(id: number): number {
    const last = this.#slots.length - 1;
    // Row ids count rows, so their last bits are evenly distributed.
    let slot = id & last;
    for (;;) {
      const place = this.#slots[slot] ?? 0;
      if (place === 0 || this.#ids[place - 1] === id) return slot;
      slot = (slot + 1) & last;
    }
  }
}
