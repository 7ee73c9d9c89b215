import { TroveError } from '@trove/core';
import type { ModelUsage, TokenUsage } from '@trove/core/model';
import { rejectOnAbort } from '../abort.js';

/** Limits and counts the language model tokens of one job. */
export class TokenBudget {
  #remaining: number;
  #reserved = 0;
  #calls = 0;
  #input = 0;
  #output = 0;
  /** Callers that wait for reserved tokens to be returned. */
  readonly #waiting: (() => void)[] = [];

  constructor(maxTokens: number) {
    this.#remaining = maxTokens;
  }

  /**
   * Reserves the maximum number of tokens of a call. Waits while calls in flight may return some. Throws
   * `llm_budget_exceeded` if too few remain, or the signal's reason.
   */
  async reserve(tokens: number, signal: AbortSignal): Promise<void> {
    while (this.#reserved > 0 && !this.#isAvailable(tokens))
      await rejectOnAbort(this.#waitForSettlement(), signal);
    if (!this.#isAvailable(tokens)) {
      throw new TroveError(
        'llm_budget_exceeded',
        'The next call of the language model could exceed the token limit of the job',
      );
    }
    this.#reserved += tokens;
  }

  /**
   * Replaces a reservation by the actual usage, or by nothing if the call got no answer (`null`). Charges at
   * least `atLeast` tokens, because a provider that reports no usage would otherwise be called without end.
   */
  settle(reserved: number, use: TokenUsage | null, atLeast = 0): void {
    this.#reserved -= reserved;
    if (use !== null) this.#record(use, atLeast);
    for (const goOn of this.#waiting.splice(0)) goOn();
  }

  /** Returns the usage since the last call of `take`. */
  take(): ModelUsage {
    const use = { calls: this.#calls, inputTokens: this.#input, outputTokens: this.#output };
    this.#calls = this.#input = this.#output = 0;
    return use;
  }

  #isAvailable(tokens: number): boolean {
    return this.#reserved + tokens <= this.#remaining;
  }

  #waitForSettlement(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #record({ input, output }: TokenUsage, atLeast: number): void {
    this.#remaining -= Math.max(input + output, atLeast);
    this.#calls += 1;
    this.#input += input;
    this.#output += output;
  }
}
