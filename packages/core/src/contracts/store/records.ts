/** The stored state of a record, to detect changes and to count its rows. */
export interface RecordState {
  /** The key of the record within its object, at most 500 characters. */
  readonly key: string;
  /** The version under which the record was indexed. Null: unknown, so it counts as changed. */
  readonly version: string | null;
  /** The number of its index rows. For a thread, one message counts the rows of all. */
  readonly chunks: number;
  /** The thread of a message, at most 500 characters. Null: the record is replaced alone. */
  readonly thread: string | null;
  /** The record's own time, in milliseconds since 1970. Null: unknown. */
  readonly at: number | null;
  /** The record has too many chunks, so the index has only part of it. */
  readonly isTruncated: boolean;
}

export interface StoredRecord extends RecordState {
  readonly objectId: string;
  /** A stable positive integer, unique among the records of a connector. Records stored later have larger numbers. */
  readonly number: number;
}

/** The differences between records of an object and the stored ones. */
export interface RecordsDifference {
  /** The numbers of records with the given version. */
  readonly unchanged: readonly number[];
  /** The stored state of records with another version. */
  readonly changed: readonly StoredRecord[];
  /** The keys of records that are not stored. */
  readonly added: readonly string[];
}

/** Totals over the records of an object. */
export interface RecordTotals {
  readonly records: number;
  readonly chunks: number;
  /** The number of partly indexed records. */
  readonly truncated: number;
  /** The largest record number, or 0 if there are none. */
  readonly last: number;
}

/** Changes to the records of an object. */
export interface RecordsUpdate {
  readonly put: readonly RecordState[];
  /** Keys. */
  readonly removed: readonly string[];
}

/** A range of times, in milliseconds since 1970: `from` is inclusive, `to` exclusive. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** The stored records of objects. */
export interface RecordCatalog {
  /**
   * Compares records of an object, given as versions by key, with the stored ones. A null version equals every version.
   */
  compare(
    connectorId: string,
    objectId: string,
    versions: ReadonlyMap<string, string | null>,
  ): Promise<RecordsDifference>;
  /**
   * Returns the records of one object, or of all (null), after a position: by object, then by key, in any stable order.
   * With `threads`, only messages of these threads. With `times`, only records with a time in this range.
   */
  list(
    connectorId: string,
    options: {
      readonly objectId: string | null;
      readonly threads?: readonly string[];
      readonly times?: TimeRange;
      readonly after: Pick<StoredRecord, 'objectId' | 'key'> | null;
      readonly limit: number;
    },
  ): Promise<StoredRecord[]>;
  totals(connectorId: string, objectId: string): Promise<RecordTotals>;
  /**
   * Returns the threads with an invalidated message, after a given thread (null: from the start): at most `limit`, each
   * once, in any stable order.
   */
  invalidatedThreads(
    connectorId: string,
    objectId: string,
    options: { readonly after: string | null; readonly limit: number },
  ): Promise<string[]>;
  /**
   * Stores changes to the records of an object, removals first, and counts the chunks of the put records in the job.
   * The object itself need not be stored. Returns false, and invalidates these records instead, if the worker holds
   * neither the job nor a task of the object.
   */
  put(jobId: string, worker: string, objectId: string, update: RecordsUpdate): Promise<boolean>;
  /** Clears the versions of records, so they count as changed. */
  invalidate(connectorId: string, objectId: string, keys: readonly string[]): Promise<void>;
}
