import {
  asciiClasses,
  ideographClass,
  markClass,
  separatorClass,
  spacelessClass,
  symbolClass,
  classOf,
  cutBetweenCharacters,
} from './characters.js';
import { maxPiece, analyzeSpaceless } from './spaceless.js';
import { operatorAt, signedWord, symbolWord } from './symbols.js';
import { hashStart, hashWith, lookUpWord } from './word-cache.js';
import type { AnalyzedWord } from './word.js';

/** Maximum length of a run without separators. Longer runs are encoded data. */
const maxRun = 256;

const space = 0x20;
const apostrophe = 0x27;
const curlyApostrophe = 0x2019;
const contraction = /(?:s|t|d|m|re|ve|ll)(?![\p{L}\p{M}\p{N}_])/iuy;

function codePointAt(text: string, index: number): number {
  return text.codePointAt(index) ?? 0;
}

/** Returns the index after the run of spaceless letters that starts at `index`. */
function spacelessEnd(text: string, index: number): number {
  let i = index;
  while (i < text.length) {
    const code = codePointAt(text, i);
    if (code < 128) break;
    const kind = classOf(code);
    if (kind !== spacelessClass && kind !== ideographClass && kind !== markClass) break;
    i += code > 0xffff ? 2 : 1;
  }
  return i;
}

function scanSpaceless(text: string, start: number, words: AnalyzedWord[]): number {
  const end = spacelessEnd(text, start);
  for (let from = start; from < end;) {
    const to = cutBetweenCharacters(text, Math.min(end, from + maxPiece));
    words.push(analyzeSpaceless(text.slice(from, to)));
    from = to;
  }
  return end;
}

/** Skips a contraction after an apostrophe: `it's`, `don't`, `we'll`. */
function skipContraction(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code !== apostrophe && code !== curlyApostrophe) return index;
  contraction.lastIndex = index + 1;
  return contraction.test(text) ? contraction.lastIndex : index;
}

/** Adds each word of signs once, because its frequency means nothing and would make code longer than prose. */
function addOnce(word: AnalyzedWord | null, known: Set<string>, words: AnalyzedWord[]): void {
  if (word === null || known.has(word.folded)) return;
  known.add(word.folded);
  words.push(word);
}

function endsWord(kind: number): boolean {
  return (
    kind === separatorClass ||
    kind === symbolClass ||
    kind === spacelessClass ||
    kind === ideographClass
  );
}

function scanWord(text: string, start: number, signs: Set<string>, words: AnalyzedWord[]): number {
  let ascii = true;
  let hash = hashStart;
  let i = start;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    if (code < 128) {
      if (asciiClasses[code] === separatorClass) break;
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
  words.push(lookUpWord(text, start, Math.min(i, start + maxRun), hash, ascii));
  addOnce(signedWord(text, start, i), signs, words);
  return skipContraction(text, i);
}

/** Returns the index after a separator or after the operator that begins there. */
function scanSigns(text: string, start: number, signs: Set<string>, words: AnalyzedWord[]): number {
  if (text.charCodeAt(start) <= space) return start + 1;
  const operator = operatorAt(text, start);
  if (operator === null) return start + 1;
  addOnce(operator, signs, words);
  return start + operator.raw.length;
}

/** Returns the words of a text in order, in linear time. */
export function scan(text: string): AnalyzedWord[] {
  const words: AnalyzedWord[] = [];
  const signs = new Set<string>();
  let i = 0;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    if (code < 128) {
      i =
        asciiClasses[code] === separatorClass
          ? scanSigns(text, i, signs, words)
          : scanWord(text, i, signs, words);
      continue;
    }
    const codePoint = codePointAt(text, i);
    const kind = classOf(codePoint);
    const length = codePoint > 0xffff ? 2 : 1;
    if (kind === symbolClass) addOnce(symbolWord(text.slice(i, i + length)), signs, words);
    if (kind === separatorClass || kind === symbolClass) i += length;
    else if (kind === spacelessClass || kind === ideographClass) i = scanSpaceless(text, i, words);
    else i = scanWord(text, i, signs, words);
  }
  return words;
}
