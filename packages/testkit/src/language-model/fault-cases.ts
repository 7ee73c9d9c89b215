import { inspect } from 'node:util';
import { isTroveError, type TroveError } from '@trove/core';

import type { ConformanceCase } from '../case.js';
import { expect, expectError, expectRejection } from '../expect.js';
import { prompt, withModel, type FaultyLanguageModelSubject } from './subject.js';

const good = 'Repeat this word: teapot';
/** What gives up the work of a whole job. */
const fatal = new Set(['llm_auth_failed', 'llm_quota_exceeded', 'config_invalid']);

/** How a language model that calls a provider must behave when the provider fails. */
export const languageModelFaultCases: readonly ConformanceCase<FaultyLanguageModelSubject>[] = [
  {
    id: 'auth-failed',
    title: 'says llm_auth_failed, not retryable, when the key is refused',
    run: ({ createFaulty }) =>
      withModel(
        () => createFaulty('auth'),
        async (model) => {
          const call = model.complete(prompt(good));
          expectFinal(await expectError(call, 'llm_auth_failed', 'a refused key'), 'a refused key');
        },
      ),
  },
  {
    id: 'quota-exceeded',
    title: 'says llm_quota_exceeded, not retryable, when the quota is used up',
    run: ({ createFaulty }) =>
      withModel(
        () => createFaulty('quota'),
        async (model) => {
          const call = model.complete(prompt(good));
          const error = await expectError(call, 'llm_quota_exceeded', 'a used-up quota');
          expectFinal(error, 'a used-up quota');
        },
      ),
  },
  {
    id: 'unreachable',
    title: 'throws a retryable error when the provider cannot be reached',
    run: ({ createFaulty }) =>
      withModel(
        () => createFaulty('unreachable'),
        async (model) => {
          const call = model.complete(prompt(good));
          const error = await expectRejection(call, 'an unreachable provider');
          expect(
            isTroveError(error) && error.retryable,
            'an unreachable provider: must be retryable',
          );
        },
      ),
  },
  {
    id: 'refused-prompt',
    title: 'throws an error that is not retryable and blames nothing else when a prompt is refused',
    run: ({ create, refusedPrompt }) =>
      withModel(create, async (model) => {
        const call = model.complete(prompt(refusedPrompt));
        const error = await expectRejection(call, 'a refused prompt');
        expect(isTroveError(error), 'a refused prompt: must be a TroveError');
        expectFinal(error, 'a refused prompt');
        expect(
          !fatal.has(error.code),
          `a refused prompt: must not be ${error.code}, which gives up all further work`,
        );
      }),
  },
  {
    id: 'works-after-refusal',
    title: 'answers other prompts after it refused one',
    run: ({ create, refusedPrompt }) =>
      withModel(create, async (model) => {
        await model.complete(prompt(refusedPrompt)).catch(() => undefined);
        const { text } = await model.complete(prompt(good));
        expect(text.trim() !== '', 'an answer after a refusal must not be blank');
      }),
  },
  {
    id: 'no-answer',
    title: 'says llm_answer_invalid when the model answers with nothing',
    run: ({ create, silencingPrompt }) =>
      withModel(create, async (model) => {
        const call = model.complete(prompt(silencingPrompt));
        await expectError(call, 'llm_answer_invalid', 'an answer of nothing');
      }),
  },
  {
    id: 'keeps-its-secret',
    title: 'never shows its key in an error',
    run: async ({ createFaulty, secret }) => {
      for (const fault of ['auth', 'quota', 'unreachable'] as const) {
        await withModel(
          () => createFaulty(fault),
          async (model) => {
            const error = await expectRejection(model.complete(prompt(good)), fault);
            const shown = inspect(error, { depth: 10, showHidden: true });
            expect(!shown.includes(secret), `${fault}: the error shows the key`);
          },
        );
      }
    },
  },
];

function expectFinal(error: TroveError, what: string): void {
  expect(!error.retryable, `${what}: must not be retryable`);
}
