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
  const own = found.ids.length;
  const ids = new Float64Array(own + others.ids.length);
  ids.set(found.ids);
  ids.set(others.ids, own);
  const scores = new Float64Array(ids.length);
  scores.set(found.scores);
  scores.set(
    others.scores.map((score) => weight * score),
    own,
  );
  const kept = new Uint8Array(ids.length);
  let first = -1;
  for (const at of indices(ids.length).sort((a, b) => order(ids[a], ids[b]) || a - b)) {
    if (first < 0 || ids[at] !== ids[first]) {
      first = at;
      kept[at] = at < own || isOpen ? 1 : 0;
    } else if (at >= own) scores[first] = (scores[first] ?? 0) + (scores[at] ?? 0);
  }
  const isKept = (_: number, at: number): boolean => kept[at] === 1;
  return { ids: ids.filter(isKept), scores: scores.filter(isKept) };
}

/** The best, those found first before others of the same score, and all that score the same as the last of them. */
export function best({ ids, scores }: FoundRows, wanted: number): Candidate[] {
  const ranked = indices(ids.length).sort((a, b) => order(scores[b], scores[a]) || a - b);
  const last = scores[ranked[wanted - 1] ?? NaN];
  const top: Candidate[] = [];
  for (const at of ranked) {
    const score = scores[at] ?? 0;
    if (top.length >= wanted && score !== last) break;
    top.push({ key: keyOf(ids[at]), score });
  }
  return top;
}

function indices(length: number): Uint32Array {
  const all = new Uint32Array(length);
  for (let at = 0; at < length; at++) all[at] = at;
  return all;
}

/** A difference would be a number with a place of its own in memory. */
function order(a = 0, b = 0): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
