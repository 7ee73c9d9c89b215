import pLimit from 'p-limit';

/** Runs tasks one at a time in order of arrival. A failed task does not stop the next. */
export class SerialQueue {
  readonly #tasks = pLimit(1);

  /** Whether a task is running or waiting. */
  get isBusy(): boolean {
    return this.#tasks.activeCount + this.#tasks.pendingCount > 0;
  }

  run<T>(task: () => Promise<T>): Promise<T> {
    return this.#tasks(task);
  }
}
