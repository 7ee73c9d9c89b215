import type { Problem } from '@trove/core/store';
import { isOfProvider } from '../tasks/provider-breaker.js';

/** Of the last so many attempts, this many may not fail. */
const lastAttempts = 20;
const tooMany = 10;

/**
 * Detects a provider that answers now and then. Each attempt that fails has waited for it several times, so that to go on
 * could take months.
 */
export class FailingShare {
  readonly #hasFailed: boolean[] = [];

  succeeded(): void {
    this.#add(false);
  }

  /** Why to give up; null when it may go on. */
  failed({ code, detail }: Problem): Problem | null {
    if (!isOfProvider(code)) return null;
    this.#add(true);
    if (this.#hasFailed.filter(Boolean).length < tooMany) return null;
    const share = `${tooMany} of the last ${this.#hasFailed.length} attempts failed`;
    return { code: 'circuit_breaker_tripped', detail: `${share}: ${detail}` };
  }

  #add(hasFailed: boolean): void {
    this.#hasFailed.push(hasFailed);
    if (this.#hasFailed.length > lastAttempts) this.#hasFailed.shift();
  }
}
