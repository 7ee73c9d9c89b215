import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Table } from '@lancedb/lancedb';

interface Opened {
  readonly table: Table;
  /** Calls in progress. */
  uses: number;
  isFormer: boolean;
}

/**
 * An open table that can be opened anew. The store keeps in memory what it has read of indexes that no longer exist,
 * until their table is closed.
 */
export class TableHandle {
  readonly #open: () => Promise<Table>;
  #opened: Opened;

  private constructor(open: () => Promise<Table>, table: Table) {
    this.#open = open;
    this.#opened = { table, uses: 0, isFormer: false };
  }

  /** `open` returns the table with empty caches of its own. */
  static async open(open: () => Promise<Table>): Promise<TableHandle> {
    return new TableHandle(open, await open());
  }

  /** For whoever alone renews it; everybody else calls `use`. */
  get table(): Table {
    return this.#opened.table;
  }

  /** What the call returns must not read from the table any more. */
  async use<T>(action: (table: Table) => Promise<T>): Promise<T> {
    const opened = this.#opened;
    opened.uses++;
    try {
      return await action(opened.table);
    } finally {
      opened.uses--;
      closeUnused(opened);
    }
  }

  /** Later calls use the table with empty caches; calls in progress end on the former one. */
  async renew(): Promise<void> {
    const table = await this.#open();
    this.close();
    this.#opened = { table, uses: 0, isFormer: false };
  }

  /** Closes the table once the calls in progress have ended. */
  close(): void {
    this.#opened.isFormer = true;
    closeUnused(this.#opened);
  }
}

/** To close a table during a call would free what the call still reads. */
function closeUnused({ table, uses, isFormer }: Opened): void {
  if (isFormer && uses === 0) table.close();
}

/**
 * Queries keep a table in memory, also one that was closed, until they are collected: in an idle process that may take
 * minutes, and a busy one does it by itself.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}
