import type { NewTask } from '@trove/core/store';

/** What tasks wait for at most: so many of them are enough to learn from, and nobody waits longer. */
const holdLimits = { tasks: 2048, ms: 5000 };
/** Added in one transaction. */
const batchSize = 2000;

export interface IntakeOptions {
  /** Adds tasks to the job; false when its lease is lost. */
  readonly add: (tasks: readonly NewTask[]) => Promise<boolean>;
  /** Learns from what the tasks are about; null: there is nothing to learn. */
  readonly train: ((tasks: readonly NewTask[]) => Promise<void>) | null;
}

/**
 * Takes the tasks of a listing. Where the embedder has to learn first, they wait until there are enough of them to learn
 * from, or the listing ends: what is embedded before would have to be embedded again.
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

  /** False when the lease is lost. */
  async add(tasks: readonly NewTask[]): Promise<boolean> {
    if (this.#released !== null) return (await this.#released) && this.#put(tasks);
    this.#held.push(...tasks);
    if (this.#held.length >= holdLimits.tasks) return this.release();
    // A worker that stops meanwhile does not wait for it.
    this.#timer ??= setTimeout(
      () => void this.release().catch(() => undefined),
      holdLimits.ms,
    ).unref();
    return true;
  }

  /** Nothing waits any more. False when the lease is lost. */
  release(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#released ??= this.#learnAndPut();
    return this.#released;
  }

  async #learnAndPut(): Promise<boolean> {
    const held = this.#held.splice(0);
    if (held.length === 0) return true;
    // The first ones, so that whoever lists the same again learns the same.
    await this.#options.train?.(held.slice(0, holdLimits.tasks));
    return this.#put(held);
  }

  async #put(tasks: readonly NewTask[]): Promise<boolean> {
    for (let from = 0; from < tasks.length; from += batchSize) {
      if (!(await this.#options.add(tasks.slice(from, from + batchSize)))) return false;
    }
    return true;
  }
}
