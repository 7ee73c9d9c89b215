import type { Connector, Health, RecordKey, SourceRecord } from '@trove/core';

import { createDatabaseConnector } from '../connector.js';
import type { DatabaseReader, RecordRange, Table, TableDescription } from '../source.js';
import { bytesText, type ByteBudget } from './byte-budget.js';
import { ListedTables } from './listed-tables.js';
import { ScannedRecords } from './scanned-records.js';

/** A table, view or partition of a warehouse. Warehouses have no indexes, so each read scans it. */
export interface ScannedTable extends Table {
  /** The names of the columns, in the order of a row's values. */
  readonly columns: readonly string[];
  /** Columns that identify the rows, or null. */
  readonly key: readonly string[] | null;
  /** The bytes that one scan reads. Null if unknown. */
  readonly bytes: number | null;
  readonly description: TableDescription;
}

/** A request for rows. */
export interface TableScan {
  readonly offset: number;
  readonly limit: number;
  /** The only record that the caller uses. The source may yield others. */
  readonly key?: RecordKey;
  /** The text that the caller searches. The source may yield rows without it. */
  readonly text?: string;
}

/** The parts that are specific to one warehouse. */
export interface ScanSource<T extends ScannedTable> {
  /** The number of names of a table. Partitions have one more. */
  readonly levels: number;
  readonly budget: ByteBudget;
  /** Returns the included tables and partitions, ordered by name. */
  tables(signal: AbortSignal): Promise<readonly T[]>;
  /** Returns null if the table does not exist or is not included. */
  table(names: readonly string[], signal: AbortSignal): Promise<T | null>;
  /** Yields the JSON values of rows, in a stable order. */
  scan(table: T, scan: TableScan, signal: AbortSignal): AsyncIterable<readonly unknown[]>;
  /** Returns whether the service bills a scan. The scans of a sync count in any case. */
  isBilled(table: T, scan: TableScan): boolean;
  check(signal: AbortSignal): Promise<Health>;
  close(): void;
}

/**
 * Creates a connector for a warehouse. Fingerprints from its metadata decide which tables a sync scans, and a budget limits
 * the bytes of these scans.
 */
export function createScanConnector<T extends ScannedTable>(source: ScanSource<T>): Connector {
  const listed = new ListedTables<T>();
  const connector = createDatabaseConnector<T>({
    levels: source.levels,
    hasPartitions: true,
    recordsFile: { name: 'rows.jsonl', kind: 'table_rows' },
    tracksChanges: false,
    open: (signal) => Promise.resolve(new ScannedTables(source, listed, signal)),
    check: (signal) => source.check(signal),
    close: () => Promise.resolve(source.close()),
  });
  return {
    ...connector,
    list: (request) => {
      source.budget.restart();
      return connector.list(request);
    },
    stat: (path, options) => {
      listed.clear();
      return connector.stat?.(path, options) ?? Promise.resolve(null);
    },
  };
}

/** Reads the tables of a warehouse for one operation. */
class ScannedTables<T extends ScannedTable> implements DatabaseReader<T> {
  readonly #source: ScanSource<T>;
  readonly #listed: ListedTables<T>;
  readonly #signal: AbortSignal;

  constructor(source: ScanSource<T>, listed: ListedTables<T>, signal: AbortSignal) {
    this.#source = source;
    this.#listed = listed;
    this.#signal = signal;
  }

  async tables(): Promise<readonly T[]> {
    const tables = await this.#source.tables(this.#signal);
    this.#listed.replace(tables);
    return tables;
  }

  async table(names: readonly string[]): Promise<T | null> {
    return this.#listed.take(names) ?? this.#source.table(names, this.#signal);
  }

  describe({ description }: T): Promise<TableDescription> {
    return Promise.resolve(description);
  }

  async *records(table: T, { offset, limit }: RecordRange): AsyncGenerator<SourceRecord> {
    if (limit === Infinity) this.#source.budget.take(table.names.join('.'), table.bytes);
    const records = new ScannedRecords(table);
    // The digests of equal rows are numbered from the first row.
    const skipped = table.key === null ? 0 : offset;
    let left = offset - skipped;
    const scan = { offset: skipped, limit: limit + left };
    for await (const row of this.#source.scan(table, scan, this.#signal)) {
      const record = records.recordOf(row);
      if (left-- <= 0) yield record;
    }
  }

  async *find(table: T, key: RecordKey): AsyncGenerator<SourceRecord> {
    const records = new ScannedRecords(table);
    for await (const record of this.#scanAll(table, records, { key }))
      if (records.hasKey(record, key)) {
        yield record;
        return;
      }
  }

  async *matches(table: T, text: string): AsyncGenerator<SourceRecord> {
    if (this.#searchRefusal(table) !== null) return;
    const records = new ScannedRecords(table);
    for await (const record of this.#scanAll(table, records, { text }))
      if (records.contains(record, text)) yield record;
  }

  describeUnsearched(table: T): Promise<string | null> {
    return Promise.resolve(this.#searchRefusal(table));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
  /** Scans for one record or a text. Billed scans between two syncs share the budget of the first. */
  async *#scanAll(
    table: T,
    records: ScannedRecords,
    wanted: Pick<TableScan, 'key' | 'text'>,
  ): AsyncGenerator<SourceRecord> {
    const scan = { offset: 0, limit: Infinity, ...wanted };
    const { budget } = this.#source;
    if (this.#source.isBilled(table, scan)) budget.take(table.names.join('.'), table.bytes);
    for await (const row of this.#source.scan(table, scan, this.#signal))
      yield records.recordOf(row);
  }

  /** Returns what a search leaves out, because it would cost too much, or null. */
  #searchRefusal(table: T): string | null {
    const scan = { offset: 0, limit: Infinity, text: '' };
    const { budget } = this.#source;
    const { bytes } = table;
    if (bytes === null || bytes <= budget.remaining || !this.#source.isBilled(table, scan))
      return null;
    return `its rows, which take ${bytesText(bytes)}: \`max_bytes\` leaves ${bytesText(budget.remaining)} until the next sync`;
  }
}
