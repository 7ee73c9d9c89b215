import type { Problem } from '@trove/core/store';
import { isProviderError } from '../tasks/circuit-breaker.js';

/** Of the last so many attempts, this many may not fail. */
const windowSize = 20;
const maxFailures = 10;

/**
 * Detects a provider that answers now and then. Each attempt that fails has waited for it several times, so that to go on
 * could take months.
 */
export class FailureRate {
  readonly #hasFailed: boolean[] = [];

  succeeded(): void {
    this.#add(false);
  }

  /** Why to give up; null when it may go on. */
  failed({ code, detail }: Problem): Problem | null {
    if (!isProviderError(code)) return null;
    this.#add(true);
    if (this.#hasFailed.filter(Boolean).length < maxFailures) return null;
    const share = `${maxFailures} of the last ${this.#hasFailed.length} attempts failed`;
    return { code: 'circuit_breaker_tripped', detail: `${share}: ${detail}` };
  }

  #add(hasFailed: boolean): void {
    this.#hasFailed.push(hasFailed);
    if (this.#hasFailed.length > windowSize) this.#hasFailed.shift();
  }
}
