import type { Problem, TaskResult } from '@trove/core/store';

const maxFailures = 5;
/** Failures that would repeat for every object. */
const fatalCodes = new Set([
  'embedding_auth_failed',
  'embedding_quota_exceeded',
  'llm_auth_failed',
  'llm_quota_exceeded',
  'llm_budget_exceeded',
  'config_invalid',
]);
/** Failures caused by a provider, not by the object. */
const providerCodes = new Set([
  'embedding_unavailable',
  'llm_unavailable',
  'llm_answer_invalid',
  'connector_unhealthy',
  'rate_limited',
  'timed_out',
  ...fatalCodes,
]);

/** Whether the provider failed, not the object. */
export function isProviderError(code: string): boolean {
  return providerCodes.has(code);
}

/** Detects consecutive failures with the same cause outside of the objects. */
export class CircuitBreaker {
  #code: string | null = null;
  #consecutive = 0;

  /**
   * Returns the problem with which to end the job, or this phase. Null to continue. `errorCode`: the error code behind a
   * plugin's own code.
   */
  observe(
    { outcome, failure }: Pick<TaskResult, 'outcome' | 'failure'>,
    errorCode = failure?.code,
  ): Problem | null {
    const isProviderFailure = errorCode !== undefined && isProviderError(errorCode);
    if (outcome !== 'failed' || failure === undefined || !isProviderFailure) {
      if (outcome !== 'retry') this.#consecutive = 0;
      return null;
    }
    const { code, error } = failure;
    if (fatalCodes.has(errorCode)) return { code, detail: error };
    this.#consecutive = code === this.#code ? this.#consecutive + 1 : 1;
    this.#code = code;
    if (this.#consecutive < maxFailures) return null;
    const detail = `${maxFailures} objects in a row failed for the same reason: ${error}`;
    return { code: 'circuit_breaker_tripped', detail };
  }
}
