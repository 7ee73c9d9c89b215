import { splitIdentifier } from './identifier.js';
import { scan } from './scanner.js';
import { stopWords } from './stop-words.js';
import { analyzeWord, type AnalyzedWord } from './word.js';

/** Shorter words have too many similar words. */
const minLetters = 4;
const maxLetters = 24;
/** Forms of a word share at least this many first letters. */
const minCommonPrefix = 3;
const wordCharacter = /[\p{L}\p{M}\p{N}_]/u;
const letterRun = /\p{L}+(?![\p{M}\p{N}_])/uy;

/** Endings that no word has. They remain when the stemmer removes other endings. */
const stemOnlyEnding = /(?:ou|iti)$/;

/** The letters of each alphabet after folding. Suggestions stay in the alphabet of the word. */
const alphabets: readonly ReadonlySet<string>[] = [
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдежзиклмнопрстуфхцчшщъыьэюяєіґ',
  'αβγδεζηθικλμνξοπρστυφχψω',
].map((letters) => new Set(letters));

/** A word of a text that spelling correction may change. */
export interface CorrectableWord {
  /** The word as written. */
  readonly word: string;
  /** Its offset, in UTF-16 code units. */
  readonly start: number;
  /** Its term in the index. */
  readonly term: string;
  /** Its term if it is a whole identifier: `nonetype` for `NoneType`. */
  readonly wholeTerm: string;
  /** The identifier that contains the word, as written. Null for a separate word. */
  readonly enclosingName: string | null;
}

/** Other spellings of a word with the same term, most likely edit first. */
export interface SpellingSuggestion {
  readonly words: readonly [string, ...string[]];
  /** Their term. Null for a stop word. */
  readonly term: string | null;
}

/** Returns the words of 4 to 24 letters of one alphabet, including those inside identifiers. Omits stop words. */
export function correctableWords(text: string): CorrectableWord[] {
  const found: CorrectableWord[] = [];
  let end = 0;
  for (const word of scan(text)) {
    const start = text.indexOf(word.raw, end);
    // A word of signs overlaps the previous word.
    if (start < 0) continue;
    end = start + word.raw.length;
    found.push(
      ...(isName(word) ? correctableParts(word.raw, start) : toCorrectableWords(word, start, null)),
    );
  }
  return found;
}

function isName({ terms }: AnalyzedWord): boolean {
  return typeof terms !== 'string' && terms.length > 1;
}

function correctableParts(name: string, start: number): CorrectableWord[] {
  let end = 0;
  return splitIdentifier(name).flatMap((part) => {
    const at = name.indexOf(part, end);
    end = at + part.length;
    return toCorrectableWords(analyzeWord(part, false), start + at, name);
  });
}

function toCorrectableWords(
  { raw, folded, terms }: AnalyzedWord,
  start: number,
  enclosingName: string | null,
): CorrectableWord[] {
  if (typeof terms !== 'string' || alphabetOf(folded) === null) return [];
  return [{ word: raw, start, term: terms, wholeTerm: folded, enclosingName }];
}

/** Whether a text contains a word or a form with the same beginning. May miss other forms. */
export function containsWordForm(
  text: string,
  { word, term, enclosingName }: CorrectableWord,
): boolean {
  const folded = text.toLowerCase();
  if (enclosingName !== null && folded.includes(enclosingName.toLowerCase())) return true;
  const beginning = word.slice(0, minCommonPrefix).toLowerCase();
  // A few letters are longer in lower case, which would shift the offsets.
  if (folded.length !== text.length) return false;
  for (let at = folded.indexOf(beginning); at >= 0; at = folded.indexOf(beginning, at + 1)) {
    if (at > 0 && wordCharacter.test(text.charAt(at - 1))) continue;
    letterRun.lastIndex = at;
    const seen = letterRun.exec(text)?.[0];
    if (seen !== undefined && analyzeWord(seen, false).terms === term) return true;
  }
  return false;
}

/** Returns the words of a text, and of its identifiers, with a given term. */
export function wordsWithTerm(term: string, text: string): Pick<AnalyzedWord, 'raw' | 'folded'>[] {
  return scan(text).flatMap((word) => {
    if (!isName(word)) return word.terms === term ? [word] : [];
    if (!word.terms.includes(term)) return [];
    const parts = splitIdentifier(word.raw).map((part) => analyzeWord(part, false));
    return parts.filter(({ terms }) => terms === term);
  });
}

/**
 * Returns the spellings with the same first letter that are one edit away: two letters exchanged, a letter too many, a
 * wrong letter, or a missing letter, in this order.
 */
export function suggestSpellings(word: string): SpellingSuggestion[] {
  const { folded } = analyzeWord(word, false);
  const alphabet = alphabetOf(folded);
  const found = new Map<string | null, [string, ...string[]]>();
  for (const edited of alphabet === null ? [] : editsOf(folded, alphabet)) {
    const { terms } = analyzeWord(edited, false);
    const term = stopWords.has(edited) ? null : terms;
    if (term !== null && typeof term !== 'string') continue;
    if (term !== edited && stemOnlyEnding.test(edited)) continue;
    const spellings = found.get(term);
    if (spellings === undefined) found.set(term, [edited]);
    else spellings.push(edited);
  }
  return Array.from(found, ([term, words]) => ({ words, term }));
}

/** Returns the alphabet of a folded word that may be corrected, else null. */
function alphabetOf(folded: string): ReadonlySet<string> | null {
  if (folded.length < minLetters || folded.length > maxLetters) return null;
  const letters = Array.from(folded);
  return alphabets.find((alphabet) => letters.every((letter) => alphabet.has(letter))) ?? null;
}

function editsOf(word: string, alphabet: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const places = Array.from({ length: word.length }, (_, at) => at + 1);
  const edit = (at: number, removed: number, put: string): void => {
    found.add(word.slice(0, at) + put + word.slice(at + removed));
  };
  for (const at of places) edit(at, 2, word.charAt(at + 1) + word.charAt(at));
  for (const at of places) edit(at, 1, '');
  for (const at of places) for (const letter of alphabet) edit(at, 1, letter);
  for (const at of places) for (const letter of alphabet) edit(at, 0, letter);
  found.delete(word);
  return found;
}
