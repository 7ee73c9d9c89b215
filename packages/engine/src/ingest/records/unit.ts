import type { RecordState } from '@trove/core/store';
import type { UnanalysedRow } from '../../content/compute/messages.js';

/** A record or a thread. The index replaces its rows as a whole. */
export interface Unit {
  readonly group: string;
  /** Not analysed yet. */
  readonly rows: readonly UnanalysedRow[];
  /** The states of its records to store after the rows are written. */
  readonly states: readonly RecordState[];
  /** Names of records that no longer belong to it. */
  readonly removed: readonly string[];
  /** The vectors that the rows had before their object moved. They are kept unless the threads compute vectors. */
  readonly vectors?: readonly (Float32Array | null)[];
}
