import { keptKeyChars, maxKeyChars } from '../keys.js';

/** Returns an expression that shortens a long text in a key. Repeats `sql`, so it must contain no placeholder. */
export function keyTextOf(sql: string, concatenated: (...parts: string[]) => string): string {
  const short = concatenated(`left(${sql}, ${keptKeyChars})`, `'…'`, `md5(${sql})`);
  return `case when char_length(${sql}) > ${maxKeyChars} then ${short} else ${sql} end`;
}
