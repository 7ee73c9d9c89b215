import { randomUUID } from 'node:crypto';
import { isTroveError, messageOf, TroveError, type Infer, type Logger } from '@trove/core';
import { taskSchemas, type LanguageTask, type LanguageTaskKind } from '@trove/core/model';
import { Allowance, validate, type LanguageModelService, type Prompt } from '@trove/runtime';

/** Of one question, and of one build. */
const maxTokensPerQuestion = 200_000;

type ModelAnswer<T extends LanguageTask> = Infer<(typeof taskSchemas)[T['kind']]>;
type TaskPrompt = Pick<Prompt, 'messages' | 'maxTokens'>;

/** Has a language model serve tasks, and treats what it says as what anybody might have written. */
export class GraphModel {
  readonly #open: () => Promise<LanguageModelService>;
  readonly #logger: Logger;

  constructor(open: () => Promise<LanguageModelService>, logger: Logger) {
    this.#open = open;
    this.#logger = logger;
  }

  /** What the model is called; null for one that cannot be opened. */
  async name(): Promise<string | null> {
    return (await this.#opened())?.model ?? null;
  }

  /** Whether it serves tasks of a kind; a model that cannot be opened serves none. */
  async serves(kind: LanguageTaskKind): Promise<boolean> {
    return (await this.#opened())?.serves(kind) ?? false;
  }

  /** Whether it understands what it reads. */
  async readsPrompts(): Promise<boolean> {
    return (await this.#opened())?.readsPrompts ?? false;
  }

  /** The answer, validated; null when there is none that can be used, whatever the reason. */
  async tryAsk<const T extends LanguageTask>(
    what: string,
    task: T,
    wording: TaskPrompt,
    signal: AbortSignal,
  ): Promise<ModelAnswer<T> | null> {
    try {
      return await this.ask(task, wording, new Allowance(maxTokensPerQuestion), signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#failed(what, error);
      return null;
    }
  }

  /** Throws what the language model's service throws. */
  async ask<const T extends LanguageTask>(
    task: T,
    wording: TaskPrompt,
    allowance: Allowance,
    signal: AbortSignal,
  ): Promise<ModelAnswer<T>> {
    const service = await this.#open();
    const kind: T['kind'] = task.kind;
    const schema = taskSchemas[kind];
    const options = { allowance, occasion: randomUUID(), fresh: false, signal };
    const text = await service.ask({ ...wording, task, schema }, options);
    return validate(schema, parsed(text), 'answer');
  }

  async #opened(): Promise<LanguageModelService | null> {
    try {
      return await this.#open();
    } catch (error) {
      this.#failed('opening', error);
      return null;
    }
  }

  #failed(what: string, error: unknown): void {
    this.#logger.warn(`${what} by the language model failed`, { error: messageOf(error) });
  }
}

/** The language models of graphs. */
export interface GraphModels {
  /** The configured one. */
  readonly primary: GraphModel;
  /** Serves what the chosen one failed to; null when that is the one that never fails. */
  readonly fallback: GraphModel | null;
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
export function isProviderError(error: unknown): boolean {
  return isTroveError(error) && providerErrorCodes.has(error.code);
}

const providerErrorCodes: ReadonlySet<string> = new Set([
  'llm_unavailable',
  'llm_auth_failed',
  'llm_quota_exceeded',
  'config_invalid',
  'timed_out',
  'not_available',
]);
