import { isTroveError } from '@trove/core';

import type { ConformanceCase } from '../case.js';
import { expect, expectError, expectRejection } from '../expect.js';
import { providerFaultCases } from '../provider-faults.js';
import { prompt, withModel, type FaultyLanguageModelSubject } from './subject.js';

const good = 'Repeat this word: teapot';
/** Codes that end a whole job. */
const fatal = new Set(['llm_auth_failed', 'llm_quota_exceeded', 'config_invalid']);

/** Requirements on a language model whose provider fails. */
export const languageModelFaultCases: readonly ConformanceCase<FaultyLanguageModelSubject>[] = [
  ...providerFaultCases<FaultyLanguageModelSubject>({
    codes: { auth: 'llm_auth_failed', quota: 'llm_quota_exceeded' },
    fail: ({ createFaulty }, fault, judge) =>
      withModel(
        () => createFaulty(fault),
        (model) => judge(model.complete(prompt(good))),
      ),
  }),
  {
    id: 'refused-prompt',
    title: 'rejects a refused prompt with a final error that blames nothing else',
    run: ({ create, refusedPrompt }) =>
      withModel(create, async (model) => {
        const call = model.complete(prompt(refusedPrompt));
        const error = await expectRejection(call, 'a refused prompt');
        expect(isTroveError(error), 'a refused prompt: must be a TroveError');
        expect(!error.retryable, 'a refused prompt: must not be retryable');
        expect(
          !fatal.has(error.code),
          `a refused prompt: must not be ${error.code}, which ends all further work`,
        );
      }),
  },
  {
    id: 'works-after-refusal',
    title: 'answers other prompts after a refusal',
    run: ({ create, refusedPrompt }) =>
      withModel(create, async (model) => {
        await model.complete(prompt(refusedPrompt)).catch(() => undefined);
        const { text } = await model.complete(prompt(good));
        expect(text.trim() !== '', 'an answer after a refusal must not be blank');
      }),
  },
  {
    id: 'no-answer',
    title: 'throws llm_answer_invalid for an empty answer of the model',
    run: ({ create, silencingPrompt }) =>
      withModel(create, async (model) => {
        const call = model.complete(prompt(silencingPrompt));
        await expectError(call, 'llm_answer_invalid', 'an empty answer');
      }),
  },
];
