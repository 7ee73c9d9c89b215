import type { TaskResult } from '@trove/core';

const limit = 5;
/** Failures that every further object would meet, too. */
const fatal = new Set(['embedding_auth_failed', 'embedding_quota_exceeded', 'config_invalid']);
/** Failures that speak of a provider rather than of the object. */
const ofProvider = new Set(['embedding_unavailable', 'connector_unhealthy', 'timed_out', ...fatal]);

/** Notices when objects fail in a row for one reason that is not theirs. */
export class ProviderBreaker {
  #code: string | null = null;
  #inARow = 0;

  /** The code to end the job with, null when it may go on. */
  observe(result: TaskResult): string | null {
    const code = result.outcome === 'failed' ? (result.failure?.code ?? null) : null;
    if (code === null || !ofProvider.has(code)) {
      if (result.outcome !== 'retry') this.#inARow = 0;
      return null;
    }
    if (fatal.has(code)) return code;
    this.#inARow = code === this.#code ? this.#inARow + 1 : 1;
    this.#code = code;
    return this.#inARow >= limit ? 'circuit_breaker_tripped' : null;
  }
}
