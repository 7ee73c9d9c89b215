import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection, Table } from '@lancedb/lancedb';
import { indexIds } from './indices.js';
import { createdKey } from './table-schema.js';

/** One table, opened twice: what is read of its indices is kept in memory once. */
export interface TablePair {
  readonly latest: Table;
  /** To be set to one version. */
  readonly fixed: Table;
}

interface HeldVersion {
  readonly folder: string;
  readonly rows: string;
  version: number;
}

interface OpenTable extends TablePair {
  /** Tells it from others of its name. */
  readonly created: string | undefined;
  /** Ids of the indexes that it had then. */
  readonly indices: string;
  /** While calls use `fixed`: what rows there are, and the latest version known to have the same. */
  held: HeldVersion | null;
  /** Calls in progress. */
  uses: number;
  isFormer: boolean;
}

/**
 * An open table that can be opened anew. The store keeps in memory what it has read of indexes that no longer exist,
 * until their table is closed.
 */
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

  /** `open` returns the table with empty caches of its own; `folder` is that of a local one, else null. */
  static async open(open: () => Promise<TablePair>, folder: string | null): Promise<TableHandle> {
    return new TableHandle(open, folder, await openTable(open));
  }

  /** What reads into the empty caches of a table that is opened anew, before calls use it: they need not wait for that then. */
  set warming(warm: (table: Table) => Promise<void>) {
    this.#warm = warm;
  }

  /** For whoever alone renews it; everybody else calls `use`. */
  get table(): Table {
    return this.#opened.latest;
  }

  /** Tells the table that is open from others of its name. */
  get created(): string | undefined {
    return this.#opened.created;
  }

  /** Whether another table has taken the place of the one that was opened. Throws when there is none at all. */
  async isReplaced(): Promise<boolean> {
    const { created } = this.#opened;
    return (await this.useLatest(createdOf)) !== created;
  }

  /**
   * Opens the table anew if another one has taken its place, and says so: a commit would make what the store remembers of
   * the former one a part of the present one, which nobody could open from then on.
   */
  async reopenIfReplaced(): Promise<boolean> {
    if (!(await this.isReplaced())) return false;
    // The former one is left to the garbage collector: whoever maintains it may be in the middle of a call.
    this.#opened = await openTable(this.#open);
    return true;
  }

  /** Writes to the table that is there now. */
  async write<T>(action: (table: Table) => Promise<T>): Promise<T> {
    await this.reopenIfReplaced();
    try {
      return await this.useLatest(action);
    } finally {
      this.release();
    }
  }

  /** What the call returns must not read from the table any more. While the table is held, one that fails is made again. */
  use<T>(action: (table: Table) => Promise<T>): Promise<T> {
    return this.#during(async (opened) => {
      const table = await this.#readable(opened);
      if (table === opened.latest) return action(table);
      try {
        return await action(table);
      } catch {
        // Another process may have removed what only the former indices consist of.
        opened.held = null;
        return action(opened.latest);
      }
    });
  }

  /** The same for calls that need no index, or must not be made again. */
  useLatest<T>(action: (table: Table) => Promise<T>): Promise<T> {
    return this.#during(({ latest }) => action(latest));
  }

  /**
   * Until the table is opened anew or released, calls use the indices that it has now, as long as its rows stay the same: what is
   * made meanwhile has to be read first, and all of them would wait for that.
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
   * Opens the table anew if any of its indexes is another one, whoever has made it: what was read of the former one leaves
   * memory, and the new ones have to be read anyway.
   */
  async dropFormerIndices(): Promise<void> {
    const opened = this.#opened;
    if ((await this.useLatest(indexIds)) !== opened.indices) await this.renew();
  }

  /** Later calls use the table with caches of its own; calls in progress end on the former one. */
  async renew(): Promise<void> {
    const former = this.#opened;
    const opened = await openTable(this.#open);
    // Whatever cannot be read is told to whoever asks for it.
    await this.#warm(opened.latest).catch(() => undefined);
    // Another table of the name has taken the place of both.
    if (this.#opened !== former) return closeBoth(opened);
    this.close();
    this.#opened = opened;
  }

  /** Closes the table once the calls in progress have ended. */
  close(): void {
    this.#opened.isFormer = true;
    closeUnused(this.#opened);
  }

  /** The table that calls use now. */
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
 * Tells which rows a version of a table has from those of others: to write any adds a file. One that was added before by another
 * process, which commits it only now, shows in how many rows there are.
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

/** To close a table during a call would free what the call still reads. */
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
 * Queries keep a table in memory, also one that was closed, until they are collected: in an idle process that may take
 * minutes, and a busy one does it by itself. Only a program that exposes `gc` has it called, beside its event loop.
 */
export async function collectGarbage(): Promise<void> {
  await globalThis.gc?.({ type: 'major', execution: 'async' });
}
