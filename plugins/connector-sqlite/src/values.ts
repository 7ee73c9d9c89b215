import { maxHexBytes, charLimitOf } from '@trove/connector-kit';

/*
 * SQLite stores any type of value in any column, including 64-bit integers and bytes. JSON and the driver support only texts
 * and 53-bit numbers. These expressions convert between them.
 */

const maxSafeInteger = Number.MAX_SAFE_INTEGER;

/** Returns an expression for the JSON value of a column. `columns` is the number of columns in a record. */
export function valueSqlOf(column: string, columns: number): string {
  const maxChars = charLimitOf(columns);
  return `case typeof(${column})
    when 'integer' then iif(${column} between -${maxSafeInteger} and ${maxSafeInteger}, ${column}, cast(${column} as text))
    when 'text' then iif(octet_length(${column}) > ${maxChars}, substr(${column}, 1, ${maxChars}), ${column})
    when 'blob' then iif(length(${column}) <= ${maxHexBytes}, '\\x' || lower(hex(${column})), length(${column}) || ' bytes')
    when 'real' then iif(abs(${column}) < 1.7976931348623157e308, ${column}, cast(${column} as text))
    end`;
}

/** Returns a condition for values that cannot be in a key: null, too long, or shown like another value. */
export function unfitForKeySqlOf(column: string): string {
  return `case typeof(${column})
    when 'integer' then 0
    when 'text' then length(${column}) > 1000 or substr(${column}, 1, 2) = '\\x'
    when 'blob' then length(${column}) > ${maxHexBytes}
    when 'real' then abs(${column}) > 1e308
    else 1 end`;
}

/** A lossless value for later comparisons. */
export interface StoredValue {
  readonly type: string;
  readonly value: string | number | Buffer | null;
}

/** Returns an expression for the lossless value of a column. */
export function storedSqlOf(column: string): string {
  return `case typeof(${column})
    when 'integer' then cast(${column} as text)
    when 'text' then cast(${column} as blob)
    else ${column} end`;
}

/** Returns an expression for a stored value as a parameter. It has no affinity, so the affinity of the column applies. */
export function parameterSqlOf({ type, value }: StoredValue, parameter: string): string {
  if (type === 'integer') return `+cast(${parameter} as integer)`;
  return type === 'text' && Buffer.isBuffer(value) ? `+cast(${parameter} as text)` : parameter;
}

export function toStored(type: unknown, value: unknown): StoredValue {
  const isStorable =
    typeof value === 'string' || typeof value === 'number' || Buffer.isBuffer(value);
  return { type: String(type), value: isStorable ? value : null };
}

/** Returns all stored values that a value in a key may represent: a text, a large integer or bytes. */
export function storedValuesOf(keyValue: unknown): StoredValue[] {
  if (typeof keyValue === 'number') return [{ type: 'real', value: keyValue }];
  if (typeof keyValue !== 'string') return [];
  const storedValues: StoredValue[] = [{ type: 'text', value: keyValue }];
  if (/^-?\d{16,19}$/.test(keyValue)) storedValues.push({ type: 'integer', value: keyValue });
  const [, hex] = /^\\x((?:[0-9a-f]{2})*)$/.exec(keyValue) ?? [];
  if (hex !== undefined) storedValues.push({ type: 'blob', value: Buffer.from(hex, 'hex') });
  return storedValues;
}

/** Joins expressions as a balanced tree, because SQLite limits their depth but not their number. */
export function joinBalanced(parts: readonly string[], operator: string): string {
  if (parts.length <= 1) return parts[0] ?? '0';
  const half = Math.ceil(parts.length / 2);
  const [left, right] = [parts.slice(0, half), parts.slice(half)];
  return `(${joinBalanced(left, operator)} ${operator} ${joinBalanced(right, operator)})`;
}
