import { setImmediate } from 'node:timers/promises';

/** Long work that may be interrupted wherever it yields; it returns its result. */
export type Steps<T> = Generator<undefined, T, undefined>;

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

/** Does work step by step; others that need the thread wait no longer than a turn and a step. Throws when aborted. */
export async function inTurns<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T> {
  const turns = new Turns();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await turns.next();
    signal?.throwIfAborted();
  }
}
