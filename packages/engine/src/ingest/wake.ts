/** Lets loops sleep until there may be something to do, without missing what happened while they were awake. */
export class Wake {
  #moment = 0;
  #waiters: (() => void)[] = [];

  /** Take it before looking for work; a `wait` with it ends at once when something happened since. */
  get moment(): number {
    return this.#moment;
  }

  notify(): void {
    this.#moment++;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }

  /** Resolves after a notification that came after `since`, at the latest after `ms`. */
  wait(since: number, ms: number): Promise<void> {
    if (since !== this.#moment) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#waiters.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
