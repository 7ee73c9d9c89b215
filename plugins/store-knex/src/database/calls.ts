import { TroveError } from '@trove/core';

/** Counts running calls, so that closing can wait for them. */
export class Calls {
  #running = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  run<T>(call: () => Promise<T>): Promise<T> {
    if (this.#closed !== undefined) {
      return Promise.reject(new TroveError('engine_closed', 'The database is closed.'));
    }
    const running = call();
    this.#running.add(running);
    const forget = () => this.#running.delete(running);
    running.then(forget, forget);
    return running;
  }

  /** Rejects further calls, waits for the running ones, then runs `end` once. */
  close(end: () => Promise<void>): Promise<void> {
    this.#closed ??= Promise.allSettled(this.#running).then(end);
    return this.#closed;
  }
}
