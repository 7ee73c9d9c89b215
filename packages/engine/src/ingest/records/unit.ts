import type { RecordState } from '@trove/core/store';
import type { UnanalysedRow } from '../../content/compute/messages.js';

/** What is replaced in the index at a time: a record, or all messages of a thread. */
export interface Unit {
  readonly group: string;
  /** Not analysed yet. */
  readonly rows: readonly UnanalysedRow[];
  /** What is stored of its records, once the rows are written. */
  readonly states: readonly RecordState[];
  /** Names of records that it had before. */
  readonly removed: readonly string[];
}
