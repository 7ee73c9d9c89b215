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
    return Promise.race([turn, aborted(signal, turn)]);
  }

  async idle(): Promise<void> {
    await this.#last;
  }
}

/** Rejects when the signal aborts; waits no longer than for `until`. */
function aborted(signal: AbortSignal, until: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    const forget = (): void => signal.removeEventListener('abort', abort);
    until.then(forget, forget);
  });
}
