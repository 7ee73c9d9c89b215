import { analyzeWord, type AnalyzedWord } from './word.js';

/** A power of two. Most of a text consists of few different words. */
const slotCount = 1 << 16;
const maxCachedLength = 64;

/** Each word has two slots, shared with words of similar hashes. The most recent word comes first. */
const cachedWords: (AnalyzedWord | undefined)[] = Array.from({ length: slotCount });
/** Hashes of the cached words. Only a word with an equal hash is compared. */
const hashes = new Int32Array(slotCount);

export const hashStart = 0x811c9dc5;

/** Extends the hash of a word by one character (FNV-1a). */
export function hashWith(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/** Copies a slice, so the sliced text can be freed. */
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
 * Analyses a word whose hash is known, with a cache of recent words. Finds a cached word without slicing the text,
 * because creating strings dominates the time.
 */
export function lookUpWord(
  text: string,
  start: number,
  end: number,
  hash: number,
  ascii: boolean,
): AnalyzedWord {
  const length = end - start;
  if (length > maxCachedLength) return analyzeWord(text.slice(start, end), ascii);
  const place = (hash ^ (hash >>> 16)) & (slotCount - 1);
  const first = hashes[place] === hash ? cachedWords[place] : undefined;
  if (first !== undefined && isAt(text, start, length, first.raw)) return first;
  const second = hashes[place ^ 1] === hash ? cachedWords[place ^ 1] : undefined;
  if (second !== undefined && isAt(text, start, length, second.raw)) return second;
  const raw = detach(text.slice(start, end));
  const word = analyzeWord(raw, ascii);
  cachedWords[place ^ 1] = cachedWords[place];
  hashes[place ^ 1] = hashes[place] ?? 0;
  cachedWords[place] = word;
  hashes[place] = hash;
  return word;
}
