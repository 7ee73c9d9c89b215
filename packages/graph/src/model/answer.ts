import type { TaskPassage } from '@trove/core/model';
import { truncateLine, buildPrompt } from '@trove/runtime';
import type { GraphModel } from './model.js';

const maxPassageChars = 4000;
/** For all passages together, because whole documents may be long. */
const maxReadChars = 1_000_000;
const maxAnswerChars = 20_000;
export const notFound = 'not found in this graph';

const instruction =
  'Answer the question from the numbered passages alone, in the language of the question, in a few sentences. After each ' +
  'statement put the numbers of the passages that it is from in square brackets, like [1][3]. If the passages do not hold ' +
  'the answer, set "found" to false and say in "answer" what is missing. Answer with JSON: {"answer": "…", "found": true}.';

/** A passage that an answer may cite. */
export interface CitedPassage extends TaskPassage {
  readonly id: string;
}

/**
 * Asks a language model for an answer that cites passages by their ids in square brackets. Returns null without a
 * usable answer. Drops citations of unknown passages.
 */
export async function askForAnswer(
  model: GraphModel,
  question: string,
  passages: readonly CitedPassage[],
  signal: AbortSignal,
): Promise<string | null> {
  const readChars = Math.floor(maxReadChars / Math.max(1, passages.length));
  const taskPassages = passages.map(({ title, text }) => ({
    title,
    text: text.slice(0, readChars),
  }));
  const blocks = taskPassages.map(
    ({ text }, at) => `[${at + 1}] ${truncateLine(text, maxPassageChars)}`,
  );
  const data = `Question: ${truncateLine(question, 2000)}\n\nPassages:\n${blocks.join('\n\n')}`;
  const answer = await model.tryAsk(
    'answering',
    { kind: 'answer', question, passages: taskPassages },
    { messages: buildPrompt(instruction, data), maxTokens: 1500 },
    signal,
  );
  if (answer === null || answer.answer.trim() === '') return null;
  const text = replaceCitations(answer.answer.slice(0, maxAnswerChars).toWellFormed(), passages);
  return answer.found ? text : `${notFound}: ${text}`;
}

/** Replaces numbers with ids. Quoted numbers are written `\[3\]`. */
function replaceCitations(text: string, passages: readonly CitedPassage[]): string {
  const idsOf = (numbers: string): string =>
    numbers
      .split(/[,;\s]+/u)
      .flatMap((number) => passages[Number(number) - 1] ?? [])
      .map(({ id }) => `[${id}]`)
      .join('');
  return text
    .replaceAll(/ ?\[(\d{1,3}(?:[,;\s]+\d{1,3})*)\]/gu, (_all, numbers: string) => {
      const ids = idsOf(numbers);
      return ids === '' ? '' : ` ${ids}`;
    })
    .replaceAll(/\\\[([\d,;\s]+)\\\]/gu, '[$1]');
}
