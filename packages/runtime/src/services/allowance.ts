import { TroveError, type ModelUse, type TokenUse } from '@trove/core';

/** How many tokens a piece of work may spend on calls to a language model, and what it has spent. */
export class Allowance {
  #left: number;
  #reserved = 0;
  #calls = 0;
  #input = 0;
  #output = 0;

  constructor(maxTokens: number) {
    this.#left = maxTokens;
  }

  /** Sets tokens aside for a call, at most as many as it can take. Throws `llm_allowance_spent` if fewer are left. */
  reserve(tokens: number): void {
    if (this.#reserved + tokens > this.#left) {
      throw new TroveError(
        'llm_allowance_spent',
        'The job has spent the tokens that it may spend on the language model',
      );
    }
    this.#reserved += tokens;
  }

  /**
   * Books what a call took, as its provider says; null: it was not answered. `atLeast` tokens are gone with an answer
   * even if the provider says less, or nothing would end the calls to one that counts none.
   */
  settle(reserved: number, use: TokenUse | null, atLeast = 0): void {
    this.#reserved -= reserved;
    if (use === null) return;
    this.#left -= Math.max(use.input + use.output, atLeast);
    this.#calls += 1;
    this.#input += use.input;
    this.#output += use.output;
  }

  /** What was spent since this was last asked. */
  take(): ModelUse {
    const use = { calls: this.#calls, inputTokens: this.#input, outputTokens: this.#output };
    this.#calls = this.#input = this.#output = 0;
    return use;
  }
}
