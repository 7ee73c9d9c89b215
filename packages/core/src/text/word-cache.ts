import { analyzeWord, type Word } from './word.js';

/** A power of two. Text repeats few words very often. */
const PLACES = 1 << 16;
const LONGEST_CACHED = 64;

/** Each word has two places, which it shares with those of like hashes: the one met last comes first. */
const known: (Word | undefined)[] = Array.from({ length: PLACES });
/** The hashes of the known words, so that only the right one is looked at. */
const hashes = new Int32Array(PLACES);

export const HASH_START = 0x811c9dc5;

/** The hash of a word with one more character (FNV-1a). */
export function hashWith(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/** A copy that does not keep the text it was sliced from in memory. */
function detach(slice: string): string {
  const codes: number[] = [];
  for (let i = 0; i < slice.length; i++) codes.push(slice.charCodeAt(i));
  return String.fromCharCode(...codes);
}

function isAt(text: string, start: number, length: number, raw: string): boolean {
  if (raw.length !== length) return false;
  for (let i = 0; i < length; i++) {
    if (raw.charCodeAt(i) !== text.charCodeAt(start + i)) return false;
  }
  return true;
}

/**
 * `analyzeWord` for a piece of a text whose hash is known, remembered for the words met lately. A known word is found
 * without a string of its own: making those takes longer than all else.
 */
export function lookUpWord(
  text: string,
  start: number,
  end: number,
  hash: number,
  ascii: boolean,
): Word {
  const length = end - start;
  if (length > LONGEST_CACHED) return analyzeWord(text.slice(start, end), ascii);
  const place = (hash ^ (hash >>> 16)) & (PLACES - 1);
  const first = hashes[place] === hash ? known[place] : undefined;
  if (first !== undefined && isAt(text, start, length, first.raw)) return first;
  const second = hashes[place ^ 1] === hash ? known[place ^ 1] : undefined;
  if (second !== undefined && isAt(text, start, length, second.raw)) return second;
  const raw = detach(text.slice(start, end));
  const word = analyzeWord(raw, ascii);
  known[place ^ 1] = known[place];
  hashes[place ^ 1] = hashes[place] ?? 0;
  known[place] = word;
  hashes[place] = hash;
  return word;
}
