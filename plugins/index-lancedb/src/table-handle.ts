import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection, Table } from '@lancedb/lancedb';
import { indexIds } from './indices.js';
import { createdKey } from './table-schema.js';

/** One table, opened twice with a shared index cache. */
export interface TablePair {
  readonly latest: Table;
  /** For a checkout of one version. */
  readonly fixed: Table;
}

interface HeldVersion {
  readonly folder: string;
  readonly rows: string;
  version: number;
}

interface OpenTable extends TablePair {
  /** The creation mark, which differs between tables of the same name. */
  readonly created: string | undefined;
  /** Ids of the indexes at opening. */
  readonly indices: string;
  /** Set while calls use `fixed`: a mark of its rows, and the latest version known to have the same rows. */
  held: HeldVersion | null;
  /** Calls in progress. */
  uses: number;
  isFormer: boolean;
}

/** An open table that can be reopened. The store caches dropped indexes until their table is closed. */
export class TableHandle {
  readonly #open: () => Promise<TablePair>;
  readonly #folder: string | null;
  #opened: OpenTable;
  #warm: (table: Table) => Promise<void> = async () => undefined;

  private constructor(open: () => Promise<TablePair>, folder: string | null, opened: OpenTable) {
    this.#open = open;
    this.#folder = folder;
    this.#opened = opened;
  }

  /** `open` returns the table with its own empty caches. `folder`: the local folder, or null. */
  static async open(open: () => Promise<TablePair>, folder: string | null): Promise<TableHandle> {
    return new TableHandle(open, folder, await openTable(open));
  }

  /** Fills the caches of a reopened table before calls use it. */
  set warming(warm: (table: Table) => Promise<void>) {
    this.#warm = warm;
  }

  /** For the caller that alone renews the table. Others call `use`. */
  get table(): Table {
    return this.#opened.latest;
  }

  /** The creation mark of the open table, which differs between tables of the same name. */
  get created(): string | undefined {
    return this.#opened.created;
  }

  /** Whether another table has replaced the opened one. Throws if there is none. */
  async isReplaced(): Promise<boolean> {
    const { created } = this.#opened;
    return (await this.useLatest(createdOf)) !== created;
  }

  /**
   * Reopens a replaced table and returns whether it did. Otherwise a commit would write metadata of the former table
   * into the new one, which then could not be opened.
   */
  async reopenIfReplaced(): Promise<boolean> {
    if (!(await this.isReplaced())) return false;
    // The garbage collector frees the former table, because maintenance may still be using it.
    this.#opened = await openTable(this.#open);
    return true;
  }

  /** Writes to the current table. */
  async write<T>(action: (table: Table) => Promise<T>): Promise<T> {
    await this.reopenIfReplaced();
    try {
      return await this.useLatest(action);
    } finally {
      this.release();
    }
  }

  /** The result must not read from the table afterwards. While the table is held, a failed call runs again. */
  use<T>(action: (table: Table) => Promise<T>): Promise<T> {
    return this.#during(async (opened) => {
      const table = await this.#readable(opened);
      if (table === opened.latest) return action(table);
      try {
        return await action(table);
      } catch {
        // Another process may have removed files of the former indices.
        opened.held = null;
        return action(opened.latest);
      }
    });
  }

  /** Like `use`, for calls that need no index or must not run twice. */
  useLatest<T>(action: (table: Table) => Promise<T>): Promise<T> {
    return this.#during(({ latest }) => action(latest));
  }

  /**
   * Makes calls use the current indices until the table is reopened or released, as long as its rows stay the same.
   * Calls would otherwise wait until new indices are read into memory.
   */
  async hold(): Promise<void> {
    const folder = this.#folder;
    if (folder === null) return;
    await this.#during(async (opened) => {
      const version = await opened.latest.version();
      const rows = await rowsIn(opened.latest, folder);
      await opened.fixed.checkout(version);
      const isSame = (await opened.latest.version()) === version;
      opened.held = isSame ? { folder, rows, version } : null;
    });
  }

  release(): void {
    this.#opened.held = null;
  }

  /**
   * Reopens the table if any index has changed. That frees the former indices from memory, and the new ones have to be
   * read anyway.
   */
  async dropFormerIndices(): Promise<void> {
    const opened = this.#opened;
    if ((await this.useLatest(indexIds)) !== opened.indices) await this.renew();
  }

  /** Later calls use the table with new caches. Calls in progress end on the former one. */
  async renew(): Promise<void> {
    const former = this.#opened;
    const opened = await openTable(this.#open);
    // The next call reports read errors.
    await this.#warm(opened.latest).catch(() => undefined);
    // Another table of the name has replaced both.
    if (this.#opened !== former) return closeBoth(opened);
    this.close();
    this.#opened = opened;
  }

  /** Closes the table after the calls in progress. */
  close(): void {
    this.#opened.isFormer = true;
    closeUnused(this.#opened);
  }

  /** Returns the table for the next calls. */
  async #readable(opened: OpenTable): Promise<Table> {
    const { latest, fixed, held } = opened;
    if (held === null) return latest;
    const version = await latest.version();
    if (version !== held.version) {
      if ((await rowsIn(latest, held.folder)) !== held.rows) {
        if (opened.held === held) opened.held = null;
        return latest;
      }
      held.version = version;
    }
    return fixed;
  }

  async #during<T>(action: (opened: OpenTable) => Promise<T>): Promise<T> {
    const opened = this.#opened;
    opened.uses++;
    try {
      return await action(opened);
    } finally {
      opened.uses--;
      closeUnused(opened);
    }
  }
}

async function openTable(open: () => Promise<TablePair>): Promise<OpenTable> {
  const pair = await open();
  const [created, indices] = await Promise.all([createdOf(pair.latest), indexIds(pair.latest)]);
  return { ...pair, created, indices, held: null, uses: 0, isFormer: false };
}

/**
 * Returns a mark of the rows in a version. Each write adds a file. A file of an earlier, uncommitted write of another
 * process shows in the number of rows.
 */
async function rowsIn(table: Table, folder: string): Promise<string> {
  const [created, { numRows, fragmentStats }, ...written] = await Promise.all([
    createdOf(table),
    table.stats(),
    changedAt(join(folder, 'data')),
    changedAt(join(folder, '_deletions')),
  ]);
  return JSON.stringify([created, numRows, fragmentStats, written]);
}

async function changedAt(folder: string): Promise<string | null> {
  const found = await stat(folder, { bigint: true }).catch(() => null);
  return found === null ? null : String(found.mtimeNs);
}

async function createdOf(table: Table): Promise<string | undefined> {
  return (await table.schema()).metadata.get(createdKey);
}

/** Closing a table during a call would free memory that the call still reads. */
function closeUnused(opened: OpenTable): void {
  if (opened.isFormer && opened.uses === 0) closeBoth(opened);
}

export async function openPair(connection: Connection, name: string): Promise<TablePair> {
  const latest = await connection.openTable(name);
  try {
    return { latest, fixed: await connection.openTable(name) };
  } catch (error) {
    latest.close();
    throw error;
  }
}

export function closeBoth({ latest, fixed }: TablePair): void {
  latest.close();
  fixed.close();
}

/**
 * Queries keep a table in memory, even a closed one, until they are collected. In an idle process that may take
 * minutes. Only a program that exposes `gc` gets this call, outside its event loop.
 */
export async function collectGarbage(): Promise<void> {
  await globalThis.gc?.({ type: 'major', execution: 'async' });
}
