import type { NewTask } from '@trove/core/store';

/** Tasks are held back until there are enough to train with, or until the time has passed. */
const holdLimits = { tasks: 2048, ms: 5000 };
/** The number of tasks that are added in one transaction. */
const batchSize = 2000;

export interface IntakeOptions {
  /** Adds tasks to the job. False when its lease is lost. */
  readonly add: (tasks: readonly NewTask[]) => Promise<boolean>;
  /** Trains the embedder with the objects of the tasks. Null: no training is needed. */
  readonly train: ((tasks: readonly NewTask[]) => Promise<void>) | null;
}

/**
 * Receives the tasks of a listing. If the embedder must be trained first, holds them back until there are enough or the
 * listing ends. Texts embedded before training would have to be embedded again.
 */
export class TaskIntake {
  readonly #options: IntakeOptions;
  readonly #held: NewTask[] = [];
  #released: Promise<boolean> | null;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#released = options.train === null ? Promise.resolve(true) : null;
  }

  /** Resolves to whether all added tasks are stored. */
  async hasStoredAll(): Promise<boolean> {
    return this.#released === null ? this.#held.length === 0 : this.#released;
  }

  /** False when the lease is lost. */
  async add(tasks: readonly NewTask[]): Promise<boolean> {
    if (this.#released !== null) return (await this.#released) && this.#addAll(tasks);
    this.#held.push(...tasks);
    if (this.#held.length >= holdLimits.tasks) return this.release();
    // A stopping worker does not wait for the timer.
    this.#timer ??= setTimeout(
      () => void this.release().catch(() => undefined),
      holdLimits.ms,
    ).unref();
    return true;
  }

  /** Stops holding tasks back. Returns false when the lease is lost. */
  release(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#released ??= this.#trainAndAdd();
    return this.#released;
  }

  async #trainAndAdd(): Promise<boolean> {
    const held = this.#held.splice(0);
    if (held.length === 0) return true;
    // Uses the first tasks, because a repeated listing must give the same training.
    await this.#options.train?.(held.slice(0, holdLimits.tasks));
    return this.#addAll(held);
  }

  async #addAll(tasks: readonly NewTask[]): Promise<boolean> {
    for (let from = 0; from < tasks.length; from += batchSize) {
      if (!(await this.#options.add(tasks.slice(from, from + batchSize)))) return false;
    }
    return true;
  }
}
