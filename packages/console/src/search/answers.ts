import type { ResultEnvelope } from '@trove/client';
import { linesOf, type PartLocator } from '../parts/locators.js';

type Passage = Pick<ResultEnvelope, 'source' | 'locator' | 'content'>;

/** A passage that answers a question, in the form that `trove eval` reads. */
export interface AnswerPlace {
  /** The URI of the object, with the locator of a record or thread. */
  readonly source: string;
  /** A text that the passage contains. */
  readonly text: string;
}

export interface MarkedQuestion {
  readonly question: string;
  readonly wanted: readonly AnswerPlace[];
}

/** The text must tell a passage from the others of its object, and stay the same when other lines change. */
const textChars = { min: 20, max: 120 };

/** Returns the place of a passage: the first line that is long enough, else the longest. */
export function answerPlace({ source, locator, content }: Passage): AnswerPlace {
  const lines = content.split('\n').map((line) => line.trim());
  const longest = lines.reduce((best, line) => (line.length > best.length ? line : best), '');
  const line = lines.find(({ length }) => length >= textChars.min) ?? longest;
  return { source: addressOf(source, locator), text: cutAtWord(line) };
}

/** Lines may change, so only other locators are part of an address. */
function addressOf(source: string, locator: PartLocator): string {
  // The file would read digits after a colon as a line, and a hash as the beginning of a heading.
  const uri = source.replace(/(:\/\/[^/]*\/.*):(\d+(?:-\d+)?)$/s, '$1%3A$2');
  if (locator === null || linesOf(locator) !== null) return uri;
  return `${uri}:${JSON.stringify(locator).replaceAll('#', String.raw`\u0023`)}`;
}

export function isMarked(
  questions: readonly MarkedQuestion[],
  question: string,
  place: AnswerPlace,
): boolean {
  return questions.some((each) => each.question === question && has(each, place));
}

/** Marks a passage as an answer to a question, or removes the mark. */
export function toggleAnswer(
  questions: readonly MarkedQuestion[],
  question: string,
  place: AnswerPlace,
): MarkedQuestion[] {
  const known = questions.find((each) => each.question === question);
  if (known === undefined) return [...questions, { question, wanted: [place] }];
  const wanted = has(known, place)
    ? known.wanted.filter((each) => !isSame(each, place))
    : [...known.wanted, place];
  return questions.flatMap((each) => {
    if (each !== known) return [each];
    return wanted.length === 0 ? [] : [{ question, wanted }];
  });
}

/** Returns the file of questions for `trove eval`. */
export function questionsFile(questions: readonly MarkedQuestion[]): string {
  return questions.map((each) => `${JSON.stringify(each)}\n`).join('');
}

function has({ wanted }: MarkedQuestion, place: AnswerPlace): boolean {
  return wanted.some((each) => isSame(each, place));
}

function isSame(one: AnswerPlace, other: AnswerPlace): boolean {
  return one.source === other.source && one.text === other.text;
}

function cutAtWord(line: string): string {
  if (line.length <= textChars.max) return line;
  const end = line.lastIndexOf(' ', textChars.max);
  return line.slice(0, end < textChars.min ? textChars.max : end);
}

/** Whether a stored value is a marked question. */
export function isMarkedQuestion(value: unknown): value is MarkedQuestion {
  if (typeof value !== 'object' || value === null) return false;
  if (!('question' in value) || typeof value.question !== 'string') return false;
  return 'wanted' in value && Array.isArray(value.wanted) && value.wanted.every(isPlace);
}

function isPlace(value: unknown): value is AnswerPlace {
  if (typeof value !== 'object' || value === null) return false;
  const { source, text }: { readonly source?: unknown; readonly text?: unknown } = value;
  return typeof source === 'string' && typeof text === 'string';
}
