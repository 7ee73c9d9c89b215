import { isTroveError, type TroveError } from '@trove/core';
import { withTimeout, withAnySignal } from '../abort.js';
import { Budget } from '../budget.js';
import { retryPause } from '../retry.js';
import { CallCounter, type CallCounts } from './counts.js';

/** One number per text, in their order: the higher, the better it answers the question. */
export type RerankFunction = (
  question: string,
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<readonly number[]>;

export interface RerankLimits {
  /** Calls at a time. */
  readonly concurrency: number;
  /** How long a call may take, in milliseconds, with the time that it waits for its turn. */
  readonly timeoutMs: number;
}

/** How long a model that failed or was late is left alone: meanwhile nobody waits for it in vain. */
const cooldownMs = 10_000;

/** Asks a model, some calls at a time; one that fails is not asked again for a while. */
export class RerankService {
  readonly #judge: RerankFunction;
  readonly #limits: RerankLimits;
  readonly #calls: Budget;
  readonly #counter = new CallCounter();
  readonly #signal: AbortSignal;
  /** By a clock that nobody sets. */
  #resting: { readonly until: number; readonly error: TroveError } | null = null;

  constructor(judge: RerankFunction, limits: RerankLimits, signal: AbortSignal) {
    this.#judge = judge;
    this.#limits = limits;
    this.#calls = new Budget(limits.concurrency);
    this.#signal = signal;
  }

  get counts(): CallCounts {
    return this.#counter.counts;
  }

  /**
   * One number per text, in their order. Throws the model's error, also while it rests after that, `timed_out`, and the
   * signal's reason.
   */
  readonly rerank: RerankFunction = async (question, texts, signal) => {
    if (this.#resting !== null && this.#resting.until > performance.now())
      throw this.#resting.error;
    try {
      const numbers = await withAnySignal([this.#signal, signal], (until) =>
        withTimeout(this.#limits.timeoutMs, until, (limited) =>
          this.#inTurn(question, texts, limited),
        ),
      );
      this.#resting = null;
      return numbers;
    } catch (error) {
      if (!signal.aborted && isTroveError(error) && countsAsFailure(error)) this.#rest(error);
      throw error;
    }
  };

  async #inTurn(
    question: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly number[]> {
    await this.#calls.acquire(1, signal);
    try {
      return await this.#counter.count(this.#judge(question, texts, signal));
    } finally {
      this.#calls.release(1);
    }
  }

  #rest(error: TroveError): void {
    // However long it asks for: a server that errs about that would be left alone until the next start.
    const asked = error.retryAfterMs === undefined ? 0 : retryPause(1, error);
    const ms = Math.max(cooldownMs, asked);
    this.#resting = { until: performance.now() + ms, error };
  }
}

/** Texts that it refuses are the fault of the texts, and an engine that closes is nobody's. */
function countsAsFailure({ code }: TroveError): boolean {
  return code !== 'validation_error' && code !== 'engine_closed';
}
