import { setImmediate } from 'node:timers/promises';

/** Long work that may be interrupted at each yield and returns its result. */
export type Steps<T> = Generator<undefined, T, undefined>;

const turnMs = 10;

/** Divides long work into turns of `turnMs`. Other work on the thread waits at most a turn and a piece. */
export class Turns {
  #begun = performance.now();

  /** Await this between two pieces of the work. */
  async next(): Promise<void> {
    if (performance.now() - this.#begun < turnMs) return;
    await setImmediate();
    this.#begun = performance.now();
  }
}

/** Runs work in turns. Other work on the thread waits at most a turn and a step. Throws when `signal` aborts. */
export async function inTurns<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T> {
  const turns = new Turns();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await turns.next();
    signal?.throwIfAborted();
  }
}
