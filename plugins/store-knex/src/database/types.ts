import type { Knex } from 'knex';

/** Parameter of a statement: strings may hold any character; bytes are for blobs only. */
export type Binding = string | number | null | Uint8Array;
export type Bindings = Readonly<Record<string, Binding>>;
export type Row = Readonly<Record<string, unknown>>;

/** Built from `Database.table`, or SQL with named bindings (`:name`); `execute` says which is for what. */
export type SqlStatement = string | Knex.QueryBuilder;

/** Runs statements, one at a time. */
export interface StoreSession {
  all(statement: SqlStatement, bindings?: Bindings): Promise<Row[]>;
  run(statement: SqlStatement, bindings?: Bindings): Promise<void>;
  /** Runs a change and returns the number of rows changed. */
  change(statement: SqlStatement, bindings?: Bindings): Promise<number>;
}

/** Differences between the engines; otherwise statements are identical. */
export interface StoreDialect {
  /** Milliseconds since 1970 by the database's clock, constant within a statement. */
  readonly now: string;
  /** Column types. */
  readonly serial: string;
  readonly text: string;
  readonly real: string;
  readonly bytes: string;
  /** A statement that waits until no other process is in a transaction begun with it. */
  readonly exclude: string;
  /** Suffix of a select whose rows this transaction will change. */
  readonly lock: string;
  /** The same for the rows of one table, skipping rows locked by others. */
  readonly skipLocked: (alias: string) => string;
  /** An indexable expression for a text of any length; its order is a prefix of the text's order. */
  readonly key: (text: string) => string;
  /** The rows in a JSON array of arrays as a table, with their position `n`. */
  readonly rows: (binding: string, columns: ColumnTypes) => string;
  /** A condition that the column equals one of the values in a JSON array. */
  readonly among: (column: string, binding: string, type: 'text' | 'bigint') => string;
  /**
   * An aggregate of the rows that meet a condition: a JSON array as one text, or null when there are none. Drivers take
   * several times as long to return many rows as a database takes to find them.
   */
  readonly gathered: (text: string, condition: string) => string;
  /** The strings in a JSON array as a table with the column `value`, for use in `from`. */
  readonly elements: (json: string, alias: string) => string;
  /** The same for the keys and values (strings or null) of a JSON object, as `key` and `value`. */
  readonly members: (json: string, alias: string) => string;
}

export type ColumnTypes = Readonly<Record<string, 'text' | 'bigint' | 'real'>>;

export interface WriteOptions {
  /** Not even a power cut undoes it once it has ended. Default: no process that dies does. */
  readonly durable?: boolean;
}

/** Names that begin with `prefix` and with none of `except`. */
export interface TableSelection {
  readonly prefix: string;
  readonly except?: readonly string[];
}

/** A database for one engine; safe for concurrent use. */
export interface Database {
  readonly dialect: StoreDialect;
  /** A statement on a table, for `all` or a session: awaited by itself it only rejects. */
  readonly table: (name: string) => Knex.QueryBuilder;
  /** One read-only statement, outside any transaction. */
  all(statement: SqlStatement, bindings?: Bindings): Promise<Row[]>;
  /** One transaction; rolled back if `work` rejects. */
  write<T>(work: (session: StoreSession) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Bytes of the tables whose names begin so, or of more where tables have no size of their own; cheap. */
  size(tables: TableSelection): Promise<number>;
  /** Gives back the space of deleted rows, where the database does not reuse and return it by itself. */
  compact?(): Promise<void>;
  /** Waits for running calls; later calls reject with `engine_closed`. */
  close(): Promise<void>;
}
