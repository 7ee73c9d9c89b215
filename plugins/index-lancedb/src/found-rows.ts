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
  const places = new Map<number, number>();
  const add = (id: number, score: number): void => {
    ids[places.size] = id;
    scores[places.size] = score;
    places.set(id, places.size);
  };
  for (let at = 0; at < found.ids.length; at++) {
    const id = found.ids[at] ?? 0;
    if (!places.has(id)) add(id, found.scores[at] ?? 0);
  }
  for (let at = 0; at < others.ids.length; at++) {
    const id = others.ids[at] ?? 0;
    const score = weight * (others.scores[at] ?? 0);
    const place = places.get(id);
    if (place !== undefined) scores[place] = (scores[place] ?? 0) + score;
    else if (isOpen) add(id, score);
  }
  return { ids: ids.subarray(0, places.size), scores: scores.subarray(0, places.size) };
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
