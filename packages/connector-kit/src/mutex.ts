import { rejectOnAbort } from './abort.js';

/** Lets one after the other work, in the order in which they asked. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Who gives up waiting keeps nobody else waiting. */
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
