import { setImmediate } from 'node:timers/promises';

const turnMs = 10;

/** Long work in turns: others that need the thread wait no longer than one and a piece of the work. */
export class Turns {
  #begun = performance.now();

  /** To be awaited between two pieces of the work. */
  async next(): Promise<void> {
    if (performance.now() - this.#begun < turnMs) return;
    await setImmediate();
    this.#begun = performance.now();
  }
}
