import { maxHexBytes, charLimitOf } from '@trove/connector-kit';
import {
  keyTextOf,
  valueParsers,
  type ValueExpression,
  type KeyExpression,
} from '@trove/connector-kit/sql';

import type { BaseType } from './columns.js';

/** Types without readable text. Their columns are omitted from rows. */
const hiddenTypes = new Set([
  'tsvector',
  'vector',
  'halfvec',
  'sparsevec',
  'geometry',
  'geography',
  'raster',
]);
const { text: parseText, integer: parseInteger, json: parseJson } = valueParsers;
const textTypes = new Set(['text', 'varchar', 'bpchar', 'citext', 'bytea']);
const integerTypes = new Set(['int2', 'int4', 'int8', 'oid']);
const timeTypes = new Set(['date', 'timestamp', 'timestamptz']);

export function isShown({ base }: { readonly base: BaseType }): boolean {
  return !hiddenTypes.has(base.name);
}

/** Returns an expression for the shown value of a column. `columns` is the number of columns in a record. */
export function valueExpressionOf(
  type: BaseType,
  column: string,
  columns: number,
): ValueExpression {
  const [sql, parse] = expressionOf(type, column);
  return { sql: `left(${sql}, ${charLimitOf(columns)})`, parse };
}

function expressionOf(
  type: BaseType,
  column: string,
): [sql: string, read: ValueExpression['parse']] {
  const asText = `${column}::text`;
  if (type.category === 'A') {
    const isExact = type.element === 'numeric' || type.element === 'int8';
    // Numbers in JSON lose digits, so exact types become texts.
    const sql = `to_json(${isExact ? `${column}::text[]` : column})::text`;
    return [sql, type.element === 'int8' ? (text) => parseIntegers(parseJson(text)) : parseJson];
  }
  if (type.category === 'C') return [`to_json(${column})::text`, parseJson];
  if (type.name === 'json' || type.name === 'jsonb') return [asText, parseJson];
  if (timeTypes.has(type.name)) return [isoTimeOf(column), parseText];
  if (type.name !== 'bytea') return [asText, parserOf(type)];
  const sql = `case when octet_length(${column}) <= ${maxHexBytes} then '\\x' || encode(${column}, 'hex')
    else octet_length(${column}) || ' bytes' end`;
  return [sql, parseText];
}

/** Returns an expression for the value of a key column. */
export function keyExpressionOf(type: BaseType, column: string): KeyExpression {
  const sql = timeTypes.has(type.name) ? isoTimeOf(column) : `${column}::text`;
  return {
    sql: keyTextOf(sql, (...parts) => parts.join(' || ')),
    parse: parserOf(type),
  };
}

/** Returns an expression for ISO 8601 with microseconds. */
function isoTimeOf(column: string): string {
  return `(to_json(${column}) #>> '{}')`;
}

function parserOf({ name }: BaseType): KeyExpression['parse'] {
  if (name === 'bool') return parseBoolean;
  if (name === 'float4' || name === 'float8') return parseFloatText;
  return integerTypes.has(name) ? parseInteger : parseText;
}

/** Returns an expression for the approximate bytes of a value. It does not read values stored out of line. */
export function bytesOf({ name, category }: BaseType, column: string): string {
  if (textTypes.has(name)) return `coalesce(octet_length(${column}), 0)`;
  const isFixed = ['N', 'B', 'D', 'E', 'T', 'I'].includes(category) && name !== 'numeric';
  // The column size is the compressed size.
  return isFixed ? '8' : `4 * coalesce(pg_column_size(${column}), 0)`;
}

function parseBoolean(text: string): boolean {
  return text === 'true';
}

function parseFloatText(text: string): number | string {
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

function parseIntegers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(parseIntegers);
  return typeof value === 'string' ? parseInteger(value) : value;
}
