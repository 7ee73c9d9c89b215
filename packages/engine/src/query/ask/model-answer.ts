import { randomUUID } from 'node:crypto';
import type { Infer, JsonSchema } from '@trove/core';
import {
  buildPrompt,
  TokenBudget,
  truncateLine,
  validate,
  type LanguageModelService,
} from '@trove/runtime';
import type { ResultEnvelope } from '../../api/schemas.js';
import { openAnswerStreams, type AnswerReceiver } from './answer-stream.js';
import { CitationList, escapeMarks, toLine } from './citations.js';
import { maxStatements } from './partial-answer.js';
import { findQuote } from './quote-matching.js';
import type { VerifiedAnswer } from './quoting.js';

/** The limits for one question. */
const maxTokens = 200_000;
const maxAnswerTokens = 4000;
const maxPassageChars = 6000;
/** A call that waits longer for a free slot or a retry is given up. */
const maxWaitMs = 20_000;
const maxStatementChars = 2000;

const instruction =
  'Answer the question from the numbered passages alone, in the language of the question, in one to five statements. ' +
  'Each passage is one line of JSON. Support each statement with one or more citations: the number of a passage and a ' +
  'quote of 4 to 30 words that occurs in its text word for word. Do not write numbers in brackets. Leave out ' +
  'statements without support. If the passages do not hold the answer, set "found" to false and leave "statements" ' +
  'empty. Answer with JSON: {"found": true, "statements": [{"text": "…", "citations": [{"passage": 1, "quote": "…"}]}]}.';

const answerSchema = {
  type: 'object',
  properties: {
    found: { type: 'boolean', description: 'Whether the passages contain the answer.' },
    statements: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          text: { type: 'string', description: 'One sentence of the answer.' },
          citations: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                passage: { type: 'integer', description: 'Number of the passage.' },
                quote: { type: 'string', description: 'Words of the passage, copied exactly.' },
              },
              required: ['passage', 'quote'],
              additionalProperties: false,
            },
          },
        },
        required: ['text', 'citations'],
        additionalProperties: false,
      },
    },
  },
  required: ['found', 'statements'],
  additionalProperties: false,
} as const satisfies JsonSchema;

type ModelAnswer = Infer<typeof answerSchema>;

export interface VerifiedModelAnswer extends VerifiedAnswer {
  /** Number of statements without a verified citation. The answer does not contain them. */
  readonly removed: number;
}

/**
 * Asks a language model to answer from passages. Keeps only statements with a quote that occurs in the cited passage.
 * `receiver` gets the text of each statement when it is complete, unless the answer is cached. Throws the errors of the
 * language model service.
 */
export async function askModel(
  model: LanguageModelService,
  question: string,
  passages: readonly ResultEnvelope[],
  signal: AbortSignal,
  receiver?: AnswerReceiver,
): Promise<VerifiedModelAnswer> {
  // A passage cannot imitate another one, because JSON escapes its line breaks.
  const blocks = passages.map(({ content, metadata: { title } }, at) =>
    JSON.stringify({
      passage: at + 1,
      ...(title === null ? {} : { title: truncateLine(title, 200) }),
      text: content.slice(0, maxPassageChars).toWellFormed(),
    }),
  );
  const data = `Question: ${truncateLine(question, 2000)}\n\nPassages:\n${blocks.join('\n')}`;
  const answer = await model.ask(
    {
      messages: buildPrompt(instruction, data),
      schema: answerSchema,
      maxTokens: maxAnswerTokens,
    },
    {
      tokenBudget: new TokenBudget(maxTokens),
      workId: randomUUID(),
      fresh: false,
      queueSignal: AbortSignal.timeout(maxWaitMs),
      signal,
      ...(receiver === undefined
        ? {}
        : {
            openStream: openAnswerStreams((partial) => verifiedText(partial, passages), receiver),
          }),
    },
  );
  return verifyAnswer(validate(answerSchema, JSON.parse(answer), 'answer'), passages);
}

/** Returns the text of an incomplete answer, or '' if it does not match the schema yet. */
function verifiedText(partial: unknown, passages: readonly ResultEnvelope[]): string {
  try {
    return verifyAnswer(validate(answerSchema, partial, 'answer'), passages).answer;
  } catch {
    return '';
  }
}

/** Removes citations whose quotes do not occur in their passages, and statements without citations. */
function verifyAnswer(
  { found, statements }: ModelAnswer,
  passages: readonly ResultEnvelope[],
): VerifiedModelAnswer {
  const citations = new CitationList();
  const read = found ? statements.slice(0, maxStatements) : [];
  const kept = read.flatMap(({ text, citations: claimed }) => {
    const statement = toStatement(text);
    if (statement === '') return [];
    const marks = claimed.flatMap(({ passage: number, quote }) => {
      const passage = passages[number - 1];
      const span = passage === undefined ? null : findQuote(passage.content, quote);
      return passage === undefined || span === null ? [] : [citations.add(passage, span)];
    });
    return marks.length === 0 ? [] : [`${statement} ${[...new Set(marks)].join('')}`];
  });
  return {
    answer: kept.join(' '),
    citations: citations.items,
    removed: read.length - kept.length,
  };
}

/** Removes the model's own marks. Other bracketed numbers are escaped. */
function toStatement(text: string): string {
  const own = text.slice(0, maxStatementChars).toWellFormed();
  return escapeMarks(toLine(own.replaceAll(/(?:^|\s+|(?<=[.,;:!?)\]]))\[\d[\d,;\s]*\]/gu, '')));
}
