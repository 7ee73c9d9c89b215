import { isCommonWord } from '@trove/text/analyzer';
import {
  canonicalName,
  functionWords,
  isInCapitals,
  nameSpans,
  sentenceNumbers,
  wordsOf,
  type NameSpan,
  type WordSpan,
} from '@trove/text/names';
import type { InlineContent, TextRange } from '../markdown/inline.js';
import type { TripletList } from './triplet-list.js';

const maxPredicateWords = 10;
const maxObjects = 3;
const pronouns = new Set('he she it they this these that those we i you one'.split(' '));
/** Words that join two objects of the same predicate. */
const joiningWords = new Set(
  'and or as well the a an with both und oder sowie der die das et ou le la les y o el los и или'.split(
    ' ',
  ),
);
/** Verbs that often begin an instruction. */
const imperatives = new Set(
  `use set add run send see read call open install build create make get put pass write start stop check choose click
  enter follow give keep let move name print remove replace return save select show try turn type update upload visit
  wait import export configure enable disable define delete connect compare download edit ensure include load log note
  test upgrade verify`.split(/\s+/u),
);
/** Japanese and Korean put the verb at the end of a sentence, and mark the parts before it with particles. */
const verbFinalScript = /[\p{sc=Hiragana}\p{sc=Hangul}]/u;
const leadingParticles =
  /^(?:から|まで|より|には|では|とは|を|に|で|へ|と|が|は|の|も|으로|에서|에게|에는|은|는|이|가|을|를|의|에|로|와|과|도)+\s*/u;
const casedStart = /^\p{Lu}/u;

/** A sentence of a block with the names in it, as positions of its words. */
export interface ParsedSentence {
  readonly text: string;
  /** As returned by `languageOf`. */
  readonly language: string | null;
  readonly words: readonly WordSpan[];
  readonly names: readonly NameSpan[];
}

/** Parses the sentences with names. Code and parts of the label of a link are no names. `language`: of the document, as returned by `namesLanguage`. */
export function parseSentences(
  { text, code, links }: InlineContent,
  language: string | null,
): ParsedSentence[] {
  const words = wordsOf(maskCode(text, code));
  const numbers = sentenceNumbers(text, words);
  const starts = numbers.flatMap((number, at) => (number === numbers[at - 1] ? [] : [at]));
  const sentences = starts.map((start, number) => ({
    start,
    text,
    language,
    words: words.slice(start, starts[number + 1]),
    names: new Array<NameSpan>(),
  }));
  const rangeOf = ({ from, to }: NameSpan): TextRange => ({
    from: words[from]?.start ?? 0,
    to: words[to - 1]?.end ?? 0,
  });
  const linkAt = rangeFinder(links.toSorted((a, b) => a.from - b.from));
  for (const span of removeNested(nameSpans(text, words, numbers, language))) {
    const range = rangeOf(span);
    const link = linkAt(range);
    const isPartOfLink = link !== null && (range.from > link.from || range.to < link.to);
    if (isPartOfLink) continue;
    const sentence = sentences[numbers[span.from] ?? 0];
    if (sentence === undefined) continue;
    sentence.names.push({ from: span.from - sentence.start, to: span.to - sentence.start });
  }
  return sentences.filter(({ names }) => names.length > 0);
}

/** Writes code as a word in lower case of the same length, which is no part of a name. */
function maskCode(text: string, code: readonly TextRange[]): string {
  let masked = '';
  let end = 0;
  for (const { from, to } of code) {
    masked += text.slice(end, from) + 'x'.repeat(to - from);
    end = to;
  }
  return masked + text.slice(end);
}

/** Returns a function that finds the range that shares characters with another one. It must be called in order. */
function rangeFinder(ranges: readonly TextRange[]): (range: TextRange) => TextRange | null {
  let at = 0;
  return ({ from, to }) => {
    while (at < ranges.length && (ranges[at]?.to ?? 0) <= from) at++;
    const next = ranges[at];
    return next !== undefined && next.from < to ? next : null;
  };
}

/** Removes spans inside longer names. */
function removeNested(spans: readonly NameSpan[]): NameSpan[] {
  let end = 0;
  return spans.filter(({ from, to }) => {
    if (from < end) return false;
    end = to;
    return true;
  });
}

/** Capitalised words that are known to be names or ordinary words. The first word of a sentence is always capitalised. */
export class KnownWords {
  readonly #names: Set<string>;
  readonly #lower = new Set<string>();

