import {
  ASCII_CLASSES,
  IDEOGRAPH,
  MARK,
  SEPARATOR,
  SPACELESS,
  classOf,
  cutBetweenCharacters,
} from './characters.js';
import { MAX_PIECE, analyzeSpaceless } from './spaceless.js';
import { HASH_START, hashWith, lookUpWord } from './word-cache.js';
import type { Word } from './word.js';

/** How much of a run without separators is read; nobody types more, but encoded data has it. */
const MAX_RUN = 256;

const APOSTROPHE = 0x27;
const CURLY_APOSTROPHE = 0x2019;
const CONTRACTION = /(?:s|t|d|m|re|ve|ll)(?![\p{L}\p{M}\p{N}_])/iuy;

function codePointAt(text: string, index: number): number {
  return text.codePointAt(index) ?? 0;
}

/** Index after the run of spaceless-script letters that starts at `index`. */
function spacelessEnd(text: string, index: number): number {
  let i = index;
  while (i < text.length) {
    const code = codePointAt(text, i);
    if (code < 128) break;
    const kind = classOf(code);
    if (kind !== SPACELESS && kind !== IDEOGRAPH && kind !== MARK) break;
    i += code > 0xffff ? 2 : 1;
  }
  return i;
}

function scanSpaceless(text: string, start: number, words: Word[]): number {
  const end = spacelessEnd(text, start);
  for (let from = start; from < end;) {
    const to = cutBetweenCharacters(text, Math.min(end, from + MAX_PIECE));
    words.push(analyzeSpaceless(text.slice(from, to)));
    from = to;
  }
  return end;
}

/** Skips a contraction after an apostrophe: `it's`, `don't`, `we'll`. */
function skipContraction(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code !== APOSTROPHE && code !== CURLY_APOSTROPHE) return index;
  CONTRACTION.lastIndex = index + 1;
  return CONTRACTION.test(text) ? CONTRACTION.lastIndex : index;
}

function scanWord(text: string, start: number, words: Word[]): number {
  let ascii = true;
  let hash = HASH_START;
  let i = start;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    if (code < 128) {
      if (ASCII_CLASSES[code] === SEPARATOR) break;
      hash = hashWith(hash, code);
      i++;
      continue;
    }
    const codePoint = codePointAt(text, i);
    const kind = classOf(codePoint);
    if (kind === SEPARATOR || kind === SPACELESS || kind === IDEOGRAPH) break;
    ascii = false;
    hash = hashWith(hash, codePoint);
    i += codePoint > 0xffff ? 2 : 1;
  }
  words.push(lookUpWord(text, start, Math.min(i, start + MAX_RUN), hash, ascii));
  return skipContraction(text, i);
}

/** The words of a text in order, in linear time. */
export function scan(text: string): Word[] {
  const words: Word[] = [];
  let i = 0;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    if (code < 128) {
      i = ASCII_CLASSES[code] === SEPARATOR ? i + 1 : scanWord(text, i, words);
      continue;
    }
    const codePoint = codePointAt(text, i);
    const kind = classOf(codePoint);
    if (kind === SEPARATOR) i += codePoint > 0xffff ? 2 : 1;
    else if (kind === SPACELESS || kind === IDEOGRAPH) i = scanSpaceless(text, i, words);
    else i = scanWord(text, i, words);
  }
  return words;
}
