import {
  isCheckpoint,
  type Checkpoint,
  type RecordKey,
  type SourceRecord,
  type TroveError,
} from '@trove/core';

/** An invalid record. It is left out while the other records of its object are indexed. */
export class InvalidRecord {
  /** Names the connector, the method and the problem of the record. */
  readonly error: TroveError;
  /** Null if the record has no valid key. */
  readonly key: RecordKey | null;

  constructor(error: TroveError, key: RecordKey | null) {
    this.error = error;
    this.key = key;
  }
}

/** An item of a stream of records. */
export type RecordItem = SourceRecord | InvalidRecord | Checkpoint;

export function validRecords(items: readonly RecordItem[]): SourceRecord[] {
  return items.filter(
    (item): item is SourceRecord => !(item instanceof InvalidRecord) && !isCheckpoint(item),
  );
}
