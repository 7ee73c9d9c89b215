import { randomUUID } from 'node:crypto';
import {
  isTroveError,
  messageOf,
  TroveError,
  type JsonSchema,
  type Infer,
  type Logger,
} from '@trove/core';
import { Allowance, validate, type LanguageModelService, type Prompt } from '@trove/runtime';

/** Of one question, and of one build. */
const tokensPerQuestion = 200_000;

/** Asks the configured language model for JSON, and treats what it says as what anybody might have written. */
export class GraphModel {
  readonly #open: () => Promise<LanguageModelService>;
  readonly #logger: Logger;

  constructor(open: () => Promise<LanguageModelService>, logger: Logger) {
    this.#open = open;
    this.#logger = logger;
  }

  /** The answer, validated; null when there is none that can be used, whatever the reason. */
  async tryAsk<const S extends JsonSchema>(
    what: string,
    prompt: Prompt & { readonly schema: S },
    signal: AbortSignal,
  ): Promise<Infer<S> | null> {
    try {
      return await this.ask(prompt, new Allowance(tokensPerQuestion), signal);
    } catch (error) {
      signal.throwIfAborted();
      const reason = messageOf(error);
      this.#logger.warn(`${what} by the language model failed`, { error: reason });
      return null;
    }
  }

  /** For a constant schema. Throws what the language model's service throws. */
  async ask<const S extends JsonSchema>(
    prompt: Prompt & { readonly schema: S },
    allowance: Allowance,
    signal: AbortSignal,
  ): Promise<Infer<S>> {
    const service = await this.#open();
    const options = { allowance, occasion: randomUUID(), fresh: false, signal };
    const text = await service.ask(prompt, options);
    return validate(prompt.schema, parsed(text), 'answer');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TroveError('llm_answer_invalid', 'The language model did not answer with JSON', {
      cause,
    });
  }
}

/** Whether an error is about the provider rather than about what was asked. */
export function isAboutProvider(error: unknown): boolean {
  return isTroveError(error) && providerCodes.has(error.code);
}

const providerCodes: ReadonlySet<string> = new Set([
  'llm_unavailable',
  'llm_auth_failed',
  'llm_quota_exceeded',
  'config_invalid',
  'timed_out',
  'not_available',
]);
