import { createHash } from 'node:crypto';
import { isTroveError, messageOf, TroveError, type Logger } from '@trove/core';
import type {
  ChatMessage,
  Completion,
  CompletionRequest,
  LanguageModel,
  LanguageTaskKind,
  TokenUsage,
} from '@trove/core/model';
import type { TransformationCache } from '@trove/core/store';
import { anySignal, createAbortController, rejectOnAbort, delay, withAnySignal } from '../abort.js';
import { Budget } from '../budget.js';
import type { Guard } from '../plugins/guard.js';
import { retryPause, withRetries } from '../retry.js';
import { validate, validateOnce } from '../validation.js';
import type { TokenBudget } from './token-budget.js';
import {
  parseAnswer,
  encodeAnswer,
  checkCompletion,
  checkPiece,
  type CachedAnswer,
} from './cached-answer.js';
import { CallCounter, type CallCounts, type LookupCounts } from './counts.js';
import { Memo } from './memo.js';

/** Characters per token for estimates before a call. Overestimates the tokens of most languages. */
const charsPerToken = 3;
/** Maximum number of tokens of an image, as providers document it. */
const tokensPerImage = 1600;

/** A prompt. Equal prompts have equal cached answers. */
export interface Prompt extends Pick<CompletionRequest, 'messages' | 'schema' | 'task'> {
  readonly maxTokens: number;
}

export interface AskOptions {
  /** The token limit that the call counts against. */
  readonly tokenBudget: TokenBudget;
  /** Identifies the work that needs the answer, such as a job. */
  readonly workId: string;
  /** Ignores cached answers of other work. */
  readonly fresh: boolean;
  /**
   * Cancels a call that waits for a slot or a retry. A call that the model processes continues, because it is
   * paid for.
   */
  readonly queueSignal?: AbortSignal;
  /**
   * Requests the answer in pieces. Called before each attempt, and returns the receiver of its pieces. A further attempt
   * makes the pieces of the last one void. Cached answers and models that cannot stream send no pieces.
   */
  readonly openStream?: () => NonNullable<CompletionRequest['onText']>;
  readonly signal: AbortSignal;
}

/** The static properties of a language model. */
export type LanguageModelFacts = Pick<LanguageModel, 'model' | 'tasks'>;

export interface LanguageModelLimits {
  /** Maximum number of concurrent calls. */
  readonly concurrency: number;
  /** Time limit of a call in milliseconds. */
  readonly timeoutMs: number;
}

export interface LanguageModelCounts {
  readonly calls: CallCounts;
  readonly tokens: TokenUsage;
  readonly lookups: LookupCounts;
}

/** Calls a language model: each prompt once, with limited concurrency, within a token limit. */
export class LanguageModelService {
  readonly model: string;
  /** The kinds of tasks that a model without prompts serves. Null for a model that accepts prompts. */
  readonly #tasks: readonly LanguageTaskKind[] | null;
  readonly #guard: Guard<LanguageModel>;
  readonly #memo: Memo;
  readonly #limits: LanguageModelLimits;
  readonly #calls: Budget;
  readonly #counter = new CallCounter();
  #tokens: TokenUsage = { input: 0, output: 0 };
  readonly #signal: AbortSignal;
  /** The latest call per prompt key. */
  readonly #pending = new Map<string, Promise<unknown>>();
  /** End of the pause that the provider demands, on the monotonic clock. */
  #pausedUntil = 0;

  constructor(
    { model, tasks }: LanguageModelFacts,
    guard: Guard<LanguageModel>,
    cache: TransformationCache | null,
    limits: LanguageModelLimits,
    logger: Logger,
    signal: AbortSignal,
  ) {
    this.model = model;
    this.#tasks = tasks ?? null;
    this.#guard = guard;
    this.#memo = new Memo(cache, logger);
    this.#limits = limits;
    this.#calls = new Budget(limits.concurrency);
    this.#signal = signal;
  }

  /** Whether the model accepts prompts, rather than only serving tasks. */
  get acceptsPrompts(): boolean {
    return this.#tasks === null;
  }

  serves(kind: LanguageTaskKind): boolean {
    return this.#tasks?.includes(kind) ?? true;
  }

