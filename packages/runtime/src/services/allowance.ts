import { TroveError } from '@trove/core';
import type { ModelUsage, TokenUsage } from '@trove/core/model';
import { rejectOnAbort } from '../abort.js';

/** How many tokens a piece of work may spend on calls to a language model, and what it has spent. */
export class Allowance {
  #left: number;
  #reserved = 0;
  #calls = 0;
  #input = 0;
  #output = 0;
  /** Called when tokens that were set aside may be left. */
  readonly #waiting: (() => void)[] = [];

  constructor(maxTokens: number) {
    this.#left = maxTokens;
  }

  /**
   * Sets tokens aside for a call, at most as many as it can take; calls under way may leave some of theirs. Throws
   * `llm_allowance_spent` if fewer are left in the end, or the signal's reason.
   */
  async reserve(tokens: number, signal: AbortSignal): Promise<void> {
    while (this.#reserved > 0 && !this.#has(tokens)) await rejectOnAbort(this.#settled(), signal);
    if (!this.#has(tokens)) {
      throw new TroveError(
        'llm_allowance_spent',
        'Another call of the language model might exceed the tokens that the job may spend',
      );
    }
    this.#reserved += tokens;
  }

  /**
   * Books what a call took, as its provider says; null: it was not answered. `atLeast` tokens are gone with an answer
   * even if the provider says less, or nothing would end the calls to one that counts none.
   */
  settle(reserved: number, use: TokenUsage | null, atLeast = 0): void {
    this.#reserved -= reserved;
    if (use !== null) this.#book(use, atLeast);
    for (const goOn of this.#waiting.splice(0)) goOn();
  }

  /** What was spent since this was last asked. */
  take(): ModelUsage {
    const use = { calls: this.#calls, inputTokens: this.#input, outputTokens: this.#output };
    this.#calls = this.#input = this.#output = 0;
    return use;
  }

  #has(tokens: number): boolean {
    return this.#reserved + tokens <= this.#left;
  }

  #settled(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #book({ input, output }: TokenUsage, atLeast: number): void {
    this.#left -= Math.max(input + output, atLeast);
    this.#calls += 1;
    this.#input += input;
    this.#output += output;
  }
}
