import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Table } from '@lancedb/lancedb';
import { indexIds } from './indices.js';
import { CREATED_KEY } from './table-schema.js';

interface Opened {
  readonly table: Table;
  /** Tells it from others of its name. */
  readonly created: string | undefined;
  /** Ids of the indexes that it had then. */
  readonly indices: string;
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
  #warm: (table: Table) => Promise<void> = async () => undefined;

  private constructor(open: () => Promise<Table>, opened: Opened) {
    this.#open = open;
    this.#opened = opened;
  }

  /** `open` returns the table with empty caches of its own. */
  static async open(open: () => Promise<Table>): Promise<TableHandle> {
    return new TableHandle(open, await openedBy(open));
  }

  /** What reads into the empty caches of a table that is opened anew, before calls use it: they need not wait for that then. */
  set warming(warm: (table: Table) => Promise<void>) {
    this.#warm = warm;
  }

  /** For whoever alone renews it; everybody else calls `use`. */
  get table(): Table {
    return this.#opened.table;
  }

  /** Whether another table has taken the place of the one that was opened. Throws when there is none at all. */
  async isReplaced(): Promise<boolean> {
    const { created } = this.#opened;
    return (await this.use((table) => createdOf(table))) !== created;
  }

  /**
   * Opens the table anew if another one has taken its place, and says so: a commit would make what the store remembers of
   * the former one a part of the present one, which nobody could open from then on.
   */
  async keepUp(): Promise<boolean> {
    if (!(await this.isReplaced())) return false;
    // The former one is left to the garbage collector: whoever maintains it may be in the middle of a call.
    this.#opened = await openedBy(this.#open);
    return true;
  }

  /** Writes to the table that is there now. */
  async write<T>(action: (table: Table) => Promise<T>): Promise<T> {
    await this.keepUp();
    return this.use(action);
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

  /**
   * Opens the table anew if any of its indexes is another one, whoever has made it: what was read of the former one leaves
   * memory, and the new ones have to be read anyway.
   */
  async forgetFormerIndices(): Promise<void> {
    const opened = this.#opened;
    if ((await this.use(indexIds)) !== opened.indices) await this.renew();
  }

  /** Later calls use the table with caches of its own; calls in progress end on the former one. */
  async renew(): Promise<void> {
    const former = this.#opened;
    const opened = await openedBy(this.#open);
    // Whatever cannot be read is told to whoever asks for it.
    await this.#warm(opened.table).catch(() => undefined);
    // Another table of the name has taken the place of both.
    if (this.#opened !== former) return opened.table.close();
    this.close();
    this.#opened = opened;
  }

  /** Closes the table once the calls in progress have ended. */
  close(): void {
    this.#opened.isFormer = true;
    closeUnused(this.#opened);
  }
}

async function openedBy(open: () => Promise<Table>): Promise<Opened> {
  const table = await open();
  const [created, indices] = await Promise.all([createdOf(table), indexIds(table)]);
  return { table, created, indices, uses: 0, isFormer: false };
}

async function createdOf(table: Table): Promise<string | undefined> {
  return (await table.schema()).metadata.get(CREATED_KEY);
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
