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
import { anySignal, rejectOnAbort, delay, withAnySignal } from '../abort.js';
import { Budget } from '../budget.js';
import type { Guard } from '../plugins/guard.js';
import { retryPause, withRetries } from '../retry.js';
import { validate, validateOnce } from '../validation.js';
import type { Allowance } from './allowance.js';
import { parseAnswer, encodeAnswer, checkCompletion, type CachedAnswer } from './cached-answer.js';
import { CallCounter, type CallCounts, type LookupCounts } from './counts.js';
import { Memo } from './memo.js';

/** A rough measure, on the high side for most languages, for what must be known before a call. */
const charsPerToken = 3;
/** What an image takes, at most, with the providers that say. */
const tokensPerImage = 1600;

/** What is asked; equal prompts have equal answers. */
export interface Prompt extends Pick<CompletionRequest, 'messages' | 'schema' | 'task'> {
  readonly maxTokens: number;
}

export interface AskOptions {
  /** What pays for it. */
  readonly allowance: Allowance;
  /** Names the work that the answer is for, such as a job. */
  readonly occasion: string;
  /** Takes no answer that was remembered from another occasion. */
  readonly fresh: boolean;
  /** Ends a call that waits, for its turn or to be tried again; one that the model works on, and is paid for, goes on. */
  readonly queueSignal?: AbortSignal;
  readonly signal: AbortSignal;
}

/** What a language model says of itself. */
export type LanguageModelFacts = Pick<LanguageModel, 'model' | 'tasks'>;

export interface LanguageModelLimits {
  /** Calls at a time. */
  readonly concurrency: number;
  /** How long a call may take, in milliseconds. */
  readonly timeoutMs: number;
}

export interface LanguageModelCounts {
  readonly calls: CallCounts;
  readonly tokens: TokenUsage;
  readonly lookups: LookupCounts;
}

/** Asks a language model: each question once, some at a time, within what the asker may spend. */
export class LanguageModelService {
  readonly model: string;
  /** The kinds of tasks that it serves, if it reads no prompts. */
  readonly #tasks: readonly LanguageTaskKind[] | null;
  readonly #guard: Guard<LanguageModel>;
  readonly #memo: Memo;
  readonly #limits: LanguageModelLimits;
  readonly #calls: Budget;
  readonly #counter = new CallCounter();
  #tokens: TokenUsage = { input: 0, output: 0 };
  readonly #signal: AbortSignal;
  /** The last of those that ask the same, by the key of what they ask. */
  readonly #asking = new Map<string, Promise<unknown>>();
  /** Until when the provider wants to be left alone, by a clock that nobody sets. */
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

  /** Whether it can be asked anything, rather than to serve tasks alone. */
  get readsPrompts(): boolean {
    return this.#tasks === null;
  }

  serves(kind: LanguageTaskKind): boolean {
    return this.#tasks?.includes(kind) ?? true;
  }

