import type { Logger } from '@trove/core';

/** Closes what was opened, last in first out, one at a time. An error does not stop the rest from closing. */
export class DisposalStack {
  readonly #entries: { name: string; dispose: () => Promise<void> | void }[] = [];
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  add(name: string, dispose: () => Promise<void> | void): void {
    this.#entries.push({ name, dispose });
  }

  /** Waits at most `limitMs` in total; what takes longer is abandoned and reported. */
  async dispose(limitMs: number): Promise<void> {
    const deadline = Date.now() + limitMs;
    const errors: unknown[] = [];
    for (let entry = this.#entries.pop(); entry !== undefined; entry = this.#entries.pop()) {
      try {
        await within(
          Promise.resolve(entry.dispose()),
          Math.max(deadline - Date.now(), 50),
          entry.name,
        );
      } catch (error) {
        this.#logger.warn(`closing ${entry.name} failed`, { error: String(error) });
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'Some parts could not be closed.');
  }
}

async function within(work: Promise<void>, ms: number, name: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} did not close within ${ms} ms`)), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
