import type { CompletionRequest, LanguageModel } from '@trove/core/model';

import { expect } from '../expect.js';

/** The subject of the language-model suite. */
export interface LanguageModelSubject {
  /** Creates a model, which the suite closes. */
  readonly create: () => Promise<LanguageModel>;
}

export type LanguageModelFault = 'auth' | 'quota' | 'unreachable';

/** For models that call a provider, with ways to make it fail. */
export interface FaultyLanguageModelSubject extends LanguageModelSubject {
  /** Creates a model whose provider rejects the key, reports an exhausted quota, or is unreachable. */
  readonly createFaulty: (fault: LanguageModelFault) => Promise<LanguageModel>;
  /** A prompt that the provider refuses. */
  readonly refusedPrompt: string;
  /** A prompt that gets an empty answer. */
  readonly silencingPrompt: string;
  /** The key of the models, which must never be revealed. */
  readonly secret: string;
}

/** Runs with a new model and closes it afterwards. */
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

/** Returns a request with one user message. */
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
