import { termsOf } from './analyze.js';
import { findNames } from './query-names.js';
import { foldCase } from './fold.js';
import { stemTerms, candidateStemTerms, languageMarks } from './language.js';
import { PairText } from './pairs.js';
import { questionWords } from './stop-words.js';
import { scan } from './scanner.js';
import { cutTerm, type AnalyzedWord } from './word.js';

/** Weight of the words around a chunk, relative to 1 for its own. */
const contextWeight = 3;
/** Weight of the names that a chunk defines, beside 1 where they stand. */
const namesWeight = 1;
/** Weight of a name where it is defined, for those who ask for nothing else: above that of the names around its uses. */
const definitionWeight = 3;
/** The same of smaller things: a text has many of them, which would make it longer. */
const memberWeight = 1;
const nameStart = /^[\p{L}\p{N}]/u;
/**
 * Terms of a query that count. An index looks for each of them, so that ten thousand characters would keep it
 * busy for many seconds, and with so many terms nearly everything is found anyway.
 */
const maxQueryTerms = 256;

/** What a chunk is indexed by. */
export interface IndexedText {
  /** The chunk's own text. */
  readonly content: string;
  /** Title of the object it is from. */
  readonly title?: string | undefined;
  /** Path of the object below its source's root. */
  readonly path?: string | undefined;
  /** Headings or definitions that enclose the chunk. */
  readonly context?: string | undefined;
  /** Of the object, as `languageOf` tells it. */
  readonly language?: string | null | undefined;
  /** Names of what the chunk defines; they are in its content, too. */
  readonly names?: string | undefined;
  /** The same of smaller things, such as constants and fields. */
  readonly members?: string | undefined;
}

/** What a chunk is found by, as stored: separated by spaces. */
export interface DocumentTerms {
  readonly terms: string;
  /** A short token for each pair of adjacent terms. */
  readonly pairs: string;
  /** The terms of the content alone. */
  readonly contentTerms: readonly string[];
}

/**
 * Terms and pairs of a chunk; those of its title, path and context count three times, names it defines twice. Words of
 * a language other than English are also indexed by their stems in it.
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

/** The term that only a chunk has in which this name, of which the last part counts, is defined; none for signs alone. */
function definitionTerms(name: string): string[] {
  const last = scan(name).findLast(({ folded }) => nameStart.test(folded));
  return last === undefined ? [] : [cutTerm(`def:${last.folded}`)];
}

/** The term that only the chunks of a file of this name have; none for a name with spaces, which nobody asks for alone. */
function fileTerms(path: string): string[] {
  const name = foldCase(path.slice(path.lastIndexOf('/') + 1));
  return name === '' || /\s/.test(name) ? [] : [cutTerm(`file:${name}`)];
}

/** What a question asks for. */
export interface QueryTerms {
  readonly terms: string[];
  /** Of the names that it asks for: terms that only the chunks have which define them, or are of a file of that name. */
  readonly names: string[];
  /** A short token for each pair of adjacent terms. */
  readonly pairs: string[];
}

/**
 * Terms and pairs of a query, without the words that only phrase it unless nothing else is left. Of a longer query, those
 * of the words up to the 256th term.
 */
export function queryTerms(text: string): QueryTerms {
  const kept = contentWords(scan(text));
  const pairs = new PairText();
  pairs.add(kept);
  return { terms: termsOf(kept), names: nameTerms(text.trim()), pairs: pairs.tokens() };
}

/**
 * What else counts as one of a query's terms: stems of the word in the languages that it may be of. `marks`: of those that
 * texts are in; of any when omitted.
 */
export function queryStemTerms(
  text: string,
  marks: ReadonlySet<string> = languageMarks,
): Map<string, string[]> {
  const words = scan(text);
  return candidateStemTerms(words, contentWords(words), marks);
}

function contentWords(words: readonly AnalyzedWord[]): readonly AnalyzedWord[] {
  const telling = words.filter((word) => !questionWords.has(word.folded));
  return limitTerms(telling.some((word) => word.terms.length > 0) ? telling : words);
}

function nameTerms(text: string): string[] {
  const names = /\s/.test(text) ? findNames(text) : [text];
  return [...new Set(names.flatMap((name) => [...definitionTerms(name), ...fileTerms(name)]))];
}

/** The words, up to as many as the terms that count come from. */
function limitTerms(words: readonly AnalyzedWord[]): readonly AnalyzedWord[] {
  let count = 0;
  const end = words.findIndex(({ terms }) => (count += terms.length) > maxQueryTerms);
  return end === -1 ? words : words.slice(0, end);
}
