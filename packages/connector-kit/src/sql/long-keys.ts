import type { JsonScalar } from '@trove/core';

/** A text in a key that is longer is shortened, and told apart by a digest. */
const longest = 1000;
const kept = 900;

/** A text as a part of a key. `sql` occurs several times in the result, and must bind nothing. */
export function keyText(sql: string, concatenated: (...parts: string[]) => string): string {
  const short = concatenated(`left(${sql}, ${kept})`, `'…'`, `md5(${sql})`);
  return `case when char_length(${sql}) > ${longest} then ${short} else ${sql} end`;
}

/** Whether a value in a key has been shortened. */
export function isShortened(value: JsonScalar): boolean {
  return typeof value === 'string' && value.length > kept && /…[0-9a-f]{32}$/.test(value);
}
