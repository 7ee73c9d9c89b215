import type { Knex } from 'knex';

/** A parameter of a statement. Strings may hold any character, and bytes are only for blobs. */
export type Binding = string | number | null | Uint8Array;
export type Bindings = Readonly<Record<string, Binding>>;
export type Row = Readonly<Record<string, unknown>>;

/**
 * A statement built from `Database.table`, or SQL with named bindings (`:name`). See `execute` for when to use which.
 */
export type SqlStatement = string | Knex.QueryBuilder;

/** Runs statements one at a time. */
export interface StoreSession {
  all(statement: SqlStatement, bindings?: Bindings): Promise<Row[]>;
  run(statement: SqlStatement, bindings?: Bindings): Promise<void>;
  /** Runs a change and returns the number of changed rows. */
  change(statement: SqlStatement, bindings?: Bindings): Promise<number>;
}

/** Differences between the database engines. All other SQL is identical. */
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
  /** Suffix of a select that locks its rows for this transaction. */
  readonly lock: string;
  /** Like `lock` for the rows of one table, but skips rows locked by other transactions. */
  readonly skipLocked: (alias: string) => string;
  /** An indexable expression for a text of any length. Its order is a prefix of the text's order. */
  readonly key: (text: string) => string;
  /** The rows in a JSON array of arrays as a table with their position `n`. */
  readonly rows: (binding: string, columns: ColumnTypes) => string;
  /** A condition that the column matches a pattern, in any case of ASCII letters. */
  readonly likeInAnyCase: (column: string, binding: string) => string;
  /** A condition that the column equals one of the values in a JSON array. */
  readonly isOneOf: (column: string, binding: string, type: 'text' | 'bigint') => string;
  /**
   * An aggregate of the rows that meet a condition: a JSON array as one text, or null without rows. Drivers take longer to
   * return many rows than the database takes to find them.
   */
  readonly jsonArrayWhere: (text: string, condition: string) => string;
  /** The strings in a JSON array as a table with the column `value`, for use in `from`. */
  readonly elements: (json: string, alias: string) => string;
  /** The keys and values (strings or null) of a JSON object as a table with the columns `key` and `value`. */
  readonly members: (json: string, alias: string) => string;
}

export type ColumnTypes = Readonly<Record<string, 'text' | 'bigint' | 'real'>>;

export interface WriteOptions {
  /** Survives a power cut. Otherwise a write survives only the death of the process (default). */
  readonly durable?: boolean;
}

/** Tables whose names begin with `prefix` and with none of `except`. */
export interface TableSelection {
  readonly prefix: string;
  readonly except?: readonly string[];
}

/** A database of one engine. Safe for concurrent use. */
export interface Database {
  readonly dialect: StoreDialect;
  /** Builds a statement on a table for `all` or a session. Awaiting it directly rejects. */
  readonly table: (name: string) => Knex.QueryBuilder;
  /** Runs one read-only statement outside any transaction. */
  all(statement: SqlStatement, bindings?: Bindings): Promise<Row[]>;
  /** Runs one transaction and rolls back if `work` rejects. */
  write<T>(work: (session: StoreSession) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Returns the bytes of the selected tables, or of the whole file where tables have no size. Cheap. */
  size(tables: TableSelection): Promise<number>;
  /** Writes the whole database, as of one moment, to a new file. */
  snapshot(file: string): Promise<void>;
  /** Returns the space of deleted rows to the system, where the database does not do so itself. */
  compact?(): Promise<void>;
  /** Waits for running calls. Later calls reject with `engine_closed`. */
  close(): Promise<void>;
}
