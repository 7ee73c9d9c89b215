import { messageOf, type Logger } from '@trove/core';
import { delay } from '@trove/runtime';
import type { DiskSpaceService } from '../upkeep/disk-space.js';

const pauseMs = 5000;
/** What fails because a disk is full fails for everything that is in progress, again and again. */
const saidAgainMs = 60_000;

/** Repeats what must succeed: a lease that keeps being renewed would hold its job for ever. */
export class Insistence {
  readonly #logger: Logger;
  readonly #diskSpace: Pick<DiskSpaceService, 'observe'>;
  readonly #signal: AbortSignal;
  /** When it was last said that something fails. */
  readonly #said = new Map<string, number>();

  /** `signal` aborts when nobody insists any more. */
  constructor(logger: Logger, diskSpace: Pick<DiskSpaceService, 'observe'>, signal: AbortSignal) {
    this.#logger = logger;
    this.#diskSpace = diskSpace;
    this.#signal = signal;
  }

  /** Resolves once the work has been done, or was tried and nobody insists. */
  async on(what: string, work: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await work();
        return;
      } catch (error) {
        if (this.#signal.aborted) return;
        this.#diskSpace.observe(error);
        this.#say(what, error);
      }
      await delay(pauseMs, this.#signal);
    }
  }

  #say(what: string, error: unknown): void {
    const now = performance.now();
    if (now - (this.#said.get(what) ?? -Infinity) < saidAgainMs) return;
    this.#said.set(what, now);
    this.#logger.error(`${what} failed, and is tried again`, { error: messageOf(error) });
  }
}
