import type { Problem, TaskResult } from '@trove/core/store';

const maxFailures = 5;
/** Failures that every further object would meet too. */
const fatalCodes = new Set([
  'embedding_auth_failed',
  'embedding_quota_exceeded',
  'llm_auth_failed',
  'llm_quota_exceeded',
  'llm_allowance_spent',
  'config_invalid',
]);
/** Failures of a provider rather than of the object. */
const providerCodes = new Set([
  'embedding_unavailable',
  'llm_unavailable',
  'llm_answer_invalid',
  'connector_unhealthy',
  'timed_out',
  ...fatalCodes,
]);

/** Whether it is the provider that failed, not what it was given. */
export function isProviderError(code: string): boolean {
  return providerCodes.has(code);
}

/** Detects when objects fail in a row for the same reason that is not their own. */
export class CircuitBreaker {
  #code: string | null = null;
  #inARow = 0;

  /** `failedAs`: which of our codes a failure is based on. What to end the job with, or this part of it; null when it may continue. */
  observe(
    { outcome, failure }: Pick<TaskResult, 'outcome' | 'failure'>,
    failedAs = failure?.code,
  ): Problem | null {
    const isOfIt = failedAs !== undefined && isProviderError(failedAs);
    if (outcome !== 'failed' || failure === undefined || !isOfIt) {
      if (outcome !== 'retry') this.#inARow = 0;
      return null;
    }
    const { code, error } = failure;
    if (fatalCodes.has(failedAs)) return { code, detail: error };
    this.#inARow = code === this.#code ? this.#inARow + 1 : 1;
    this.#code = code;
    if (this.#inARow < maxFailures) return null;
    const detail = `${maxFailures} objects in a row failed for the same reason: ${error}`;
    return { code: 'circuit_breaker_tripped', detail };
  }
}
