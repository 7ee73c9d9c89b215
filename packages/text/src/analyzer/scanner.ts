import {
  ASCII_CLASSES,
  IDEOGRAPH,
  MARK,
  SEPARATOR,
  SPACELESS,
  SYMBOL,
  classOf,
  cutBetweenCharacters,
} from './characters.js';
import { MAX_PIECE, analyzeSpaceless } from './spaceless.js';
import { operatorAt, signedWord, symbol } from './symbols.js';
import { HASH_START, hashWith, lookUpWord } from './word-cache.js';
import type { Word } from './word.js';

/** How much of a run without separators is read; nobody types more, but encoded data has it. */
const MAX_RUN = 256;

const SPACE = 0x20;
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

/** How often signs stand in a text says nothing, and would make code longer than prose. */
function addSigned(word: Word | null, known: Set<string>, words: Word[]): void {
  if (word === null || known.has(word.folded)) return;
  known.add(word.folded);
  words.push(word);
}

function endsWord(kind: number): boolean {
  return kind === SEPARATOR || kind === SYMBOL || kind === SPACELESS || kind === IDEOGRAPH;
}

function scanWord(text: string, start: number, signs: Set<string>, words: Word[]): number {
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
    if (endsWord(kind)) break;
    ascii = false;
    hash = hashWith(hash, codePoint);
    i += codePoint > 0xffff ? 2 : 1;
  }
  words.push(lookUpWord(text, start, Math.min(i, start + MAX_RUN), hash, ascii));
  addSigned(signedWord(text, start, i), signs, words);
  return skipContraction(text, i);
}

/** Index after a separator, or after the operator that begins there. */
function scanSigns(text: string, start: number, signs: Set<string>, words: Word[]): number {
  if (text.charCodeAt(start) <= SPACE) return start + 1;
  const operator = operatorAt(text, start);
  if (operator === null) return start + 1;
  addSigned(operator, signs, words);
  return start + operator.raw.length;
}

/** The words of a text in order, in linear time. */
export function scan(text: string): Word[] {
  const words: Word[] = [];
  const signs = new Set<string>();
  let i = 0;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    if (code < 128) {
      i =
        ASCII_CLASSES[code] === SEPARATOR
          ? scanSigns(text, i, signs, words)
          : scanWord(text, i, signs, words);
      continue;
    }
    const codePoint = codePointAt(text, i);
    const kind = classOf(codePoint);
    const length = codePoint > 0xffff ? 2 : 1;
    if (kind === SYMBOL) addSigned(symbol(text.slice(i, i + length)), signs, words);
    if (kind === SEPARATOR || kind === SYMBOL) i += length;
    else if (kind === SPACELESS || kind === IDEOGRAPH) i = scanSpaceless(text, i, words);
    else i = scanWord(text, i, signs, words);
  }
  return words;
}
