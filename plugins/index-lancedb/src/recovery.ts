import { TroveError } from '@trove/core';
import { hasLostFiles } from './failures.js';
import type { TableHandle } from './table-handle.js';

/** Puts a new, empty table in the place of one of which files are damaged or missing. */
export class Recovery {
  readonly #table: TableHandle;
  readonly #replaceTable: (() => Promise<void>) | null;
  #replacing: Promise<void> | null = null;

  /** `replaceTable`: null where a table is never replaced, because it is not in a local folder. */
  constructor(table: TableHandle, replaceTable: (() => Promise<void>) | null) {
    this.#table = table;
    this.#replaceTable = replaceTable;
  }

  /**
   * Runs an action on the table. When files of it are missing or damaged, also once it is opened anew, the table is replaced
   * and a retryable `storage_unavailable` says so. `trial` repeats the action where that must not run twice.
   */
  async during<T>(action: () => Promise<T>, trial: () => Promise<unknown> = action): Promise<T> {
    const { created } = this.#table;
    try {
      return await action();
    } catch (error) {
      if (this.#replaceTable === null || !hasLostFiles(error)) throw error;
      const found = await this.#repeat(trial);
      if (found.isLost) return this.#replace(created, error, this.#replaceTable);
      if (trial === action) return await action();
      throw error;
    }
  }

  /** Whether the files are lost also when the table is opened anew: another process may have compacted or replaced it. */
  async #repeat(trial: () => Promise<unknown>): Promise<{ readonly isLost: boolean }> {
    try {
      await this.#table.renew();
      await trial();
      return { isLost: false };
    } catch (error) {
      if (!hasLostFiles(error)) throw error;
      return { isLost: true };
    }
  }

  async #replace(
    created: string | undefined,
    cause: unknown,
    replaceTable: () => Promise<void>,
  ): Promise<never> {
    // Others have met the same damage, and the table may be a new one by now.
    if (this.#table.created === created) {
      this.#replacing ??= replaceTable().finally(() => (this.#replacing = null));
    }
    await this.#replacing;
    throw new TroveError(
      'storage_unavailable',
      'Files of the index were damaged or missing. It begins anew.',
      {
        cause,
        retryable: true,
        suggestions: ['Wait until the sources are indexed again: `trove status` shows how far.'],
      },
    );
  }
}
