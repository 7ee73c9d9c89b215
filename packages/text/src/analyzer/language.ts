import { foldAccents, foldCase } from './fold.js';
import { ENGLISH, LANGUAGES, type Language } from './languages.js';
import { scan } from './scanner.js';
import { cutTerm, type Word } from './word.js';

/** How much of a text is looked at to recognise its language. */
const SAMPLED_CHARACTERS = 8000;
/** The share of common words in prose is two to five times as much; code and names have hardly any. */
const LEAST_SHARE = 0.08;
/** How many different common words make a language: by chance, a text has one or two of any. */
const LEAST_WORDS = 4;
const LEAST_WORDS_OF_SHORT_TEXT = 2;
const SHORT_TEXT_WORDS = 40;

/** Each word of a query has up to ten forms to look for; of a long query, only these have. */
const WORDS_WITH_FORMS = 24;

const CYRILLIC = /^\p{Script=Cyrillic}/u;
/** No letter before it is Cyrillic: to ask for a script takes ten times as long as to compare a number. */
const FIRST_CYRILLIC = 0x400;
/** Letters of Ukrainian that Russian lacks, folded. */
const UKRAINIAN = /[ієґ]/;
const LETTERS = /^\p{L}{3,}$/u;

const byCode = new Map(LANGUAGES.map((language) => [language.code, language]));

/** The languages that a word is among the commonest of. */
const byWord = new Map<string, Language[]>();
for (const language of [ENGLISH, ...LANGUAGES]) {
  for (const word of language.commonest) byWord.set(word, [...(byWord.get(word) ?? []), language]);
}

/** The code of the language of a text, if it is one whose words are stemmed apart from English; null for all else. */
export function languageOf(text: string): string | null {
  const words = scan(text.slice(0, SAMPLED_CHARACTERS));
  const cyrillic = words.filter(({ folded }) => isCyrillic(folded));
  if (cyrillic.length * 2 > words.length) {
    return cyrillic.filter(({ folded }) => UKRAINIAN.test(folded)).length * 10 > cyrillic.length
      ? 'uk'
      : 'ru';
  }
  const [best] = mostCommon(words);
  if (best === undefined || best.language === ENGLISH) return null;
  const least = words.length < SHORT_TEXT_WORDS ? LEAST_WORDS_OF_SHORT_TEXT : LEAST_WORDS;
  const isSure = best.different.size >= least && best.count >= words.length * LEAST_SHARE;
  return isSure ? best.language.code : null;
}

function isCyrillic(folded: string): boolean {
  return folded.charCodeAt(0) >= FIRST_CYRILLIC && CYRILLIC.test(folded);
}

interface Count {
  readonly language: Language;
  readonly different: Set<string>;
  count: number;
}

/** The languages of which these have common words, those with the most first; English before others with as many. */
function mostCommon(words: readonly Word[]): Count[] {
  const counts = new Map<Language, Count>();
  for (const { folded } of words) {
    // Letters alone are names of variables.
    if (folded.length === 1) continue;
    for (const language of byWord.get(folded) ?? []) {
      const count = counts.get(language) ?? { language, different: new Set(), count: 0 };
      count.count++;
      count.different.add(folded);
      counts.set(language, count);
    }
  }
  const order = [ENGLISH, ...LANGUAGES];
  return order.flatMap((language) => counts.get(language) ?? []).sort((a, b) => b.count - a.count);
}

/** Terms that all texts in a language have. */
export const languageMarks: ReadonlySet<string> = new Set(
  LANGUAGES.map(({ code }) => markOfCode(code)),
);

function markOfCode(code: string): string {
  return `${code}:`;
}

/** The terms by which words are found in every form that they take in a language. */
export function formsIn(words: readonly Word[], code: string | null): string[] {
  const language = code === null ? undefined : byCode.get(code);
  return language === undefined ? [] : words.flatMap((word) => formOf(word, language) ?? []);
}

/**
 * Those of a query's telling words, by the words' own terms, in each of the languages that it may be in: nobody can tell
 * that of two words, and the terms of a language are only found in texts in it. `marks`: of the languages that there are.
 */
export function formsInAny(
  query: readonly Word[],
  telling: readonly Word[],
  marks: ReadonlySet<string>,
): Map<string, string[]> {
  const present = LANGUAGES.filter(({ code }) => marks.has(markOfCode(code)));
  if (present.length === 0) return new Map();
  const counts = mostCommon(query);
  const most = counts[0]?.count ?? 0;
  const likely = counts.filter(({ count }) => count * 2 > most).map(({ language }) => language);
  const languages = present.filter(
    (language) => most === 0 || language.isCyrillic || likely.includes(language),
  );
  const forms = new Map<string, string[]>();
  for (const word of telling.slice(0, WORDS_WITH_FORMS)) {
    if (typeof word.terms !== 'string') continue;
    const found = languages.flatMap((language) => formOf(word, language) ?? []);
    if (found.length > 0) forms.set(word.terms, found);
  }
  return forms;
}

/** A term that no other language has. */
function formOf({ raw, folded, terms }: Word, language: Language): string | null {
  if (typeof terms !== 'string' || language.commonest.has(folded)) return null;
  if (!LETTERS.test(folded) || isCyrillic(folded) !== language.isCyrillic) return null;
  const stem = language.stem(raw.normalize('NFC').toLowerCase());
  return cutTerm(`${language.code}:${foldCase(foldAccents(stem))}`);
}
