import { isCommonWord, languageOf } from '../analyzer/language.js';
import { functionWords, nameConnectors } from './function-words.js';
import { isGermanNoun } from './german.js';
import { isAbbreviation } from './sentences.js';
import { isShouted, lowerWordsOf } from './shouting.js';
import type { WordSpan } from './words.js';

/** Longer sequences are headings or no names. */
export const maxNameWords = 10;
const joiners: ReadonlySet<string> = new Set([
  ' ',
  '-',
  '‐',
  '‑',
  "'",
  '’',
  '&',
  ' & ',
  '·',
  '・',
  '‧',
]);
const joinersAfterInitial: ReadonlySet<string> = new Set(['.', '. ']);
const numberStart = /^\p{N}/u;
/** Characters that join words to identifiers, assignments and addresses: `MAX_SIZE`, `$HOME`, `` `GET` ``. */
const codeCharacter = /[_$=@\\`<>{}]/u;
/** A hyphen without a word before it begins an option of a command: `--Force`. */
const optionStart = /(?:^|[\s([{"'`|,])-{1,2}$/u;

/** Most texts are English, which is faster to recognise than other languages. */
const englishWord = /\bthe\b/iu;

/** Returns the language that determines the names of a text, as returned by `languageOf`. */
export function namesLanguage(text: string): string | null {
  return englishWord.test(text) ? null : languageOf(text);
}

/** A name consists of the words `from` to `to`, exclusive. */
export interface NameSpan {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds names as runs of capitalised words, including words such as `of` and `von` and numbers inside. A function word
 * at the start of a sentence is not part of a name. The parts around a connecting word are names too. Options, parts of
 * identifiers and ordinary words in capitals are no names. `language`: as returned by `namesLanguage`. In German, where all
 * nouns are capitalised, a noun after an article or with the ending of an abstract noun is no name.
 */
export function nameSpans(
  text: string,
  words: readonly WordSpan[],
  sentences: readonly number[],
  language: string | null = namesLanguage(text),
): NameSpan[] {
  const spans: NameSpan[] = [];
  const lowerWords = lowerWordsOf(words);
  let at = 0;
  while (at < words.length) {
    const isFirst = at === 0 || sentences[at] !== sentences[at - 1];
    if (!startsName(words[at], isFirst, language) || isInCode(text, words[at])) {
      at += 1;
      continue;
    }
    const to = withoutShouts(words, at, endOfName(text, words, sentences, at), lowerWords);
    const parts = [{ from: at, to }, ...partsOf(words, at, to)];
    spans.push(
      ...parts.filter(
        (part) =>
          isName(words, part) &&
          !isShout(words, part, lowerWords) &&
          !(language === 'de' && isGermanNoun(words, part)),
      ),
    );
    at = to;
  }
  return spans;
}

/** Returns the end of a span without ordinary words in capitals at its end, but of at least one word. */
function withoutShouts(
  words: readonly WordSpan[],
  from: number,
  to: number,
  lowerWords: ReadonlySet<string> | null,
): number {
  let end = to;
  while (end - 1 > from && lowerWords !== null && isShouted(words[end - 1]?.raw ?? '', lowerWords))
    end -= 1;
  return end;
}

/** Tests if all words of a span are ordinary words in capitals. */
function isShout(
  words: readonly WordSpan[],
  { from, to }: NameSpan,
  lowerWords: ReadonlySet<string> | null,
): boolean {
  return (
    lowerWords !== null && words.slice(from, to).every(({ raw }) => isShouted(raw, lowerWords))
  );
}

/** Tests if a word is part of an identifier or an option. */
function isInCode(text: string, word: WordSpan | undefined): boolean {
  if (word === undefined) return false;
  const { start, end } = word;
  return (
    codeCharacter.test(text.charAt(start - 1)) ||
    codeCharacter.test(text.charAt(end)) ||
    optionStart.test(text.slice(Math.max(0, start - 3), start))
  );
}

function startsName(
  word: WordSpan | undefined,
  isFirst: boolean,
  language: string | null,
): boolean {
  if (word?.isUpper !== true) return false;
  const lower = word.raw.toLowerCase();
  return !isFirst || !(functionWords.has(lower) || isCommonWord(lower, language));
}

/** Single letters and function words are not names. */
function isName(words: readonly WordSpan[], { from, to }: NameSpan): boolean {
  const [only = ''] = words.slice(from, to).map(({ raw }) => raw);
  return to - from > 1 || (only.length > 1 && !functionWords.has(only.toLowerCase()));
}

/** Returns the parts between the connecting words of a name, if it has any. */
function partsOf(words: readonly WordSpan[], from: number, to: number): NameSpan[] {
  const parts: NameSpan[] = [];
  let start = from;
  for (let at = from; at <= to; at++) {
    if (at < to && !nameConnectors.has(words[at]?.raw ?? '')) continue;
    if (at > start) parts.push({ from: start, to: at });
    start = at + 1;
  }
  return parts.length > 1 ? parts : [];
}

function endOfName(
  text: string,
  words: readonly WordSpan[],
  sentences: readonly number[],
  from: number,
): number {
  let to = from + 1;
  for (let at = to; at < words.length && at - from < maxNameWords; at++) {
    const word = words[at];
    if (word === undefined || sentences[at] !== sentences[from]) break;
    if (!isJoined(text, words[at - 1], word) || isInCode(text, word)) break;
    // A possessive is part of a name only if the name continues after it.
    if (word.isContraction || nameConnectors.has(word.raw)) continue;
    if (!word.isUpper && !numberStart.test(word.raw)) break;
    to = at + 1;
  }
  return to;
}

function isJoined(text: string, previous: WordSpan | undefined, next: WordSpan): boolean {
  if (previous === undefined || next.start - previous.end > 3) return false;
  const gap = text.slice(previous.end, next.start);
  return joiners.has(gap) || (joinersAfterInitial.has(gap) && isAbbreviation(previous));
}
