import {
  functionWords,
  nameSpans,
  normalizeName,
  sentenceNumbers,
  wordsOf,
  type NameSpan,
  type WordSpan,
} from '@trove/text/names';

const maxPredicateWords = 10;
const maxTriplets = 100;
const maxObjects = 3;
/** Maximum length of the analysed text, in characters. */
const maxTextChars = 20_000;
const maxNameChars = 200;
const parenthesisPattern = /\s*[(（][^()（）]*[)）]\s*$/;
const pronouns = new Set('he she it they this these that those we i you one'.split(' '));
/** Words that join two objects of the same predicate. */
const joiningWords = new Set(['and', 'or', 'as', 'well', 'the', 'a', 'an', 'with', 'both']);

export interface ExtractedTriplet {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
}

interface ParsedSentence {
  readonly words: readonly WordSpan[];
  /** Names in it, as positions of its words. */
  readonly names: readonly NameSpan[];
}

/**
 * Extracts the statements of sentences without a language model. The subject is the sentence's leading name, else the
 * title. Objects are the names that follow, at most three. A predicate is the text before its object, at most ten
 * words.
 */
export function extractTriplets(text: string, title: string | null): ExtractedTriplet[] {
  const read = text.slice(0, maxTextChars);
  const topic = (title ?? '').slice(0, maxNameChars).replace(parenthesisPattern, '').trim();
  const triplets = new Map<string, ExtractedTriplet>();
  const sentences = sentencesOf(read);
  const known = findCapitalized(sentences, topic);
  for (const sentence of sentences) {
    for (const triplet of tripletsOf(sentence, read, topic, known)) {
      const key = JSON.stringify(Object.values(triplet).map(normalizeName));
      if (!triplets.has(key)) triplets.set(key, triplet);
      if (triplets.size === maxTriplets) return [...triplets.values()];
    }
  }
  return [...triplets.values()];
}

/** Returns the sentences with names. */
function sentencesOf(text: string): ParsedSentence[] {
  const words = wordsOf(text);
  const numbers = sentenceNumbers(text, words);
  const starts = numbers.flatMap((number, at) => (number === numbers[at - 1] ? [] : [at]));
  const sentences = starts.map((start, number) => ({
    start,
    words: words.slice(start, starts[number + 1]),
    names: new Array<NameSpan>(),
  }));
  for (const { from, to } of removeNested(nameSpans(text, words, numbers))) {
    const sentence = sentences[numbers[from] ?? 0];
    sentence?.names.push({ from: from - sentence.start, to: to - sentence.start });
  }
  return sentences.filter(({ names }) => names.length > 0);
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

/**
 * Returns the words of the topic and the capitalised words within sentences. The first word of a sentence is always
 * capitalised.
 */
function findCapitalized(sentences: readonly ParsedSentence[], topic: string): ReadonlySet<string> {
  const known = new Set(wordsOf(topic).map(({ raw }) => raw.toLowerCase()));
  for (const { words, names } of sentences) {
    for (const { from, to } of names) {
      for (const { raw } of words.slice(Math.max(1, from), to)) known.add(raw.toLowerCase());
    }
  }
  return known;
}

function tripletsOf(
  { words, names: all }: ParsedSentence,
  text: string,
  topic: string,
  known: ReadonlySet<string>,
): ExtractedTriplet[] {
  const isName = ({ from, to }: NameSpan): boolean =>
    from > 0 || to > 1 || known.has(words[0]?.raw.toLowerCase() ?? '');
  const names = topic === '' ? all : all.filter(isName);
  const [first] = names;
  if (first === undefined) return [];
  const isLeading = topic === '' || words.slice(0, first.from).every(isFunctionWord);
  const leading = textOf(words, first, text);
  const subject = isLeading && !isSame(leading, topic) ? leading : topic;
  const objects = isLeading ? names.slice(1) : names;
  const triplets: ExtractedTriplet[] = [];
  let from = isLeading ? first.to : 0;
  let predicate = '';
  for (const object of objects.slice(0, maxObjects)) {
    const between = predicateOf(words, from, object.from, text);
    // `born in A and B`: the predicate applies to both.
    if (between !== '') predicate = between;
    from = object.to;
    const name = textOf(words, object, text);
    if (predicate === '' || isSame(name, subject)) continue;
    triplets.push({ subject, predicate, object: name });
  }
  return triplets;
}

/** Tests if a name equals the topic, ignoring an article. */
function isSame(name: string, topic: string): boolean {
  return normalizeName(topic).replace(/^(?:the|a|an) /, '') === normalizeName(name);
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
  return text.slice(start, end).replace(/\s+/g, ' ').slice(0, maxNameChars).toWellFormed();
}

function isFunctionWord({ raw }: WordSpan): boolean {
  return functionWords.has(raw.toLowerCase());
}
