/** What a statement is given: strings hold any characters, bytes go to blobs only. */
export type Binding = string | number | null | Uint8Array;
export type Bindings = Readonly<Record<string, Binding>>;
export type Row = Readonly<Record<string, unknown>>;

/** Runs statements with named bindings (`:name`), one after the other. */
export interface Session {
  all(sql: string, bindings?: Bindings): Promise<Row[]>;
  run(sql: string, bindings?: Bindings): Promise<void>;
  /** Runs a change and returns how many rows it changed. */
  change(sql: string, bindings?: Bindings): Promise<number>;
}

/** What differs between the engines; statements are otherwise the same text on both. */
export interface Dialect {
  /** Milliseconds since 1970 by the database's clock, the same throughout a statement. */
  readonly now: string;
  /** Column types. */
  readonly serial: string;
  readonly text: string;
  readonly real: string;
  readonly bytes: string;
  /** A statement after which no other process is in a transaction that began with it. */
  readonly exclude: string;
  /** Ends a select whose rows this transaction will change. */
  readonly lock: string;
  /** The same for the rows of one table, leaving out what others have locked. */
  readonly skipLocked: (alias: string) => string;
  /** An expression that an index can hold, however long the text; its order is part of the text's order. */
  readonly key: (text: string) => string;
  /** A table of the rows in a JSON array of arrays, with their number `n`. */
  readonly rows: (binding: string, columns: Columns) => string;
  /** A condition: the column is one of the values in a JSON array. */
  readonly among: (column: string, binding: string, type: 'text' | 'bigint') => string;
  /**
   * An aggregate of the rows that meet a condition: a JSON array, as one text, or null when there are none. Drivers
   * take several times as long to hand over many rows as a database takes to find them.
   */
  readonly gathered: (text: string, condition: string) => string;
  /** A table, for a `from`, of the strings in a JSON array that an expression gives, as `value`. */
  readonly elements: (json: string, alias: string) => string;
  /** The same of the names and the values (strings or null) in a JSON object, as `key` and `value`. */
  readonly members: (json: string, alias: string) => string;
}

export type Columns = Readonly<Record<string, 'text' | 'bigint' | 'real'>>;

/** A database that serves one engine; safe for concurrent use. */
export interface Database {
  readonly dialect: Dialect;
  /** One reading statement, outside of any transaction. */
  all(sql: string, bindings?: Bindings): Promise<Row[]>;
  /** One transaction; rolled back when `work` rejects. */
  write<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Waits for running calls; later ones reject with `engine_closed`. */
  close(): Promise<void>;
}
