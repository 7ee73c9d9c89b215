import type { CompletionRequest, LanguageModel } from '@trove/core/model';

import { expect } from '../expect.js';

/** What the language-model suite runs on. */
export interface LanguageModelSubject {
  /** Creates a new model; the suite closes it. */
  readonly create: () => Promise<LanguageModel>;
}

export type LanguageModelFault = 'auth' | 'quota' | 'unreachable';

/** For models that call a provider: also how to make it fail. */
export interface FaultyLanguageModelSubject extends LanguageModelSubject {
  /** A model whose provider rejects the key, reports an exhausted quota, or cannot be reached. */
  readonly createFaulty: (fault: LanguageModelFault) => Promise<LanguageModel>;
  /** A prompt that the provider refuses. */
  readonly refusedPrompt: string;
  /** A prompt that the model answers with nothing. */
  readonly silencingPrompt: string;
  /** The key that the models are created with, which must never be revealed. */
  readonly secret: string;
}

/** Runs with a new model, closed afterwards. */
export async function withModel(
  make: () => Promise<LanguageModel>,
  run: (model: LanguageModel) => Promise<void>,
): Promise<void> {
  const model = await make();
  try {
    await run(model);
  } finally {
    await model.close?.();
  }
}

/** A request of one message by the user. */
export function prompt(
  content: CompletionRequest['messages'][number]['content'],
  more: Partial<CompletionRequest> = {},
): CompletionRequest {
  return {
    messages: [{ role: 'user', content }],
    signal: new AbortController().signal,
    ...more,
  };
}

export function expectAnswer(text: unknown): void {
  expect(typeof text === 'string' && text.trim() !== '', 'an answer must not be blank');
}
