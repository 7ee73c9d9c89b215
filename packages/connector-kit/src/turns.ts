import { unlessAborted } from './abort.js';

/** Lets one after the other work, in the order in which they asked. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Who gives up waiting keeps nobody else waiting. */
  take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => {
      signal.throwIfAborted();
      return work();
    });
    this.#last = turn.catch(() => undefined);
    return unlessAborted(turn, signal);
  }

  async idle(): Promise<void> {
    await this.#last;
  }
}
