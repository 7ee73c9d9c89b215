import { messageOf, type Logger } from '@trove/core';
import { delay } from '@trove/runtime';
import type { DiskSpaceService } from '../generations/maintenance/disk-space.js';

const pauseMs = 5000;
/** Limits the log, because a full disk makes all work in progress fail repeatedly. */
const logIntervalMs = 60_000;

/** Repeats work that must succeed. Without it, a job would keep its renewed lease forever. */
export class RetryPolicy {
  readonly #logger: Logger;
  readonly #diskSpace: Pick<DiskSpaceService, 'observe'>;
  readonly #signal: AbortSignal;
  /** The time of the last log entry for each kind of work. */
  readonly #loggedAt = new Map<string, number>();

  /** `signal` ends the retries. */
  constructor(logger: Logger, diskSpace: Pick<DiskSpaceService, 'observe'>, signal: AbortSignal) {
    this.#logger = logger;
    this.#diskSpace = diskSpace;
    this.#signal = signal;
  }

  /** Resolves when the work has succeeded, or has failed after `signal` aborted. `what` names it in the log. */
  async untilDone(what: string, work: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await work();
        return;
      } catch (error) {
        if (this.#signal.aborted) return;
        this.#diskSpace.observe(error);
        this.#log(what, error);
      }
      await delay(pauseMs, this.#signal);
    }
  }

  #log(what: string, error: unknown): void {
    const now = performance.now();
    if (now - (this.#loggedAt.get(what) ?? -Infinity) < logIntervalMs) return;
    this.#loggedAt.set(what, now);
    this.#logger.error(`${what} failed, and will be retried`, { error: messageOf(error) });
  }
}
