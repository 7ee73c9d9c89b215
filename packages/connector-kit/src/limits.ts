/** Characters of a value at most, and of all values of a record together. */
const maxValueChars = 1_000_000;
const maxRecordChars = 8_000_000;

/** Bytes are shown in hexadecimal up to this number: identifiers and digests are. */
export const maxHexBytes = 64;

/** Bytes of records that are held in memory at once. */
export const maxBatchBytes = 4 * 1024 * 1024;

/** How many characters of each value are shown, of a record with so many values. */
export function charLimitOf(values: number): number {
  return Math.min(maxValueChars, Math.floor(maxRecordChars / Math.max(1, values)));
}
