/** What is kept of one record of an object: whether it changed, and what it takes up in the index. */
export interface RecordState {
  /** Names the record within its object; at most 500 characters. */
  readonly key: string;
  /** Identifies what it was indexed from; null: nothing is known of it, and it counts as changed. */
  readonly version: string | null;
  /** Of its rows in the index. Of a thread, one message has those of all. */
  readonly chunks: number;
  /** The thread that it is a message of, at most 500 characters; null: it is replaced by itself. */
  readonly thread: string | null;
  /** Only a part of it is in the index: it has too many chunks. */
  readonly isTruncated: boolean;
}

export interface StoredRecord extends RecordState {
  readonly objectId: string;
  /** A positive whole number that stays; a record that was stored later has a larger one. */
  readonly number: number;
}

/** How the records of an object differ from what is stored. */
export interface RecordsDifference {
  /** The numbers of those with the given version. */
  readonly unchanged: readonly number[];
  /** Known, but with another version; as they are stored. */
  readonly changed: readonly StoredRecord[];
  /** Keys that were not known before. */
  readonly added: readonly string[];
}

/** Of the records of an object. */
export interface RecordTotals {
  readonly records: number;
  readonly chunks: number;
  /** How many are in the index only in part. */
  readonly truncated: number;
  /** The largest of their numbers; 0 when there are none. */
  readonly last: number;
}

/** What changes about the records of an object. */
export interface RecordsUpdate {
  readonly put: readonly RecordState[];
  /** Keys. */
  readonly removed: readonly string[];
}

/** What is known of the records that objects consist of. */
export interface RecordCatalog {
  /** Compares records of an object with what is stored: versions by key, null for one that every version equals. */
  compare(
    connectorId: string,
    objectId: string,
    versions: ReadonlyMap<string, string | null>,
  ): Promise<RecordsDifference>;
  /**
   * The records of one object, or of all (null), that come after a place: by object, then by key, in any stable order.
   * With `threads`, only the messages of these.
   */
  list(
    connectorId: string,
    options: {
      readonly objectId: string | null;
      readonly threads?: readonly string[];
      readonly after: Pick<StoredRecord, 'objectId' | 'key'> | null;
      readonly limit: number;
    },
  ): Promise<StoredRecord[]>;
  totals(connectorId: string, objectId: string): Promise<RecordTotals>;
  /**
   * The threads of an object of which a message has no version, that come after one (null: from the start): at most
   * `limit`, each once, in any stable order.
   */
  invalidatedThreads(
    connectorId: string,
    objectId: string,
    options: { readonly after: string | null; readonly limit: number },
  ): Promise<string[]>;
  /**
   * Stores what changes about the records of an object (removed first), which need not be stored itself, and counts the
   * chunks of those that are put in the job. False when the worker holds neither the job nor a task of the object in it:
   * nothing is stored then, and these records have no version any more.
   */
  put(jobId: string, worker: string, objectId: string, update: RecordsUpdate): Promise<boolean>;
  /** Clears the versions of records, so that they count as changed. */
  invalidate(connectorId: string, objectId: string, keys: readonly string[]): Promise<void>;
}
