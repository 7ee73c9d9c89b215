import { createHash } from 'node:crypto';

import type { JsonScalar } from '@trove/core';

const maxKeyColumns = 50;
const identifierNames = new Set(['id', 'uuid', 'guid']);

/** Whether columns of these names may be the key of records: a locator with `lines` or `chars` names a part of a text. */
export function mayBeKey(names: readonly string[]): boolean {
  const isFew = names.length > 0 && names.length <= maxKeyColumns;
  return isFew && !names.includes('lines') && !names.includes('chars');
}

/** Whether a column of this name probably tells the rows of a view apart. */
export function isIdentifier(name: string): boolean {
  return identifierNames.has(name.toLowerCase());
}

const changeTimeNames = [
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
export function changeTimeOf<C extends { readonly name: string }>(columns: readonly C[]): C | null {
  for (const name of changeTimeNames) {
    const column = columns.find((each) => each.name.toLowerCase() === name);
    if (column !== undefined) return column;
  }
  return null;
}

/** A text in a key that is longer is shortened, and told apart by a digest. */
export const maxKeyChars = 1000;
export const keptKeyChars = 900;

/** A part of a key, shortened if it is a long text. */
export function shortenKey(value: JsonScalar): JsonScalar {
  if (typeof value !== 'string' || value.length <= maxKeyChars) return value;
  const digest = createHash('sha256').update(value).digest('hex').slice(0, 32);
  return `${value.slice(0, keptKeyChars)}…${digest}`;
}

/** Whether a part of a key has been shortened. */
export function isShortened(value: JsonScalar): value is string {
  return typeof value === 'string' && value.length > keptKeyChars && /…[0-9a-f]{32}$/.test(value);
}
