import { readBatches } from './column-batches.js';
import type { TableHandle } from './table-handle.js';

/** The store's column with the table version of a row's last write. */
const writtenVersionColumn = '_row_last_updated_at_version';

/** Returns the name under which the rows of a load are stored that replaced others. */
export function changesOf(load: string): string {
  return load === '' ? '' : `${load} changes`;
}

interface LoadProgress {
  readonly rows: number;
  /** The table version of the last row. */
  readonly version: number;
}

/** Tracks the loads whose rows may not be indexed yet, including loads of other processes. */
export class WaitingLoads {
  readonly #table: Pick<TableHandle, 'useLatest' | 'created'>;
  readonly #from: () => number;
  readonly #loads = new Map<string, LoadProgress>();
  #created: string | undefined;
  /** The version up to which rows are counted. */
  #seen = -1;
  #reading: Promise<void> | null = null;

  /** `from`: a version with all rows in every index. */
  constructor(table: Pick<TableHandle, 'useLatest' | 'created'>, from: () => number) {
    this.#table = table;
    this.#from = from;
  }

  /**
   * Counts the rows that other loads have written after a version. May also count rows that are indexed or deleted by
   * now, but returns 0 only if there are none. Infinity if the store cannot be read.
   */
  rowsOfOthers(loading: readonly string[], after: number): Promise<number> {
    return this.#count(after, (load) => !loading.includes(load));
  }

  /** Like `rowsOfOthers`, for the rows of these loads. */
  rowsOf(loads: readonly string[], after: number): Promise<number> {
    return this.#count(after, (load) => loads.includes(load));
  }

  async #count(after: number, isCounted: (load: string) => boolean): Promise<number> {
    try {
      await this.#update();
    } catch {
      return Infinity;
    }
    let rows = 0;
    for (const [load, written] of this.#loads)
      if (written.version > after && isCounted(load)) rows += written.rows;
    return rows;
  }

  async #update(): Promise<void> {
    const latest = await this.#table.useLatest((table) => table.version());
    // A table that replaces another one starts with the first version.
    const isOther = this.#table.created !== this.#created || latest < this.#seen;
    if (isOther && this.#reading === null) {
      this.#loads.clear();
      this.#created = this.#table.created;
      this.#seen = -1;
    }
    while (this.#seen < latest) {
      this.#reading ??= this.#read().finally(() => (this.#reading = null));
      await this.#reading;
    }
  }

  async #read(): Promise<void> {
    const from = this.#from();
    const seen = Math.max(this.#seen, from);
    const [latest, batches] = await this.#table.useLatest(async (table) => {
      const version = await table.version();
      const query = table
        .query()
        .where(`${writtenVersionColumn} > ${seen}`)
        .select(['load', writtenVersionColumn]);
      return [version, await readBatches(query)] as const;
    });
    for (const [load, { version }] of this.#loads) if (version <= from) this.#loads.delete(load);
    for (const { rows, columns } of batches) {
      const loads = columns.get('load') ?? [];
      const versions = columns.get(writtenVersionColumn) ?? [];
      for (let at = 0; at < rows; at++) this.#add(String(loads[at]), Number(versions[at]));
    }
    this.#seen = Math.max(this.#seen, latest);
  }

  #add(load: string, version: number): void {
    const before = this.#loads.get(load);
    this.#loads.set(load, {
      rows: 1 + (before?.rows ?? 0),
      version: Math.max(version, before?.version ?? 0),
    });
  }
}
