import { termsOf } from './analyze.js';
import { findNames } from './query-names.js';
import { foldCase } from './fold.js';
import { stemTerms, candidateStemTerms, languageMarks } from './language.js';
import { PairText } from './pairs.js';
import { questionWords } from './stop-words.js';
import { scan } from './scanner.js';
import { cutTerm, type AnalyzedWord } from './word.js';

/** Weight of title, path and section path, relative to 1 for the text of a chunk. */
const contextWeight = 3;
/** Weight of the names that a chunk defines, in addition to their occurrence in the text. */
const namesWeight = 1;
/** Weight of the term `def:NAME` of a definition. Must exceed the weight of names in surrounding text. */
const definitionWeight = 3;
/** The same for members. They are numerous and would lengthen the text. */
const memberWeight = 1;
const nameStart = /^[\p{L}\p{N}]/u;
/**
 * Maximum number of query terms. The index looks up each one, so ten thousand characters would take many seconds, and
 * so many terms match almost everything.
 */
const maxQueryTerms = 256;

/** The texts that a chunk is indexed by. */
export interface IndexedText {
  /** The chunk's own text. */
  readonly content: string;
  /** Title of the object. */
  readonly title?: string | undefined;
  /** Path of the object below its source's root. */
  readonly path?: string | undefined;
  /** Headings or definitions that enclose the chunk. */
  readonly context?: string | undefined;
  /** Language of the object, as returned by `languageOf`. */
  readonly language?: string | null | undefined;
  /** Names that the chunk defines. Its content contains them, too. */
  readonly names?: string | undefined;
  /** Names of constants and fields that the chunk defines. */
  readonly members?: string | undefined;
}

/** The terms of a chunk as stored, separated by spaces. */
export interface DocumentTerms {
  readonly terms: string;
  /** A short token for each pair of adjacent terms. */
  readonly pairs: string;
  /** The terms of the content alone. */
  readonly contentTerms: readonly string[];
}

/**
 * Returns the terms and pairs of a chunk. Title, path and context count three times, defined names twice. Words of
 * other languages than English are also indexed by their stems in that language.
 */
export function documentTerms(text: IndexedText): DocumentTerms {
  const words = scan(text.content);
  const contentTerms = termsOf(words);
  const language = text.language ?? null;
  const mark = language === null ? [] : [`${language}:`];
  const own = contentTerms.concat(mark, stemTerms(words, language));
  const terms = own.length === 0 ? [] : [own.join(' ')];
  const pairs = new PairText();
  pairs.add(words);
  for (const part of [text.title, text.path, text.context]) {
    if (part === undefined || part === '') continue;
    const around = scan(part);
    const aroundTerms = termsOf(around).concat(stemTerms(around, language)).join(' ');
    if (aroundTerms === '') continue;
    for (let i = 0; i < contextWeight; i++) terms.push(aroundTerms);
    pairs.add(around);
  }
  const names = text.names ?? '';
  const namesTerms = termsOf(scan(names)).join(' ');
  for (let i = 0; i < namesWeight && namesTerms !== ''; i++) terms.push(namesTerms);
  const definitions = names.split(' ').flatMap(definitionTerms);
  for (let i = 0; i < definitionWeight; i++) terms.push(...definitions);
  const members = (text.members ?? '').split(' ').flatMap(definitionTerms);
  for (let i = 0; i < memberWeight; i++) terms.push(...members);
  terms.push(...fileTerms(text.path ?? ''));
  return { terms: terms.join(' '), pairs: pairs.toString(), contentTerms };
}

/** Returns the term of a chunk that defines this name. The last part of the name counts. Empty for signs only. */
function definitionTerms(name: string): string[] {
  const last = scan(name).findLast(({ folded }) => nameStart.test(folded));
  return last === undefined ? [] : [cutTerm(`def:${last.folded}`)];
}

/**
 * Returns the term of the chunks of a file with this name. Empty for names with spaces, which queries do not name
 * alone.
 */
function fileTerms(path: string): string[] {
  const name = foldCase(path.slice(path.lastIndexOf('/') + 1));
  return name === '' || /\s/.test(name) ? [] : [cutTerm(`file:${name}`)];
}

/** The terms of a query. */
export interface QueryTerms {
  readonly terms: string[];
  /** Terms that only definitions and files of the queried names have. */
  readonly names: string[];
  /** A short token for each pair of adjacent terms. */
  readonly pairs: string[];
}

/**
 * Returns the terms and pairs of a query, without question words unless the query has no others. Only words up to the
 * 256th term count.
 */
export function queryTerms(text: string): QueryTerms {
  const words = contentWords(scan(text));
  const pairs = new PairText();
  pairs.add(words);
  return { terms: termsOf(words), names: nameTerms(text.trim()), pairs: pairs.tokens() };
}

/** A word of a query and its terms. */
export interface QueryWord {
  /** The word as written. */
  readonly word: string;
  readonly terms: readonly string[];
}

/** Returns the words whose terms `queryTerms` returns, in order. */
export function queryWords(text: string): QueryWord[] {
  return contentWords(scan(text))
    .map((word) => ({ word: word.raw, terms: termsOf([word]) }))
    .filter(({ terms }) => terms.length > 0);
}

/**
 * Returns additional terms for each query term: the stems of the word in its candidate languages. `marks` are the
 * markers of the indexed languages. Default: all languages.
 */
export function queryStemTerms(
  text: string,
  marks: ReadonlySet<string> = languageMarks,
): Map<string, string[]> {
  const words = scan(text);
  return candidateStemTerms(words, contentWords(words), marks);
}

function contentWords(words: readonly AnalyzedWord[]): readonly AnalyzedWord[] {
  const content = words.filter((word) => !questionWords.has(word.folded));
  return limitTerms(content.some((word) => word.terms.length > 0) ? content : words);
}

function nameTerms(text: string): string[] {
  const names = /\s/.test(text) ? findNames(text) : [text];
  return [...new Set(names.flatMap((name) => [...definitionTerms(name), ...fileTerms(name)]))];
}

/** Returns the words that fit into the maximum number of terms. */
function limitTerms(words: readonly AnalyzedWord[]): readonly AnalyzedWord[] {
  let count = 0;
  const end = words.findIndex(({ terms }) => (count += terms.length) > maxQueryTerms);
  return end === -1 ? words : words.slice(0, end);
}
