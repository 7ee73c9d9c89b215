import { isTroveError } from '@trove/core';

/**
 * Collects the items of a page that cannot be used. Absent items count as deleted, so a page is incomplete after a fault in the
 * description, or if none of its items is usable.
 */
export class ItemFaults {
  readonly #used = new Set<string>();
  readonly #unusable = new Map<string, string>();
  #fault: string | undefined;

  /** `kind`: what is made of the item, such as an object or the records of a stream. */
  addUsed(kind: string): void {
    this.#used.add(kind);
  }

  addUnusable(kind: string, sentence: string, error: unknown): void {
    if (!this.#unusable.has(kind)) this.#unusable.set(kind, sentence);
    if (!isTroveError(error)) this.#fault ??= sentence;
  }

  get hasAny(): boolean {
    return this.#unusable.size > 0;
  }

  /** Returns the reason why the items since the last call are incomplete, or undefined. */
  take(): string | undefined {
    const [, unusable] = [...this.#unusable].find(([kind]) => !this.#used.has(kind)) ?? [];
    const gap = this.#fault ?? unusable;
    this.#fault = undefined;
    this.#used.clear();
    this.#unusable.clear();
    return gap;
  }
}
