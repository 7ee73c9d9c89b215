import { foldAccents, foldCase } from './fold.js';
import { english, languages, type AnalyzerLanguage } from './languages.js';
import { scan } from './scanner.js';
import { cutTerm, type AnalyzedWord } from './word.js';

/** Characters of a text that determine its language. */
const sampleCharacters = 8000;
/** Prose has two to five times this share of common words. Code and names have almost none. */
const minShare = 0.08;
/** Any text has one or two common words of any language by chance. */
const minWords = 4;
const minWordsInShortText = 2;
const shortTextWords = 40;

/** Each query word has up to ten stems to look up, so long queries use only the first words. */
const maxStemmedWords = 24;

const cyrillicStart = /^\p{Script=Cyrillic}/u;
/** The first Cyrillic code point. Comparing numbers is ten times faster than testing the script. */
const firstCyrillic = 0x400;
/** Letters of Ukrainian that Russian lacks, folded. */
const ukrainianLetters = /[ієґ]/;
const lettersOnly = /^\p{L}{3,}$/u;

const byCode = new Map(languages.map((language) => [language.code, language]));

/** The languages in which a word is common. */
const byWord = new Map<string, AnalyzerLanguage[]>();
for (const language of [english, ...languages]) {
  for (const word of language.commonWords)
    byWord.set(word, [...(byWord.get(word) ?? []), language]);
}

/** Detects the language of a text. Returns its code, or null for English and unrecognised texts. */
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
  const minCount = words.length < shortTextWords ? minWordsInShortText : minWords;
  const isSure = best.distinctWords.size >= minCount && best.count >= words.length * minShare;
  return isSure ? best.language.code : null;
}

/** Tests if a word is one of the most common words of a language, as returned by `languageOf`. */
export function isCommonWord(word: string, language: string | null): boolean {
  if (language === null) return false;
  return byCode.get(language)?.commonWords.has(foldAccents(foldCase(word))) ?? false;
}

function isCyrillic(folded: string): boolean {
  return folded.charCodeAt(0) >= firstCyrillic && cyrillicStart.test(folded);
}

interface LanguageCount {
  readonly language: AnalyzerLanguage;
  readonly distinctWords: Set<string>;
  count: number;
}

/** Returns the languages with common words in a text, most common words first. English precedes ties. */
function rankLanguages(words: readonly AnalyzedWord[]): LanguageCount[] {
  const counts = new Map<AnalyzerLanguage, LanguageCount>();
  for (const { folded } of words) {
    // Single letters are names of variables.
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

/** The marker terms. Every text in a language has the marker of that language. */
export const languageMarks: ReadonlySet<string> = new Set(
  languages.map(({ code }) => languageMarkOf(code)),
);

function languageMarkOf(code: string): string {
  return `${code}:`;
}

/** Returns the stems of words in a language, as terms that match all forms of a word. */
export function stemTerms(words: readonly AnalyzedWord[], code: string | null): string[] {
  const language = code === null ? undefined : byCode.get(code);
  return language === undefined ? [] : words.flatMap((word) => stemTermOf(word, language) ?? []);
}

/**
 * Returns stemmed forms of a query's content words by term, one for each candidate language, because two words do not
 * identify a language. Stems of a language occur only in texts in that language. `marks` are the markers of the indexed
 * languages.
 */
export function candidateStemTerms(
  query: readonly AnalyzedWord[],
  contentWords: readonly AnalyzedWord[],
  marks: ReadonlySet<string>,
): Map<string, string[]> {
  const present = languages.filter(({ code }) => marks.has(languageMarkOf(code)));
  if (present.length === 0) return new Map();
  const counts = rankLanguages(query);
  const highest = counts[0]?.count ?? 0;
  const likely = counts.filter(({ count }) => count * 2 > highest).map(({ language }) => language);
  const candidates = present.filter(
    (language) => highest === 0 || language.isCyrillic || likely.includes(language),
  );
  const forms = new Map<string, string[]>();
  for (const word of contentWords.slice(0, maxStemmedWords)) {
    if (typeof word.terms !== 'string') continue;
    const found = candidates.flatMap((language) => stemTermOf(word, language) ?? []);
    if (found.length > 0) forms.set(word.terms, found);
  }
  return forms;
}

/** Returns the stem as a term that only this language has. */
function stemTermOf(
  { raw, folded, terms }: AnalyzedWord,
  language: AnalyzerLanguage,
): string | null {
  if (typeof terms !== 'string' || language.commonWords.has(folded)) return null;
  if (!lettersOnly.test(folded) || isCyrillic(folded) !== language.isCyrillic) return null;
  const stem = language.stem(raw.normalize('NFC').toLowerCase());
  return cutTerm(`${language.code}:${foldCase(foldAccents(stem))}`);
}
