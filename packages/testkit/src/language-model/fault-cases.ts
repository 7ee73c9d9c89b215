import { isTroveError } from '@trove/core';

import type { ConformanceCase } from '../case.js';
import { expect, expectError, expectRejection } from '../expect.js';
import { providerFaultCases } from '../provider-faults.js';
import { prompt, withModel, type FaultyLanguageModelSubject } from './subject.js';

const good = 'Repeat this word: teapot';
/** What gives up the work of a whole job. */
const fatal = new Set(['llm_auth_failed', 'llm_quota_exceeded', 'config_invalid']);

/** How a language model that calls a provider must behave when the provider fails. */
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
    title: 'throws an error that is not retryable and blames nothing else when a prompt is refused',
    run: ({ create, refusedPrompt }) =>
      withModel(create, async (model) => {
        const call = model.complete(prompt(refusedPrompt));
        const error = await expectRejection(call, 'a refused prompt');
        expect(isTroveError(error), 'a refused prompt: must be a TroveError');
        expect(!error.retryable, 'a refused prompt: must not be retryable');
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
];
