import type { Health, ObjectKind, RecordKey, SourceRecord, TroveError } from '@trove/core';

/** A table, view or collection: a set of records in a database. */
export interface Table {
  /** Its names from the root of the tree, for example schema and table. */
  readonly names: readonly string[];
  /** The reason for not reading its records, or null. */
  readonly skip: string | null;
  /**
   * The only object that it has. A partitioned table has its schema, and each of its partitions is a further table with
   * records, below one more name. Default: both.
   */
  readonly holds?: TablePart;
}

/** The two objects of a table. */
export type TablePart = 'records' | 'schema';

/** The properties of a table that need no read of all records. */
export interface TableDescription {
  /** The field names in the key of each record. Null if they are known only after reading the records. */
  readonly keyFields: readonly string[] | null;
  /** The content of `schema.json`. */
  readonly schema: object;
  /** Changes whenever a record may have changed. Null if the database does not reveal changes. */
  readonly fingerprint: string | null;
}

/** The changed records of a table, as far as its columns reveal them. */
export interface TableChanges {
  /** The current position, a JSON value that the next sync passes to `changes`. */
  readonly watermark: unknown;
  /** New and changed records since the watermark, and the total number of records. Null if all records must be read. */
  readonly changed: {
    readonly records: AsyncIterable<SourceRecord>;
    readonly total: number;
  } | null;
}

/** The view of one operation on a database. It is closed when the operation ends. */
export interface DatabaseReader<T extends Table> {
  /** Returns the included tables, ordered by name. */
  tables(): Promise<readonly T[]>;
  /** Returns null if the table does not exist or is not included. */
  table(names: readonly string[]): Promise<T | null>;
  describe(table: T): Promise<TableDescription>;
  /** Yields records with unique keys in a stable order. */
  records(table: T, range: RecordRange): AsyncIterable<SourceRecord>;
  /** Yields the record with this key, if it exists. */
  find(table: T, key: RecordKey): AsyncIterable<SourceRecord>;
  /** Yields records with a value that contains the literal text. */
  matches(table: T, text: string): AsyncIterable<SourceRecord>;
  /** `watermark` comes from an earlier sync, or is null. Returns null if the table does not reveal changes. */
  changes?(table: T, watermark: unknown): Promise<TableChanges | null>;
  /** Names the parts of this table that `matches` omits: "the field x". Returns null if `searchNotice` covers everything. */
  describeUnsearched?(table: T): Promise<string | null>;
  close(): Promise<void>;
}

export interface RecordRange {
  readonly offset: number;
  readonly limit: number;
  /** Whether the caller uses only keys. */
  readonly keysOnly: boolean;
}

export interface DatabaseSource<T extends Table> {
  /** The number of names of a table. */
  readonly levels: number;
  /** File name and kind of the objects that hold records. */
  readonly recordsFile: { readonly name: string; readonly kind: ObjectKind };
  /** Whether tables may have partitions, which have one more name. Not with `tracksChanges`. Default false. */
  readonly hasPartitions?: boolean;
  /** Whether readers implement `changes`. */
  readonly tracksChanges: boolean;
  /** Whether schemas are inferred from a sample of records. Default false. */
  readonly isSchemaInferred?: boolean;
  /** A sentence about what `matches` omits in every table. */
  readonly searchNotice?: string;
  /** Throws errors that `toTroveError` translates. */
  open(signal: AbortSignal): Promise<DatabaseReader<T>>;
  /** Translates errors of `open` and of readers. If omitted, they throw `TroveError` themselves. */
  toTroveError?(thrown: unknown): TroveError;
  check(signal: AbortSignal): Promise<Health>;
  close?(): Promise<void>;
}
