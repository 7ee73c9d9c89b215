import { isTroveError, type TroveError } from '@trove/core';
import { withTimeout, withAnySignal } from '../abort.js';
import { Budget } from '../budget.js';
import { retryPause } from '../retry.js';
import { CallCounter, type CallCounts } from './counts.js';

/** Returns one score per text, in order. A higher score is a better answer to the question. */
export type RerankFunction = (
  question: string,
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<readonly number[]>;

export interface RerankLimits {
  /** Maximum number of concurrent calls. */
  readonly concurrency: number;
  /** Time limit of a call in milliseconds, including its waiting time. */
  readonly timeoutMs: number;
}

/** Pause after a failure or timeout, during which searches do not wait for the model. */
const cooldownMs = 10_000;

/** Calls a reranking model with limited concurrency. Pauses after a failure. */
export class RerankService {
  readonly #model: RerankFunction;
  readonly #limits: RerankLimits;
  readonly #calls: Budget;
  readonly #counter = new CallCounter();
  readonly #signal: AbortSignal;
  /** On the monotonic clock. */
  #pause: { readonly until: number; readonly error: TroveError } | null = null;

  constructor(rerank: RerankFunction, limits: RerankLimits, signal: AbortSignal) {
    this.#model = rerank;
    this.#limits = limits;
    this.#calls = new Budget(limits.concurrency);
    this.#signal = signal;
  }

  get counts(): CallCounts {
    return this.#counter.counts;
  }

  /**
   * Scores the texts in order. Throws the model's error, also during the pause after it, `timed_out`, or the
   * signal's reason.
   */
  readonly rerank: RerankFunction = async (question, texts, signal) => {
    if (this.#pause !== null && this.#pause.until > performance.now()) throw this.#pause.error;
    try {
      const numbers = await withAnySignal([this.#signal, signal], (until) =>
        withTimeout(this.#limits.timeoutMs, until, (limited) =>
          this.#rerankInSlot(question, texts, limited),
        ),
      );
      this.#pause = null;
      return numbers;
    } catch (error) {
      if (!signal.aborted && isTroveError(error) && countsAsFailure(error)) this.#pauseAfter(error);
      throw error;
    }
  };

  async #rerankInSlot(
    question: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly number[]> {
    await this.#calls.acquire(1, signal);
    try {
      return await this.#counter.count(this.#model(question, texts, signal));
    } finally {
      this.#calls.release(1);
    }
  }

  #pauseAfter(error: TroveError): void {
    // The pause is limited, because a server may request a wrong one.
    const demandedMs = error.retryAfterMs === undefined ? 0 : retryPause(1, error);
    const ms = Math.max(cooldownMs, demandedMs);
    this.#pause = { until: performance.now() + ms, error };
  }
}

/** Refused texts and a closing engine are not failures of the model. */
function countsAsFailure({ code }: TroveError): boolean {
  return code !== 'validation_error' && code !== 'engine_closed';
}
