import type { Problem, TaskFailure } from '@trove/core/store';
import { CircuitBreaker } from '../tasks/circuit-breaker.js';
import { FailureRate } from './failure-rate.js';

const maxFailures = 20;
const budgetExceeded = 'llm_budget_exceeded';

/** The result of writing the summaries of a source. */
export interface SummaryOutcome {
  readonly missing: number;
  readonly failures: readonly TaskFailure[];
  readonly warnings: readonly string[];
}

/** Counts summaries that could not be written, and decides when to give up. */
export class SummaryTally {
  readonly #maxTokens: number;
  readonly #breaker = new CircuitBreaker();
  readonly #rate = new FailureRate();
  readonly #failures: TaskFailure[] = [];
  #missing = 0;
  #stopReason: Problem | null = null;

  constructor(maxTokens: number) {
    this.#maxTokens = maxTokens;
  }

  addSuccess(): void {
    this.#breaker.observe({ outcome: 'added' });
    this.#rate.succeeded();
  }

  /** Gives up because of the time limit. The remaining summaries are skipped. */
  stopForTime(detail: string): void {
    this.#stopReason ??= { code: 'timed_out', detail };
  }

  /** Records a failure. Returns whether to give up. */
  addFailure(path: string, { code, detail }: Problem): boolean {
    this.#missing++;
    if (code !== budgetExceeded && this.#failures.length < maxFailures)
      this.#failures.push({ path, code, error: detail });
    const failure = { code, error: detail };
    const consecutive = this.#breaker.observe({ outcome: 'failed', failure });
    const recent = this.#rate.failed({ code, detail });
    this.#stopReason ??= consecutive ?? recent;
    return this.#stopReason !== null;
  }

  /** Records a summary that was not attempted. */
  skip(): void {
    this.#missing++;
  }

  outcome(): SummaryOutcome {
    return { missing: this.#missing, failures: this.#failures, warnings: this.#warnings() };
  }

  #warnings(): string[] {
    if (this.#missing === 0) return [];
    const left = `${this.#missing} ${this.#missing === 1 ? 'summary is' : 'summaries are'} left for the next sync`;
    if (this.#stopReason === null) return [`${left}: see the failures`];
    if (this.#stopReason.code !== budgetExceeded) return [`${left}: ${this.#stopReason.detail}`];
    return [
      `${left}: another call might exceed the ${this.#maxTokens} tokens of [llm].max_tokens_per_job`,
    ];
  }
}
