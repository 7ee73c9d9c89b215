import type { Problem, TaskFailure } from '@trove/core/store';
import { CircuitBreaker } from '../tasks/circuit-breaker.js';
import { FailureRate } from './failure-rate.js';

const maxFailures = 20;
const allowanceSpent = 'llm_allowance_spent';

/** How writing summaries went. */
export interface SummaryOutcome {
  readonly missing: number;
  readonly failures: readonly TaskFailure[];
  readonly warnings: readonly string[];
}

/** Counts what could not be written, and decides when to give up. */
export class SummaryTally {
  readonly #maxTokens: number;
  readonly #breaker = new CircuitBreaker();
  readonly #share = new FailureRate();
  readonly #failures: TaskFailure[] = [];
  #missing = 0;
  #givenUp: Problem | null = null;

  constructor(maxTokens: number) {
    this.#maxTokens = maxTokens;
  }

  addSuccess(): void {
    this.#breaker.observe({ outcome: 'added' });
    this.#share.succeeded();
  }

  /** It has taken as long as it may: what is left is not even tried. */
  stopForTime(detail: string): void {
    this.#givenUp ??= { code: 'timed_out', detail };
  }

  /** Whether to give up from now on. */
  addFailure(path: string, { code, detail }: Problem): boolean {
    this.#missing++;
    if (code !== allowanceSpent && this.#failures.length < maxFailures)
      this.#failures.push({ path, code, error: detail });
    const failure = { code, error: detail };
    const inARow = this.#breaker.observe({ outcome: 'failed', failure });
    const ofLate = this.#share.failed({ code, detail });
    this.#givenUp ??= inARow ?? ofLate;
    return this.#givenUp !== null;
  }

  /** One that is not even tried. */
  skip(): void {
    this.#missing++;
  }

  outcome(): SummaryOutcome {
    return { missing: this.#missing, failures: this.#failures, warnings: this.#notes() };
  }

  #notes(): string[] {
    if (this.#missing === 0) return [];
    const left = `${this.#missing} ${this.#missing === 1 ? 'summary is' : 'summaries are'} left for the next sync`;
    if (this.#givenUp === null) return [`${left}: see the failures`];
    if (this.#givenUp.code !== allowanceSpent) return [`${left}: ${this.#givenUp.detail}`];
    return [
      `${left}: another call might exceed the ${this.#maxTokens} tokens of [llm].max_tokens_per_job`,
    ];
  }
}
