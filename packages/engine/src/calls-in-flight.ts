import { within } from '@trove/runtime';

/** The calls that have begun and not ended: those that a closing engine lets finish. */
export class CallsInFlight {
  #count = 0;
  #none: (() => void) | null = null;

  /** Counts a call until the returned function is called, once. */
  begin(): () => void {
    this.#count++;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#count--;
      if (this.#count === 0) this.#none?.();
    };
  }

  /** Resolves when there are none, or after so many milliseconds. */
  async ended(limitMs: number): Promise<void> {
    if (this.#count === 0) return;
    const none = new Promise<void>((resolve) => (this.#none = resolve));
    await within(none, limitMs, undefined);
  }
}
