import type { Problem } from '@trove/core/store';
import { isProviderError } from '../tasks/circuit-breaker.js';

/** With this many failures among the last attempts, the provider counts as failing. */
const windowSize = 20;
const maxFailures = 10;

/**
 * Detects a provider that fails often, but not always. Each failed attempt includes several retries, so continuing could
 * take months.
 */
export class FailureRate {
  readonly #hasFailed: boolean[] = [];

  succeeded(): void {
    this.#add(false);
  }

  /** Returns why to give up, or null to continue. */
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
