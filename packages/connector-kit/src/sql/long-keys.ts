import { keptInKey, longestInKey } from '../keys.js';

/** A text as a part of a key, shortened if it is long. `sql` occurs several times in the result, and must bind nothing. */
export function keyText(sql: string, concatenated: (...parts: string[]) => string): string {
  const short = concatenated(`left(${sql}, ${keptInKey})`, `'…'`, `md5(${sql})`);
  return `case when char_length(${sql}) > ${longestInKey} then ${short} else ${sql} end`;
}
