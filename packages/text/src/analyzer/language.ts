import { foldAccents, foldCase } from './fold.js';
import { english, languages, type AnalyzerLanguage } from './languages.js';
import { scan } from './scanner.js';
import { cutTerm, type AnalyzedWord } from './word.js';

/** How much of a text is looked at to recognise its language. */
const sampleCharacters = 8000;
/** The share of common words in prose is two to five times as much; code and names have hardly any. */
const minShare = 0.08;
/** How many different common words make a language: by chance, a text has one or two of any. */
const minWords = 4;
const minWordsInShortText = 2;
const shortTextWords = 40;

/** Each word of a query has up to ten forms to look for; of a long query, only these have. */
const maxStemmedWords = 24;

const cyrillicStart = /^\p{Script=Cyrillic}/u;
/** No letter before it is Cyrillic: to ask for a script takes ten times as long as to compare a number. */
const firstCyrillic = 0x400;
/** Letters of Ukrainian that Russian lacks, folded. */
const ukrainianLetters = /[ієґ]/;
const lettersOnly = /^\p{L}{3,}$/u;

const byCode = new Map(languages.map((language) => [language.code, language]));

/** The languages that a word is among the commonest of. */
const byWord = new Map<string, AnalyzerLanguage[]>();
for (const language of [english, ...languages]) {
  for (const word of language.commonWords)
    byWord.set(word, [...(byWord.get(word) ?? []), language]);
}

/** The code of the language of a text, if it is one whose words are stemmed apart from English; null for all else. */
export function languageOf(text: string): string | null {
  const words = scan(text.slice(0, sampleCharacters));
  const cyrillic = words.filter(({ folded }) => isCyrillic(folded));
  if (cyrillic.length * 2 > words.length) {
    return cyrillic.filter(({ folded }) => ukrainianLetters.test(folded)).length * 10 >
      cyrillic.length
      ? 'uk'
      : 'ru';
  }
  const [best] = rankLanguages(words);
  if (best === undefined || best.language === english) return null;
  const least = words.length < shortTextWords ? minWordsInShortText : minWords;
  const isSure = best.distinctWords.size >= least && best.count >= words.length * minShare;
  return isSure ? best.language.code : null;
}

function isCyrillic(folded: string): boolean {
  return folded.charCodeAt(0) >= firstCyrillic && cyrillicStart.test(folded);
}

interface LanguageCount {
  readonly language: AnalyzerLanguage;
  readonly distinctWords: Set<string>;
  count: number;
}

/** The languages of which these have common words, those with the most first; English before others with as many. */
function rankLanguages(words: readonly AnalyzedWord[]): LanguageCount[] {
  const counts = new Map<AnalyzerLanguage, LanguageCount>();
  for (const { folded } of words) {
    // Letters alone are names of variables.
    if (folded.length === 1) continue;
    for (const language of byWord.get(folded) ?? []) {
      const count = counts.get(language) ?? { language, distinctWords: new Set(), count: 0 };
      count.count++;
      count.distinctWords.add(folded);
      counts.set(language, count);
    }
  }
  const order = [english, ...languages];
  return order.flatMap((language) => counts.get(language) ?? []).sort((a, b) => b.count - a.count);
}

/** Terms that all texts in a language have. */
export const languageMarks: ReadonlySet<string> = new Set(
  languages.map(({ code }) => languageMarkOf(code)),
);

function languageMarkOf(code: string): string {
  return `${code}:`;
}

/** The terms by which words are found in every form that they take in a language. */
export function stemTerms(words: readonly AnalyzedWord[], code: string | null): string[] {
  const language = code === null ? undefined : byCode.get(code);
  return language === undefined ? [] : words.flatMap((word) => stemTermOf(word, language) ?? []);
}

/**
 * Those of a query's telling words, by the words' own terms, in each of the languages that it may be in: nobody can tell
 * that of two words, and the terms of a language are only found in texts in it. `marks`: of the languages that there are.
 */
export function candidateStemTerms(
  query: readonly AnalyzedWord[],
  telling: readonly AnalyzedWord[],
  marks: ReadonlySet<string>,
): Map<string, string[]> {
  const present = languages.filter(({ code }) => marks.has(languageMarkOf(code)));
  if (present.length === 0) return new Map();
  const counts = rankLanguages(query);
  const most = counts[0]?.count ?? 0;
  const likely = counts.filter(({ count }) => count * 2 > most).map(({ language }) => language);
  const candidates = present.filter(
    (language) => most === 0 || language.isCyrillic || likely.includes(language),
  );
  const forms = new Map<string, string[]>();
  for (const word of telling.slice(0, maxStemmedWords)) {
    if (typeof word.terms !== 'string') continue;
    const found = candidates.flatMap((language) => stemTermOf(word, language) ?? []);
    if (found.length > 0) forms.set(word.terms, found);
  }
  return forms;
}

/** A term that no other language has. */
function stemTermOf(
  { raw, folded, terms }: AnalyzedWord,
  language: AnalyzerLanguage,
): string | null {
  if (typeof terms !== 'string' || language.commonWords.has(folded)) return null;
  if (!lettersOnly.test(folded) || isCyrillic(folded) !== language.isCyrillic) return null;
  const stem = language.stem(raw.normalize('NFC').toLowerCase());
  return cutTerm(`${language.code}:${foldCase(foldAccents(stem))}`);
}
