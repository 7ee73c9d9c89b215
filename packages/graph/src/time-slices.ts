import { setImmediate } from 'node:timers/promises';

/** Long work that can be interrupted at each yield. */
export type Steps<T> = Generator<undefined, T, undefined>;

const sliceMs = 10;

/** Divides long work into slices of `sliceMs`. Other work on the thread waits for one slice and one step at most. */
export class TimeSlices {
  #begun = performance.now();

  /** Await this between two steps. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#begun < sliceMs) return;
    await setImmediate();
    this.#begun = performance.now();
  }
}

/**
 * Runs work in slices. Other work on the thread waits for one slice and one step at most. Throws when `signal` aborts.
 */
export async function runInSlices<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T> {
  const slices = new TimeSlices();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await slices.yieldIfDue();
    signal?.throwIfAborted();
  }
}
