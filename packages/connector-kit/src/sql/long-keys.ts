import { keptKeyChars, maxKeyChars } from '../keys.js';

/** A text as a part of a key, shortened if it is long. `sql` occurs several times in the result, and must bind nothing. */
export function keyTextOf(sql: string, concatenated: (...parts: string[]) => string): string {
  const short = concatenated(`left(${sql}, ${keptKeyChars})`, `'…'`, `md5(${sql})`);
  return `case when char_length(${sql}) > ${maxKeyChars} then ${short} else ${sql} end`;
}
