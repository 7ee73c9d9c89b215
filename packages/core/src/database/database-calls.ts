import { TroveError } from '../errors.js';
import { storageError, type DatabaseDescription } from './failures.js';

/** Tracks the running calls of a database, so closing can wait for them. All calls fail with a `TroveError`. */
export class DatabaseCalls {
  readonly #place: DatabaseDescription;
  #running = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(place: DatabaseDescription) {
    this.#place = place;
  }

  run<T>(call: () => Promise<T>): Promise<T> {
    if (this.#closed !== undefined) {
      return Promise.reject(new TroveError('engine_closed', 'The database is closed.'));
    }
    const running = this.#attempt(call);
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

  async #attempt<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw storageError(error, this.#place);
    }
  }
}