  get counts(): LanguageModelCounts {
    return { calls: this.#counter.counts, tokens: this.#tokens, lookups: this.#memo.lookups };
  }

  /**
   * Returns the text of the answer. The answer to a prompt with a schema is valid JSON. Throws the model's last
   * error, `timed_out`, `llm_answer_invalid`, `llm_budget_exceeded`, or the signal's reason.
   */
  async ask(prompt: Prompt, options: AskOptions): Promise<string> {
    const key = this.#key(prompt);
    const { signal, end } = anySignal(this.#signal, options.signal);
    // A caller with the same prompt waits and then gets the cached answer.
    const before = this.#pending.get(key);
    const pending = settle(before).then(() =>
      this.#recallOrAsk(key, prompt, { ...options, signal }),
    );
    this.#pending.set(key, pending);
    try {
      return await rejectOnAbort(pending, signal);
    } finally {
      end();
      if (this.#pending.get(key) === pending) this.#pending.delete(key);
    }
  }

  async #recallOrAsk(key: string, prompt: Prompt, options: AskOptions): Promise<string> {
    options.signal.throwIfAborted();
    const known = parseAnswer((await this.#memo.getMany([key])).get(key));
    if (known !== null && (!options.fresh || known.workId === options.workId)) return known.text;
    const { workId, queueSignal, signal } = options;
    await withAnySignal([queueSignal, signal], (waiting) => this.#calls.acquire(1, waiting));
    try {
      const text = await this.#ask(prompt, options);
      const answer: CachedAnswer = { text, workId };
      // Stored before the slot is released, because otherwise the next caller could pay for the same answer.
      await this.#memo.putMany(new Map([[key, encodeAnswer(answer)]]));
      return text;
    } finally {
      this.#calls.release(1);
    }
  }

  async #ask(prompt: Prompt, options: AskOptions): Promise<string> {
    const { text } = await this.#complete(prompt, options);
    const problem = problemOf(text, prompt);
    if (problem === null) return text;
    const again = await this.#complete(buildCorrection(prompt, text, problem), options);
    const secondProblem = problemOf(again.text, prompt);
    if (secondProblem === null) return again.text;
    throw new TroveError(
      'llm_answer_invalid',
      `The answer of the language model does not match the schema: ${secondProblem}`,
    );
  }

  /** Gets one answer and counts its tokens. */
  async #complete(
    prompt: Prompt,
    { tokenBudget, queueSignal, openStream, signal }: AskOptions,
  ): Promise<Completion> {
    const input = this.acceptsPrompts ? inputTokens(prompt) : 0;
    const reserved = this.acceptsPrompts ? input + prompt.maxTokens : 0;
    await withAnySignal([queueSignal, signal], (waiting) => tokenBudget.reserve(reserved, waiting));
    let use: TokenUsage | null = null;
    try {
      const completion = await withAnySignal([queueSignal, signal], (waiting) =>
        withRetries(() => this.#call(prompt, waiting, signal, openStream?.()), waiting),
      );
      use = completion.usage ?? {
        input,
        output: Math.ceil(completion.text.length / charsPerToken),
      };
      return completion;
    } catch (error) {
      // The provider charges for invalid answers, too.
      if (isTroveError(error) && error.code === 'llm_answer_invalid') use = { input, output: 0 };
      throw error;
    } finally {
      tokenBudget.settle(reserved, use, input);
      this.#countTokens(use);
    }
  }

  #countTokens(use: TokenUsage | null): void {
    const { input, output } = this.#tokens;
    if (use !== null) this.#tokens = { input: input + use.input, output: output + use.output };
  }

  async #call(
    prompt: Prompt,
    waiting: AbortSignal,
    signal: AbortSignal,
    receive: CompletionRequest['onText'],
  ): Promise<Completion> {
    await delay(Math.max(0, this.#pausedUntil - performance.now()), waiting);
    waiting.throwIfAborted();
    const { timeoutMs } = this.#limits;
    // Also ends a call at its time limit, because the provider would continue to write and charge.
    const failed = createAbortController();
    const call = anySignal(signal, failed.signal);
    const request = { ...prompt, ...streamOptions(receive, call.signal), signal: call.signal };
    try {
      return await this.#counter.count(
        this.#guard.call('complete', timeoutMs, signal, async (model) =>
          checkCompletion(await model.complete(request)),
        ),
      );
    } catch (error) {
      failed.abort(error);
      if (!isTroveError(error)) throw error;
      if (error.retryAfterMs !== undefined)
        this.#pausedUntil = performance.now() + retryPause(1, error);
      throw error.code === 'timed_out' ? tooSlow(timeoutMs, error) : error;
    } finally {
      call.end();
    }
  }

  #key({ messages, schema, task, maxTokens }: Prompt): string {
    const hash = createHash('sha256').update('completion\0').update(this.model);
    hash.update(JSON.stringify([schema ?? null, task ?? null, maxTokens]));
    for (const { role, content } of messages) {
      hash.update(`\0${role}\0`);
      for (const part of partsOf(content)) {
        const [type, value] =
          part.type === 'text' ? ['text', part.text] : [part.mediaType, part.bytes];
        hash.update(`\0${type}\0${value.length}\0`).update(value);
      }
    }
    return hash.digest('hex');
  }
}

/** Returns a receiver of pieces that ends with its call. */
function streamOptions(
  receive: CompletionRequest['onText'],
  signal: AbortSignal,
): Pick<CompletionRequest, 'onText'> {
  if (receive === undefined) return {};
  return {
    onText: async (piece) => {
      signal.throwIfAborted();
      await receive(checkPiece(piece));
    },
  };
}

/** Not retryable, because a retry would take as long and cost as much. */
function tooSlow(timeoutMs: number, cause: TroveError): TroveError {
  return new TroveError(
    'timed_out',
    `The language model did not answer within ${timeoutMs / 1000} s`,
    { cause, suggestions: ['Raise `[llm].timeout_s`, or use a faster model.'] },
  );
}

async function settle(promise: Promise<unknown> | undefined): Promise<void> {
  await Promise.allSettled([promise]);
}

function partsOf(content: ChatMessage['content']): Exclude<ChatMessage['content'], string> {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** Estimates the tokens of a prompt. */
function inputTokens({ messages, schema }: Prompt): number {
  const parts = messages.flatMap(({ content }) => partsOf(content));
  const tokens = parts.map((part) =>
    part.type === 'text' ? Math.ceil(part.text.length / charsPerToken) : tokensPerImage,
  );
  const ofSchema = Math.ceil(JSON.stringify(schema ?? '').length / charsPerToken);
  return tokens.reduce((sum, each) => sum + each, ofSchema);
}

/**
 * Returns the problem of an answer, or null. Schemas of tasks are few and constant, so their validators are
 * cached.
 */
function problemOf(text: string, { schema, task }: Prompt): string | null {
  if (schema === undefined) return null;
  const check = task === undefined ? validateOnce : validate;
  try {
    check(schema, JSON.parse(text), 'answer');
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

function buildCorrection(prompt: Prompt, answer: string, problem: string): Prompt {
  return {
    ...prompt,
    messages: [
      ...prompt.messages,
      { role: 'assistant', content: answer },
      { role: 'user', content: `That is not valid: ${problem}. Answer again, with JSON only.` },
    ],
  };
}
