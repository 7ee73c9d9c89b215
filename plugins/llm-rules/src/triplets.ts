import {
  FUNCTION_WORDS,
  nameSpans,
  normalizeName,
  sentenceNumbers,
  wordsOf,
  type NameSpan,
  type Word,
} from '@trove/text/names';

const MAX_PREDICATE_WORDS = 10;
const MAX_TRIPLETS = 100;
const MAX_OBJECTS = 3;
/** The beginning of a text that is read, in characters. */
const MAX_TEXT = 20_000;
const MAX_NAME = 200;
const PARENTHESIS = /\s*[(（][^()（）]*[)）]\s*$/;
const PRONOUNS = new Set('he she it they this these that those we i you one'.split(' '));
/** What joins two objects of the same predicate. */
const JOINING = new Set(['and', 'or', 'as', 'well', 'the', 'a', 'an', 'with', 'both']);

export interface Triplet {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
}

interface Sentence {
  readonly words: readonly Word[];
  /** Names in it, as places among its words. */
  readonly names: readonly NameSpan[];
}

/**
 * What the sentences of a text seem to state, without a language model. The subject is a sentence's leading name, or else the title;
 * objects are the names that follow, at most three; a predicate is what stands before its object, at most ten words.
 */
export function tripletsIn(text: string, title: string | null): Triplet[] {
  const read = text.slice(0, MAX_TEXT);
  const topic = (title ?? '').slice(0, MAX_NAME).replace(PARENTHESIS, '').trim();
  const triplets = new Map<string, Triplet>();
  const sentences = sentencesOf(read);
  const known = capitalsWithin(sentences, topic);
  for (const sentence of sentences) {
    for (const triplet of statements(sentence, read, topic, known)) {
      const key = JSON.stringify(Object.values(triplet).map(normalizeName));
      if (!triplets.has(key)) triplets.set(key, triplet);
      if (triplets.size === MAX_TRIPLETS) return [...triplets.values()];
    }
  }
  return [...triplets.values()];
}

/** Those with names in them. */
function sentencesOf(text: string): Sentence[] {
  const words = wordsOf(text);
  const numbers = sentenceNumbers(text, words);
  const starts = numbers.flatMap((number, at) => (number === numbers[at - 1] ? [] : [at]));
  const sentences = starts.map((start, number) => ({
    start,
    words: words.slice(start, starts[number + 1]),
    names: new Array<NameSpan>(),
  }));
  for (const { from, to } of outermost(nameSpans(text, words, numbers))) {
    const sentence = sentences[numbers[from] ?? 0];
    sentence?.names.push({ from: from - sentence.start, to: to - sentence.start });
  }
  return sentences.filter(({ names }) => names.length > 0);
}

/** Without the parts of longer names. */
function outermost(spans: readonly NameSpan[]): NameSpan[] {
  let end = 0;
  return spans.filter(({ from, to }) => {
    if (from < end) return false;
    end = to;
    return true;
  });
}

/** Words of the topic, and those in capitals within sentences: at the start of one, every word is. */
function capitalsWithin(sentences: readonly Sentence[], topic: string): ReadonlySet<string> {
  const known = new Set(wordsOf(topic).map(({ raw }) => raw.toLowerCase()));
  for (const { words, names } of sentences) {
    for (const { from, to } of names) {
      for (const { raw } of words.slice(Math.max(1, from), to)) known.add(raw.toLowerCase());
    }
  }
  return known;
}

function statements(
  { words, names: all }: Sentence,
  text: string,
  topic: string,
  known: ReadonlySet<string>,
): Triplet[] {
  const isName = ({ from, to }: NameSpan): boolean =>
    from > 0 || to > 1 || known.has(words[0]?.raw.toLowerCase() ?? '');
  const names = topic === '' ? all : all.filter(isName);
  const [first] = names;
  if (first === undefined) return [];
  const isLeading = topic === '' || words.slice(0, first.from).every(isFunctionWord);
  const leading = textOf(words, first, text);
  const subject = isLeading && !isSame(leading, topic) ? leading : topic;
  const objects = isLeading ? names.slice(1) : names;
  const triplets: Triplet[] = [];
  let from = isLeading ? first.to : 0;
  let predicate = '';
  for (const object of objects.slice(0, MAX_OBJECTS)) {
    const between = predicateOf(words, from, object.from, text);
    // `born in A and B`: both are where.
    if (between !== '') predicate = between;
    from = object.to;
    const name = textOf(words, object, text);
    if (predicate === '' || isSame(name, subject)) continue;
    triplets.push({ subject, predicate, object: name });
  }
  return triplets;
}

/** Whether a name is the topic's, but for an article before it. */
function isSame(name: string, topic: string): boolean {
  return normalizeName(topic).replace(/^(?:the|a|an) /, '') === normalizeName(name);
}

/** The words before an object as they stand in the text; empty when they only join it to what came before. */
function predicateOf(words: readonly Word[], from: number, to: number, text: string): string {
  let start = Math.max(from, to - MAX_PREDICATE_WORDS);
  if (start === 0 && PRONOUNS.has(words[0]?.raw.toLowerCase() ?? '')) start += 1;
  const between = words.slice(start, to);
  if (between.every(({ raw }) => JOINING.has(raw.toLowerCase()))) return '';
  return textOf(words, { from: start, to }, text);
}

function textOf(words: readonly Word[], { from, to }: NameSpan, text: string): string {
  const start = words[from]?.start ?? 0;
  const end = words[to - 1]?.end ?? start;
  return text.slice(start, end).replace(/\s+/g, ' ').slice(0, MAX_NAME).toWellFormed();
}

function isFunctionWord({ raw }: Word): boolean {
  return FUNCTION_WORDS.has(raw.toLowerCase());
}