  get counts(): LanguageModelCounts {
    return { calls: this.#counter.counts, tokens: this.#tokens, lookups: this.#memo.lookups };
  }

  /**
   * The text of the answer; to a prompt with a schema, JSON that validates. Throws the model's error when it keeps
   * failing, `timed_out`, `llm_answer_invalid`, `llm_allowance_spent`, or the signal's reason.
   */
  async ask(prompt: Prompt, options: AskOptions): Promise<string> {
    const key = this.#key(prompt);
    const { signal, end } = anySignal(this.#signal, options.signal);
    // Whoever asks the same waits, and is then given what is remembered.
    const before = this.#asking.get(key);
    const asked = settle(before).then(() => this.#recallOrAsk(key, prompt, { ...options, signal }));
    this.#asking.set(key, asked);
    try {
      return await rejectOnAbort(asked, signal);
    } finally {
      end();
      if (this.#asking.get(key) === asked) this.#asking.delete(key);
    }
  }

  async #recallOrAsk(key: string, prompt: Prompt, options: AskOptions): Promise<string> {
    options.signal.throwIfAborted();
    const known = parseAnswer((await this.#memo.getMany([key])).get(key));
    if (known !== null && (!options.fresh || known.occasion === options.occasion))
      return known.text;
    const { occasion, queueSignal: queued, signal } = options;
    await withAnySignal([queued, signal], (waiting) => this.#calls.acquire(1, waiting));
    try {
      const text = await this.#ask(prompt, options);
      const answer: CachedAnswer = { text, occasion };
      // Within its turn: when another call begins, this one is not paid for in vain any more.
      await this.#memo.putMany(new Map([[key, encodeAnswer(answer)]]));
      return text;
    } finally {
      this.#calls.release(1);
    }
  }

  async #ask(prompt: Prompt, options: AskOptions): Promise<string> {
    const { text } = await this.#paid(prompt, options);
    const problem = problemOf(text, prompt);
    if (problem === null) return text;
    const again = await this.#paid(buildCorrection(prompt, text, problem), options);
    const stillWrong = problemOf(again.text, prompt);
    if (stillWrong === null) return again.text;
    throw new TroveError(
      'llm_answer_invalid',
      `The answer of the language model is not as asked for: ${stillWrong}`,
    );
  }

  /** One answer, with the tokens that it took booked. */
  async #paid(
    prompt: Prompt,
    { allowance, queueSignal: queued, signal }: AskOptions,
  ): Promise<Completion> {
    const input = this.readsPrompts ? inputTokens(prompt) : 0;
    const reserved = this.readsPrompts ? input + prompt.maxTokens : 0;
    await withAnySignal([queued, signal], (waiting) => allowance.reserve(reserved, waiting));
    let use: TokenUsage | null = null;
    try {
      const completion = await withAnySignal([queued, signal], (waiting) =>
        withRetries(() => this.#call(prompt, waiting, signal), waiting),
      );
      use = completion.usage ?? {
        input,
        output: Math.ceil(completion.text.length / charsPerToken),
      };
      return completion;
    } catch (error) {
      // The model did answer, and its provider charges for that.
      if (isTroveError(error) && error.code === 'llm_answer_invalid') use = { input, output: 0 };
      throw error;
    } finally {
      allowance.settle(reserved, use, input);
      this.#spent(use);
    }
  }

  #spent(use: TokenUsage | null): void {
    const { input, output } = this.#tokens;
    if (use !== null) this.#tokens = { input: input + use.input, output: output + use.output };
  }

  async #call(prompt: Prompt, waiting: AbortSignal, signal: AbortSignal): Promise<Completion> {
    await delay(Math.max(0, this.#pausedUntil - performance.now()), waiting);
    waiting.throwIfAborted();
    const { timeoutMs } = this.#limits;
    try {
      return await this.#counter.count(
        this.#guard.call('complete', timeoutMs, signal, async (model) =>
          checkCompletion(await model.complete({ ...prompt, signal })),
        ),
      );
    } catch (error) {
      if (!isTroveError(error)) throw error;
      if (error.retryAfterMs !== undefined)
        this.#pausedUntil = performance.now() + retryPause(1, error);
      throw error.code === 'timed_out' ? tooSlow(timeoutMs, error) : error;
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

/** Asking again would take as long, and cost as much. */
function tooSlow(timeoutMs: number, cause: TroveError): TroveError {
  return new TroveError(
    'timed_out',
    `The language model did not answer within ${timeoutMs / 1000} s`,
    { cause, suggestions: ['Raise `[llm].timeout_s`, or choose a faster model.'] },
  );
}

async function settle(promise: Promise<unknown> | undefined): Promise<void> {
  await Promise.allSettled([promise]);
}

function partsOf(content: ChatMessage['content']): Exclude<ChatMessage['content'], string> {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** Of the prompt, roughly. */
function inputTokens({ messages, schema }: Prompt): number {
  const parts = messages.flatMap(({ content }) => partsOf(content));
  const tokens = parts.map((part) =>
    part.type === 'text' ? Math.ceil(part.text.length / charsPerToken) : tokensPerImage,
  );
  const ofSchema = Math.ceil(JSON.stringify(schema ?? '').length / charsPerToken);
  return tokens.reduce((sum, each) => sum + each, ofSchema);
}

/** What is wrong with an answer, or null. The schemas of tasks are our own, a few that return again and again. */
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
