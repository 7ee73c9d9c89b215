import { truncateLine, buildPrompt } from '@trove/runtime';
import type { GraphModel } from './model.js';

const maxTextChars = 700;
/** Whole documents may be long. */
const maxReadChars = 30_000;
const maxFactChars = 400;

/** A passage with its facts, as the language model reads it. */
export interface RerankPassage {
  readonly id: string;
  readonly title: string | null;
  readonly text: string;
  readonly facts: readonly string[];
}

const instruction =
  'To answer the question may take several of the numbered passages: one may name what another tells more about. Pick ' +
  'those that are needed for the answer, steps in between included, the most useful first. Answer with JSON: ' +
  '{"passages": [numbers]}.';

/**
 * Asks a language model once which passages help. Returns its picks, then the other passages in their order. Returns
 * null without a usable answer.
 */
export async function rerank<P extends RerankPassage>(
  model: GraphModel,
  question: string,
  passages: readonly P[],
  signal: AbortSignal,
): Promise<P[] | null> {
  const taskPassages = passages.map(({ title, text }) => ({
    title,
    text: text.slice(0, maxReadChars),
  }));
  const blocks = passages.map(({ title, facts }, at) => {
    const text = taskPassages[at]?.text ?? '';
    const head = `[${at + 1}] ${title === null ? '' : `${truncateLine(title, 200)}: `}${truncateLine(text, maxTextChars)}`;
    return facts.length === 0
      ? head
      : `${head}\nFacts: ${truncateLine(facts.join('; '), maxFactChars)}`;
  });
  const data = `Question: ${truncateLine(question, 2000)}\n\nPassages:\n${blocks.join('\n\n')}`;
  const answer = await model.tryAsk(
    'ranking',
    { kind: 'rank', question, passages: taskPassages },
    { messages: buildPrompt(instruction, data), maxTokens: 1000 },
    signal,
  );
  if (answer === null) return null;
  // Drops unknown and repeated numbers.
  const picked = new Set(answer.passages.flatMap((number) => passages[number - 1] ?? []));
  return [...picked, ...passages.filter((passage) => !picked.has(passage))];
}
