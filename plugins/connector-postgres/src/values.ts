import { bytesShown, charsShown } from '@trove/connector-kit';
import { keyText, readers, type Shown, type ShownKey } from '@trove/connector-kit/sql';

import type { BaseType } from './columns.js';

/** What other columns hold already, in a form that nobody reads: it is left out of rows. */
const derived = new Set([
  'tsvector',
  'vector',
  'halfvec',
  'sparsevec',
  'geometry',
  'geography',
  'raster',
]);
const { same, integer, json } = readers;
const texts = new Set(['text', 'varchar', 'bpchar', 'citext', 'bytea']);
const wholeNumbers = new Set(['int2', 'int4', 'int8', 'oid']);
const times = new Set(['date', 'timestamp', 'timestamptz']);

export function isShown({ base }: { readonly base: BaseType }): boolean {
  return !derived.has(base.name);
}

/** Values of a column, given as an expression, as JSON can hold them; one of `columns`. */
export function shown(type: BaseType, column: string, columns: number): Shown {
  const [sql, read] = formOf(type, column);
  return { sql: `left(${sql}, ${charsShown(columns)})`, read };
}

function formOf(type: BaseType, column: string): [sql: string, read: Shown['read']] {
  const asText = `${column}::text`;
  if (type.category === 'A') {
    const isExact = type.element === 'numeric' || type.element === 'int8';
    // JSON has no exact decimals.
    const sql = `to_json(${isExact ? `${column}::text[]` : column})::text`;
    return [sql, type.element === 'int8' ? (text) => integersIn(json(text)) : json];
  }
  if (type.category === 'C') return [`to_json(${column})::text`, json];
  if (type.name === 'json' || type.name === 'jsonb') return [asText, json];
  if (times.has(type.name)) return [isoTime(column), same];
  if (type.name !== 'bytea') return [asText, scalarOf(type)];
  const sql = `case when octet_length(${column}) <= ${bytesShown} then '\\x' || encode(${column}, 'hex')
    else octet_length(${column}) || ' bytes' end`;
  return [sql, same];
}

/** Values of a column of a key. */
export function shownKey(type: BaseType, column: string): ShownKey {
  const sql = times.has(type.name) ? isoTime(column) : `${column}::text`;
  return {
    sql: keyText(sql, (...parts) => parts.join(' || ')),
    read: scalarOf(type),
  };
}

/** As in ISO 8601, with microseconds. */
function isoTime(column: string): string {
  return `(to_json(${column}) #>> '{}')`;
}

function scalarOf({ name }: BaseType): ShownKey['read'] {
  if (name === 'bool') return boolean;
  if (name === 'float4' || name === 'float8') return float;
  return wholeNumbers.has(name) ? integer : same;
}

/** About how many bytes a value takes, told without reading what is stored elsewhere. */
export function bytesOf({ name, category }: BaseType, column: string): string {
  if (texts.has(name)) return `coalesce(octet_length(${column}), 0)`;
  const isFixed = ['N', 'B', 'D', 'E', 'T', 'I'].includes(category) && name !== 'numeric';
  // Compressed.
  return isFixed ? '8' : `4 * coalesce(pg_column_size(${column}), 0)`;
}

function boolean(text: string): boolean {
  return text === 'true';
}

function float(text: string): number | string {
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

function integersIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(integersIn);
  return typeof value === 'string' ? integer(value) : value;
}
