import type { ResultEnvelope } from '@trove/client';
import { useEffect, useState } from 'preact/hooks';
import { base } from '../address.js';

/** A passage that answers a question, in the form that `trove eval` reads: its object, and a text that it contains. */
export interface AnswerPlace {
  readonly source: string;
  readonly text: string;
}

export interface MarkedQuestion {
  readonly question: string;
  readonly wanted: readonly AnswerPlace[];
}

const key = `trove-answers ${base}`;
const changed = 'trove-answers-changed';
/** The text must tell a passage from the others of its object, and stay the same when other lines change. */
const textChars = { min: 20, max: 120 };

/** Returns the marked questions that this tab keeps, and a function that replaces them. */
export function useMarkedQuestions(): readonly [
  readonly MarkedQuestion[],
  (questions: readonly MarkedQuestion[]) => void,
] {
  const [questions, setQuestions] = useState(storedQuestions);
  useEffect(() => {
    const update = (): void => setQuestions(storedQuestions());
    for (const event of [changed, 'storage']) addEventListener(event, update);
    return () => {
      for (const event of [changed, 'storage']) removeEventListener(event, update);
    };
  }, []);
  const replace = (next: readonly MarkedQuestion[]): void => {
    sessionStorage.setItem(key, JSON.stringify(next));
    dispatchEvent(new Event(changed));
  };
  return [questions, replace];
}

/** Removes all marks, for example when the caller signs out: they quote texts of the sources. */
export function forgetMarkedQuestions(): void {
  sessionStorage.removeItem(key);
}

/** Returns the place of a passage: the first line that is long enough, else the longest. */
export function answerPlace({ source, content }: ResultEnvelope): AnswerPlace {
  const lines = content.split('\n').map((line) => line.trim());
  const longest = lines.reduce((best, line) => (line.length > best.length ? line : best), '');
  const line = lines.find(({ length }) => length >= textChars.min) ?? longest;
  return { source, text: cutAtWord(line) };
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

function storedQuestions(): readonly MarkedQuestion[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isMarkedQuestion) : [];
  } catch {
    return [];
  }
}

function isMarkedQuestion(value: unknown): value is MarkedQuestion {
  if (typeof value !== 'object' || value === null) return false;
  if (!('question' in value) || typeof value.question !== 'string') return false;
  return 'wanted' in value && Array.isArray(value.wanted) && value.wanted.every(isPlace);
}

function isPlace(value: unknown): value is AnswerPlace {
  if (typeof value !== 'object' || value === null) return false;
  const { source, text }: { readonly source?: unknown; readonly text?: unknown } = value;
  return typeof source === 'string' && typeof text === 'string';
}
