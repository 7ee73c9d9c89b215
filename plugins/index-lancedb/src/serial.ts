/** Runs tasks one at a time in order of arrival; a failed task does not stop the next. */
export class Serial {
  #last: Promise<unknown> = Promise.resolve();
  #open = 0;

  /** Whether a task is running or waiting. */
  get isBusy(): boolean {
    return this.#open > 0;
  }

  run<T>(task: () => Promise<T>): Promise<T> {
    this.#open++;
    const result = this.#last.then(task).finally(() => this.#open--);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