  /** Knows the words of the topic, and the capitalised words within sentences. */
  constructor(sentences: Iterable<ParsedSentence>, topic: string) {
    this.#names = new Set(wordsOf(topic).map(({ raw }) => raw.toLowerCase()));
    for (const { words, names } of sentences) {
      for (const { raw, isLower } of words) if (isLower) this.#lower.add(raw);
      for (const { from, to } of names) {
        for (const { raw } of words.slice(Math.max(1, from), to))
          this.#names.add(raw.toLowerCase());
      }
    }
  }

  isName(word: WordSpan | undefined): boolean {
    return this.#names.has(word?.raw.toLowerCase() ?? '');
  }

  /** Tests if a word also occurs in lower case. */
  isOrdinary(word: WordSpan | undefined): boolean {
    return this.#lower.has(word?.raw.toLowerCase() ?? '');
  }
}

/**
 * Adds the statements of a sentence. The subject is its leading name, else the topic. Objects are the names that follow,
 * at most three. A predicate is the text before its object, at most ten words.
 */
export function addStatements(
  { text, language, words, names: all }: ParsedSentence,
  topic: string,
  known: KnownWords,
  triplets: TripletList,
): void {
  const names = all.flatMap((name) => trimName(name, words, topic, known));
  const [first] = names;
  if (first === undefined) return;
  const isLeading =
    topic === '' || words.slice(0, first.from).every((word) => isFunctionWord(word, language));
  const leading = textOf(words, first, text);
  const subject = isLeading && canonicalName(leading) !== canonicalName(topic) ? leading : topic;
  let from = isLeading ? first.to : 0;
  const verb = finalVerb(words, names.at(-1) ?? first, text);
  let predicate = '';
  for (const object of (isLeading ? names.slice(1) : names).slice(0, maxObjects)) {
    const between = predicateOf(words, from, object.from, text);
    // `born in A and B`: the predicate applies to both.
    if (between !== '') predicate = between;
    from = object.to;
    triplets.add(subject, verb === '' ? predicate : verb, textOf(words, object, text));
  }
}

/** Returns the words after the last name of a Japanese or Korean sentence, without particles. */
function finalVerb(words: readonly WordSpan[], { to }: NameSpan, text: string): string {
  const rest = text.slice(words[to]?.start ?? text.length, words.at(-1)?.end);
  return verbFinalScript.test(rest) ? rest.replace(leadingParticles, '') : '';
}

/**
 * Returns a name without the verb that begins the sentence, as in `Install Node`. Returns nothing for a single word that
 * is capitalised only because it begins the sentence.
 */
function trimName(
  { from, to }: NameSpan,
  words: readonly WordSpan[],
  topic: string,
  known: KnownWords,
): NameSpan[] {
  if (from > 0) return [{ from, to }];
  const [first] = words;
  if (to === 1) {
    const raw = first?.raw ?? '';
    // The position of a word explains only the first capital.
    const isCertain =
      topic === '' || known.isName(first) || isInCapitals(raw) || !casedStart.test(raw);
    return isCertain ? [{ from, to }] : [];
  }
  const isVerb = !known.isName(first) && (known.isOrdinary(first) || isImperative(first));
  return [{ from: isVerb ? 1 : 0, to }];
}

function isImperative(word: WordSpan | undefined): boolean {
  return imperatives.has(word?.raw.toLowerCase() ?? '');
}

/** Returns the words before an object. Returns an empty text if they only join it to the previous object. */
function predicateOf(words: readonly WordSpan[], from: number, to: number, text: string): string {
  let start = Math.max(from, to - maxPredicateWords);
  if (start === 0 && pronouns.has(words[0]?.raw.toLowerCase() ?? '')) start += 1;
  const between = words.slice(start, to);
  if (between.every(({ raw }) => joiningWords.has(raw.toLowerCase()))) return '';
  return textOf(words, { from: start, to }, text);
}

function textOf(words: readonly WordSpan[], { from, to }: NameSpan, text: string): string {
  const start = words[from]?.start ?? 0;
  const end = words[to - 1]?.end ?? start;
  return text.slice(start, end);
}

function isFunctionWord({ raw }: WordSpan, language: string | null): boolean {
  return functionWords.has(raw.toLowerCase()) || isCommonWord(raw, language);
}
