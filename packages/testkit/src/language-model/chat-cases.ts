import type { LanguageModel } from '@trove/core/model';

import type { ConformanceCase } from '../case.js';
import { expect, expectEqual } from '../expect.js';
import { expectAnswer, prompt, withModel, type LanguageModelSubject } from './subject.js';

const words = ['pelican', 'walnut', 'harbour', 'velvet'];
const colours = ['red', 'green', 'blue'];
const colourSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['colour', 'reasons'],
  properties: {
    colour: { type: 'string', enum: colours },
    reasons: { type: 'array', items: { type: 'string' } },
  },
} as const;
const shortAnswer = 5;
/** More than any model writes in that many tokens. */
const shortAnswerChars = 200;

/** Requirements on models that read prompts. */
export const languageModelChatCases: readonly ConformanceCase<LanguageModelSubject>[] = [
  {
    id: 'answers-the-prompt',
    title: 'answers the last message with respect to the earlier ones',
    run: ({ create }) =>
      withModel(create, async (model) => {
        const [word = ''] = words;
        const { text, truncated } = await model.complete({
          ...prompt(''),
          messages: [
            { role: 'system', content: 'You repeat what you are told to.' },
            { role: 'user', content: 'Repeat this word: teapot' },
            { role: 'assistant', content: 'teapot' },
            { role: 'user', content: `Repeat this word: ${word}` },
          ],
        });
        expect(text.toLowerCase().includes(word), `the answer lacks ${word}: ${text}`);
        expect(!truncated, 'an answer without a limit must not be truncated');
      }),
  },
  {
    id: 'takes-parts',
    title: 'accepts a message of several texts',
    run: ({ create }) =>
      withModel(create, async (model) => {
        const [, word = ''] = words;
        const { text } = await model.complete(
          prompt([
            { type: 'text', text: 'Repeat this word:' },
            { type: 'text', text: word },
          ]),
        );
        expect(text.toLowerCase().includes(word), `the answer lacks ${word}: ${text}`);
      }),
  },
  {
    id: 'answers-by-schema',
    title: 'answers in JSON according to the schema',
    run: ({ create }) =>
      withModel(create, async (model) => {
        const { text } = await model.complete(
          prompt('Which colour is the sky, and why?', { schema: colourSchema }),
        );
        expectColour(text);
      }),
  },
  {
    id: 'keeps-to-the-limit',
    title: 'stops at the maximum number of tokens and reports the truncation',
    run: ({ create }) =>
      withModel(create, async (model) => {
        const { text, truncated } = await model.complete(
          prompt(`Repeat this text: ${'one two three four '.repeat(50)}`, {
            maxTokens: shortAnswer,
          }),
        );
        expect(truncated, 'an answer that was cut off must be truncated');
        expect(text.length <= shortAnswerChars, `the answer has ${text.length} characters`);
      }),
  },
  {
    id: 'counts-tokens',
    title: 'reports its token usage, or that it is unknown',
    run: ({ create }) =>
      withModel(create, async (model) => {
        const { usage } = await model.complete(prompt('Repeat this word: teapot'));
        if (usage === null) return;
        for (const count of [usage.input, usage.output]) {
          expect(Number.isSafeInteger(count) && count > 0, `a number of tokens is ${count}`);
        }
      }),
  },
  {
    id: 'odd-texts',
    title: 'accepts control characters, lone surrogates and other scripts',
    run: ({ create }) =>
      withModel(create, async (model) => {
        const odd = '\u0000\t語の例文です。😀 \ud800 half a pair';
        expectAnswer((await model.complete(prompt(`Repeat this text: ${odd}`))).text);
      }),
  },
  {
    id: 'concurrent-calls',
    title: 'separates concurrent calls',
    run: ({ create }) =>
      withModel(create, async (model) => {
        const answers = await Promise.all(
          words.map((word) => model.complete(prompt(`Repeat this word: ${word}`))),
        );
        words.forEach((word, at) => {
          const text = answers[at]?.text.toLowerCase() ?? '';
          expect(text.includes(word), `the answer lacks ${word}: ${text}`);
        });
      }),
  },
];

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Requirements on models that understand images. */
export const languageModelImageCases: readonly ConformanceCase<LanguageModelSubject>[] = [
  {
    id: 'takes-images',
    title: 'answers a message with a text and an image',
    run: ({ create }) =>
      withModel(create, async (model) => expectAnswer((await describe(model)).text)),
  },
];

function describe(model: LanguageModel): ReturnType<LanguageModel['complete']> {
  return model.complete(
    prompt([
      { type: 'text', text: 'Describe this image.' },
      { type: 'image', mediaType: 'image/png', bytes: png },
    ]),
  );
}

function expectColour(text: string): void {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new Error(`the answer is not JSON: ${text}`);
  }
  expect(typeof answer === 'object' && answer !== null, 'the answer is not an object');
  const { colour, reasons, ...others } = Object.fromEntries<unknown>(Object.entries(answer));
  expect(
    colours.some((each) => each === colour),
    `colour: is ${JSON.stringify(colour)}`,
  );
  expect(
    Array.isArray(reasons) && reasons.every((reason) => typeof reason === 'string'),
    'reasons: must be texts',
  );
  expectEqual(Object.keys(others), [], 'properties outside the schema');
}
