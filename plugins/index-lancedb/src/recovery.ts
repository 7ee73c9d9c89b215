import { TroveError } from '@trove/core';
import { hasLostFiles } from './failures.js';
import type { TableHandle } from './table-handle.js';

/** Replaces a table with damaged or missing files by an empty one. */
export class Recovery {
  readonly #table: TableHandle;
  readonly #replaceTable: (() => Promise<void>) | null;
  #replacing: Promise<void> | null = null;

  /** `replaceTable`: null if the table is not in a local folder and must not be replaced. */
  constructor(table: TableHandle, replaceTable: (() => Promise<void>) | null) {
    this.#table = table;
    this.#replaceTable = replaceTable;
  }

  /**
   * Runs an action on the table. If its files are missing or damaged even after reopening, replaces the table and
   * throws a retryable `storage_unavailable`. `trial` stands for the action where that must not run twice.
   */
  async during<T>(action: () => Promise<T>, trial: () => Promise<unknown> = action): Promise<T> {
    const { created } = this.#table;
    try {
      return await action();
    } catch (error) {
      if (this.#replaceTable === null || !hasLostFiles(error)) throw error;
      if (await this.#failsReopened(trial))
        return this.#replace(created, error, this.#replaceTable);
      if (trial === action) return await action();
      throw error;
    }
  }

  /** Whether the files are missing even in the reopened table. Another process may have compacted or replaced it. */
  async #failsReopened(trial: () => Promise<unknown>): Promise<boolean> {
    try {
      await this.#table.renew();
      await trial();
      return false;
    } catch (error) {
      if (!hasLostFiles(error)) throw error;
      return true;
    }
  }

  async #replace(
    created: string | undefined,
    cause: unknown,
    replaceTable: () => Promise<void>,
  ): Promise<never> {
    // Concurrent calls find the same damage, and the table may be new already.
    if (this.#table.created === created) {
      this.#replacing ??= replaceTable().finally(() => (this.#replacing = null));
    }
    await this.#replacing;
    throw new TroveError(
      'storage_unavailable',
      'Files of the index were damaged or missing. The index starts empty.',
      {
        cause,
        retryable: true,
        suggestions: [
          'Wait until the sources are indexed again. `trove status` shows the progress.',
        ],
      },
    );
  }
}
