import { setTimeout as sleep } from 'node:timers/promises';
import type { CompletionRequest, LanguageModel } from '@trove/core/model';

import type { ConformanceCase } from '../case.js';
import { expect, expectEqual, expectRejection, expectSettled } from '../expect.js';
import { prompt, withModel, type LanguageModelSubject } from './subject.js';

const maxSettleMs = 3000;
/** Time in which a model that does not wait would send further pieces. */
const idleMs = 100;
const long = `Repeat this text: ${'one two three four '.repeat(20)}`;
const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['colours', 'reason'],
  properties: {
    colours: { type: 'array', items: { type: 'string' } },
    reason: { type: 'string' },
  },
} as const;

/** Requirements on models that read prompts and stream their answers. */
export const languageModelStreamCases: readonly ConformanceCase<LanguageModelSubject>[] = [
  {
    id: 'streams-its-answer',
    title: 'streams its answer in several pieces',
    run: ({ create }) =>
      withModel(create, async (model) => {
        const pieces: string[] = [];
        const { text } = await model.complete(
          prompt(long, { onText: (piece) => void pieces.push(piece) }),
        );
        expectEqual(pieces.join(''), text, 'the joined pieces');
        expect(pieces.length > 1, `the answer came in ${pieces.length} pieces`);
      }),
  },
  {
    id: 'streams-json',
    title: 'streams JSON without other text',
    run: ({ create }) =>
      withModel(create, async (model) => {
        let streamed = '';
        const { text } = await model.complete(
          prompt('Which colours has the sky?', {
            schema,
            onText: (piece) => void (streamed += piece),
          }),
        );
        expectEqual(streamed, text, 'the joined pieces of JSON');
      }),
  },
  {
    id: 'waits-for-its-reader',
    title: 'sends no piece before the reader has taken the last one',
    run: ({ create }) =>
      withModel(create, async (model) => {
        let release = (): void => {};
        const taken = new Promise<void>((resolve) => (release = resolve));
        const pieces: string[] = [];
        const call = model.complete(
          prompt(long, {
            onText: (piece) => {
              pieces.push(piece);
              return pieces.length === 1 ? taken : undefined;
            },
          }),
        );
        try {
          await firstOf(pieces, call);
          await sleep(idleMs);
          expect(
            pieces.length === 1,
            `${pieces.length - 1} pieces came before the first was taken`,
          );
        } finally {
          release();
          await call.catch(() => undefined);
        }
        expectEqual(pieces.join(''), (await call).text, 'the joined pieces');
      }),
  },
  {
    id: 'stops-with-its-reader',
    title: 'ends with the error of its reader',
    run: ({ create }) =>
      withModel(create, async (model) => {
        const problem = new Error('The reader is gone.');
        const call = stoppedCall(model, () => {
          throw problem;
        });
        await expectSettled(call, maxSettleMs, 'a call without a reader');
        expect(
          (await expectRejection(call, 'a call without a reader')) === problem,
          'the error must be the error of the reader',
        );
      }),
  },
  {
    id: 'aborted-while-streaming',
    title: 'ends soon after an abort during its answer and sends no further piece',
    run: ({ create }) =>
      withModel(create, async (model) => {
        const controller = new AbortController();
        let count = 0;
        const call = stoppedCall(
          model,
          () => {
            count++;
            controller.abort();
          },
          controller.signal,
        );
        await expectSettled(call, maxSettleMs, 'an aborted stream');
        await expectRejection(call, 'an aborted stream');
        expect(count === 1, `${count - 1} pieces came after the abort`);
      }),
  },
];

function stoppedCall(
  model: LanguageModel,
  onText: () => void,
  signal: CompletionRequest['signal'] = new AbortController().signal,
): ReturnType<LanguageModel['complete']> {
  return model.complete(prompt(long, { onText, signal }));
}

/** Resolves when there is a piece, or with the call. */
async function firstOf(pieces: readonly string[], call: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = (): void => void (isOver = true);
  call.then(over, over);
  while (pieces.length === 0 && !isOver) await sleep(5);
}
