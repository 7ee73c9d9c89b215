import type { RecordKey, SourceRecord, TroveError } from '@trove/core';

/** A record that cannot be used: it is left out, and the others of its object are not. */
export class InvalidRecord {
  /** What is wrong with it, in its author's words. */
  readonly problem: string;
  /** The same as the failure of whoever wants this very record. */
  readonly error: TroveError;
  /** Null: there is none, or not a valid one. */
  readonly key: RecordKey | null;

  constructor(problem: string, error: TroveError, key: RecordKey | null) {
    this.problem = problem;
    this.error = error;
    this.key = key;
  }
}

export function validRecords(records: readonly (SourceRecord | InvalidRecord)[]): SourceRecord[] {
  return records.filter((record): record is SourceRecord => !(record instanceof InvalidRecord));
}
