import { rejectOnAbort } from './abort.js';

/** Runs one task at a time, in the order of the calls. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Rejects as soon as the signal aborts. A task that has already started still delays the next one. */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => {
      signal.throwIfAborted();
      return work();
    });
    this.#last = turn.catch(() => undefined);
    return rejectOnAbort(turn, signal);
  }

  async whenIdle(): Promise<void> {
    await this.#last;
  }
}
