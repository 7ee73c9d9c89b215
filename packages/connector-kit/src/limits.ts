/** Characters of a value at most, and of all values of a record together. */
const charsOfValue = 1_000_000;
const charsOfRecord = 8_000_000;

/** Bytes are shown in hexadecimal up to this number: identifiers and digests are. */
export const bytesShown = 64;

/** Bytes of records that are held in memory at once. */
export const bytesAtOnce = 4 * 1024 * 1024;

/** How many characters of each value are shown, of a record with so many values. */
export function charsShown(values: number): number {
  return Math.min(charsOfValue, Math.floor(charsOfRecord / Math.max(1, values)));
}
