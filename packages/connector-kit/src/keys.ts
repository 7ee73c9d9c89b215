import { createHash } from 'node:crypto';

import type { JsonScalar } from '@trove/core';

const mostParts = 50;
const identifiers = new Set(['id', 'uuid', 'guid']);

/** Whether columns of these names may be the key of records: a locator with `lines` or `chars` names a part of a text. */
export function mayBeKey(names: readonly string[]): boolean {
  const isFew = names.length > 0 && names.length <= mostParts;
  return isFew && !names.includes('lines') && !names.includes('chars');
}

/** Whether a column of this name probably tells the rows of a view apart. */
export function isIdentifier(name: string): boolean {
  return identifiers.has(name.toLowerCase());
}

const changeTimes = [
  'updated_at',
  'updatedat',
  'modified_at',
  'modifiedat',
  'last_modified',
  'updated',
  'modified',
  'changed_at',
];

/** The one of some columns that probably tells when a record was changed last. */
export function changeTimeAmong<C extends { readonly name: string }>(
  columns: readonly C[],
): C | null {
  for (const name of changeTimes) {
    const column = columns.find((each) => each.name.toLowerCase() === name);
    if (column !== undefined) return column;
  }
  return null;
}

/** A text in a key that is longer is shortened, and told apart by a digest. */
export const longestInKey = 1000;
export const keptInKey = 900;

/** A part of a key, shortened if it is a long text. */
export function shortened(value: JsonScalar): JsonScalar {
  if (typeof value !== 'string' || value.length <= longestInKey) return value;
  const digest = createHash('sha256').update(value).digest('hex').slice(0, 32);
  return `${value.slice(0, keptInKey)}…${digest}`;
}

/** Whether a part of a key has been shortened. */
export function isShortened(value: JsonScalar): value is string {
  return typeof value === 'string' && value.length > keptInKey && /…[0-9a-f]{32}$/.test(value);
}
