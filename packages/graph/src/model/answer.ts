import type { JsonSchema } from '@trove/core';
import type { GraphModel } from './model.js';
import { line, promptOf } from './prompts.js';

const maxPassageChars = 4000;
const maxAnswerChars = 20_000;
export const notFound = 'not found in this graph';

const schema = {
  type: 'object',
  properties: {
    answer: {
      type: 'string',
      description: 'With the numbers of the passages that it is from in square brackets: [1][3].',
    },
    found: { type: 'boolean', description: 'Whether the passages hold the answer.' },
  },
  required: ['answer', 'found'],
  additionalProperties: false,
} as const satisfies JsonSchema;

const task =
  'Answer the question from the numbered passages alone, in the language of the question, in a few sentences. After each ' +
  'statement put the numbers of the passages that it is from in square brackets, like [1][3]. If the passages do not hold ' +
  'the answer, set "found" to false and say in "answer" what is missing. Answer with JSON: {"answer": "…", "found": true}.';

/**
 * The answer of the language model, citing passages by their ids in square brackets; null when it gave none that can be
 * used. What it cites that it was not given is left out.
 */
export async function modelAnswer(
  model: GraphModel,
  question: string,
  passages: readonly { readonly id: string; readonly text: string }[],
  signal: AbortSignal,
): Promise<string | null> {
  const blocks = passages.map(({ text }, at) => `[${at + 1}] ${line(text, maxPassageChars)}`);
  const data = `Question: ${line(question, 2000)}\n\nPassages:\n${blocks.join('\n\n')}`;
  const prompt = { messages: promptOf(task, data), schema, maxTokens: 1500 };
  const answer = await model.tryAsk('answering', prompt, signal);
  if (answer === null || answer.answer.trim() === '') return null;
  const text = cited(answer.answer.slice(0, maxAnswerChars).toWellFormed(), passages);
  return answer.found ? text : `${notFound}: ${text}`;
}

function cited(text: string, passages: readonly { readonly id: string }[]): string {
  const idsOf = (numbers: string): string =>
    numbers
      .split(/[,;\s]+/u)
      .flatMap((number) => passages[Number(number) - 1] ?? [])
      .map(({ id }) => `[${id}]`)
      .join('');
  return text.replaceAll(/ ?\[(\d{1,3}(?:[,;\s]+\d{1,3})*)\]/gu, (_all, numbers: string) => {
    const ids = idsOf(numbers);
    return ids === '' ? '' : ` ${ids}`;
  });
}
