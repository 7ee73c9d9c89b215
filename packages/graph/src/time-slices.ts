import { setImmediate } from 'node:timers/promises';

/** Long work that may be interrupted at each yield and returns its result. */
export type Steps<T> = Generator<undefined, T, undefined>;

const sliceMs = 10;

/** Divides long work into turns of `turnMs`. Other work on the thread waits at most a turn and a piece. */
export class TimeSlices {
  #begun = performance.now();

  /** Await this between two pieces of the work. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#begun < sliceMs) return;
    await setImmediate();
    this.#begun = performance.now();
  }
}

/** Runs work in turns. Other work on the thread waits at most a turn and a step. Throws when `signal` aborts. */
export async function runInSlices<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T> {
  const turns = new TimeSlices();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await turns.yieldIfDue();
    signal?.throwIfAborted();
  }
}
