import { randomUUID } from 'node:crypto';
import { isTroveError, messageOf, TroveError, type Infer, type Logger } from '@trove/core';
import { taskSchemas, type LanguageTask, type LanguageTaskKind } from '@trove/core/model';
import { TokenBudget, validate, type LanguageModelService, type Prompt } from '@trove/runtime';

/** Per question. A build has its own limit. */
const maxTokensPerQuestion = 200_000;

type ModelAnswer<T extends LanguageTask> = Infer<(typeof taskSchemas)[T['kind']]>;
type TaskPrompt = Pick<Prompt, 'messages' | 'maxTokens'>;

/** Asks a language model to serve tasks. Validates its answers, which are untrusted. */
export class GraphModel {
  readonly #open: () => Promise<LanguageModelService>;
  readonly #logger: Logger;

  constructor(open: () => Promise<LanguageModelService>, logger: Logger) {
    this.#open = open;
    this.#logger = logger;
  }

  /** Returns the name of the model, or null if it cannot be opened. */
  async name(): Promise<string | null> {
    return (await this.#tryOpen())?.model ?? null;
  }

  /** Returns true if the model serves tasks of this kind. Returns false if it cannot be opened. */
  async serves(kind: LanguageTaskKind): Promise<boolean> {
    return (await this.#tryOpen())?.serves(kind) ?? false;
  }

  /** Returns true if the model accepts prompts. Returns false if it cannot be opened. */
  async acceptsPrompts(): Promise<boolean> {
    return (await this.#tryOpen())?.acceptsPrompts ?? false;
  }

  /** Returns a validated answer, or null on any failure. The log names the `activity`, such as `ranking`. */
  async tryAsk<const T extends LanguageTask>(
    activity: string,
    task: T,
    prompt: TaskPrompt,
    signal: AbortSignal,
  ): Promise<ModelAnswer<T> | null> {
    try {
      return await this.ask(task, prompt, new TokenBudget(maxTokensPerQuestion), signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#logFailure(activity, error);
      return null;
    }
  }

  /** Returns a validated answer. Throws the errors of the language model service. */
  async ask<const T extends LanguageTask>(
    task: T,
    prompt: TaskPrompt,
    tokenBudget: TokenBudget,
    signal: AbortSignal,
  ): Promise<ModelAnswer<T>> {
    const service = await this.#open();
    const kind: T['kind'] = task.kind;
    const schema = taskSchemas[kind];
    const options = { tokenBudget, workId: randomUUID(), fresh: false, signal };
    const text = await service.ask({ ...prompt, task, schema }, options);
    return validate(schema, parseJson(text), 'answer');
  }

  async #tryOpen(): Promise<LanguageModelService | null> {
    try {
      return await this.#open();
    } catch (error) {
      this.#logFailure('opening', error);
      return null;
    }
  }

  #logFailure(activity: string, error: unknown): void {
    this.#logger.warn(`${activity} by the language model failed`, { error: messageOf(error) });
  }
}

/** The language models of graphs. */
export interface GraphModels {
  /** The configured model. */
  readonly primary: GraphModel;
  /** Serves tasks that the primary model failed to serve; null if the primary model never fails. */
  readonly fallback: GraphModel | null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TroveError('llm_answer_invalid', 'The language model did not answer with JSON', {
      cause,
    });
  }
}

/** Tests if an error concerns the provider rather than the request. */
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
