import { messageOf, type Logger } from '@trove/core';
import { resolveWithin } from './abort.js';

/** Minimum time for each entry, even if earlier ones used up the limit. */
const minCloseMs = 50;

interface DisposalEntry {
  readonly name: string;
  readonly dispose: () => Promise<void> | void;
}

/**
 * Closes registered resources one at a time in reverse order. An error does not stop the others from closing.
 */
export class DisposalStack {
  readonly #entries: DisposalEntry[] = [];
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  add(name: string, dispose: () => Promise<void> | void): void {
    this.#entries.push({ name, dispose });
  }

  /** Waits at most `limitMs` in total. Resources that take longer are abandoned and reported. */
  async dispose(limitMs: number): Promise<void> {
    const deadline = performance.now() + limitMs;
    const errors: unknown[] = [];
    for (let entry = this.#entries.pop(); entry !== undefined; entry = this.#entries.pop()) {
      try {
        await disposeEntry(entry, Math.max(deadline - performance.now(), minCloseMs));
      } catch (error) {
        this.#logger.warn(`closing ${entry.name} failed`, { error: String(error) });
        errors.push(error);
      }
    }
    if (errors.length > 0)
      throw new AggregateError(
        errors,
        `Some parts could not be closed: ${errors.map(messageOf).join('; ')}`,
      );
  }
}

async function disposeEntry({ name, dispose }: DisposalEntry, ms: number): Promise<void> {
  const late = Symbol('late');
  const outcome = await resolveWithin(Promise.resolve(dispose()), ms, late);
  if (outcome === late) throw new Error(`${name} did not close within ${ms} ms`);
}
