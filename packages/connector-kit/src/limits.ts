/** Limits of a single value and of all values of a record. */
const maxValueChars = 1_000_000;
const maxRecordChars = 8_000_000;

/** Longer binary values are shown only by their size. Identifiers and digests are shorter. */
export const maxHexBytes = 64;

/** Bytes of records in memory at the same time. */
export const maxBatchBytes = 4 * 1024 * 1024;

/** Returns the number of characters that each value of a record may have. */
export function charLimitOf(values: number): number {
  return Math.min(maxValueChars, Math.floor(maxRecordChars / Math.max(1, values)));
}
