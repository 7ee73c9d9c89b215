import type { Collection } from '@trove/core';

/** Runs a collection's maintenance one at a time; calls made meanwhile share the next run. */
export class Maintenance {
  readonly #collection: Collection;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(collection: Collection) {
    this.#collection = collection;
  }

  run(): Promise<void> {
    if (this.#running === null) {
      this.#running = this.#collection.optimize().finally(() => (this.#running = null));
      return this.#running;
    }
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = null;
        return this.run();
      });
    return this.#next;
  }
}
