import { analyzeWord, type Word } from './word.js';

const GENERATION_SIZE = 1 << 15;
const LONGEST_CACHED = 64;

let young = new Map<string, Word>();
let old = new Map<string, Word>();

/** A copy that does not keep the text it was sliced from in memory. */
function detach(slice: string): string {
  const codes: number[] = [];
  for (let i = 0; i < slice.length; i++) codes.push(slice.charCodeAt(i));
  return String.fromCharCode(...codes);
}

function remember(raw: string, word: Word): void {
  if (young.size >= GENERATION_SIZE) {
    old = young;
    young = new Map();
  }
  young.set(raw, word);
}

/** `analyzeWord`, remembered for the words met lately: text repeats few words very often. */
export function lookUpWord(raw: string, ascii: boolean): Word {
  const known = young.get(raw);
  if (known !== undefined) return known;
  if (raw.length > LONGEST_CACHED) return analyzeWord(raw, ascii);
  const aged = old.get(raw);
  if (aged !== undefined) {
    remember(raw, aged);
    return aged;
  }
  const key = detach(raw);
  const word = analyzeWord(key, ascii);
  remember(key, word);
  return word;
}
