import { maxHexBytes, charLimitOf } from '@trove/connector-kit';

/*
 * SQLite holds any kind of value in any column, integers of 64 bits, and bytes. JSON and the driver hold numbers of 53
 * bits and texts. These expressions turn the one into the other while it is read.
 */

const maxSafeInteger = Number.MAX_SAFE_INTEGER;

/** The value of a column as JSON can hold it, as one of `columns`. */
export function valueSqlOf(column: string, columns: number): string {
  const most = charLimitOf(columns);
  return `case typeof(${column})
    when 'integer' then iif(${column} between -${maxSafeInteger} and ${maxSafeInteger}, ${column}, cast(${column} as text))
    when 'text' then iif(octet_length(${column}) > ${most}, substr(${column}, 1, ${most}), ${column})
    when 'blob' then iif(length(${column}) <= ${maxHexBytes}, '\\x' || lower(hex(${column})), length(${column}) || ' bytes')
    when 'real' then iif(abs(${column}) < 1.7976931348623157e308, ${column}, cast(${column} as text))
    end`;
}

/** Whether a value cannot be a part of a key: it is null, too long, or shown like another one. */
export function unfitForKeySqlOf(column: string): string {
  return `case typeof(${column})
    when 'integer' then 0
    when 'text' then length(${column}) > 1000 or substr(${column}, 1, 2) = '\\x'
    when 'blob' then length(${column}) > ${maxHexBytes}
    when 'real' then abs(${column}) > 1e308
    else 1 end`;
}

/** A value as it is stored, to be compared with later. */
export interface StoredValue {
  readonly type: string;
  readonly value: string | number | Buffer | null;
}

/** An expression that gives the value of a column so that nothing of it is lost. */
export function storedSqlOf(column: string): string {
  return `case typeof(${column})
    when 'integer' then cast(${column} as text)
    when 'text' then cast(${column} as blob)
    else ${column} end`;
}

/** An expression for a stored value, given as a parameter. Without an affinity: the column's own counts. */
export function parameterSqlOf({ type, value }: StoredValue, parameter: string): string {
  if (type === 'integer') return `+cast(${parameter} as integer)`;
  return type === 'text' && Buffer.isBuffer(value) ? `+cast(${parameter} as text)` : parameter;
}

export function toStored(type: unknown, value: unknown): StoredValue {
  const isKept = typeof value === 'string' || typeof value === 'number' || Buffer.isBuffer(value);
  return { type: String(type), value: isKept ? value : null };
}

/** Everything that a value in a key may stand for in the database: what it is, bytes, and a large integer. */
export function storedValuesOf(shown: unknown): StoredValue[] {
  if (typeof shown === 'number') return [{ type: 'real', value: shown }];
  if (typeof shown !== 'string') return [];
  const meanings: StoredValue[] = [{ type: 'text', value: shown }];
  if (/^-?\d{16,19}$/.test(shown)) meanings.push({ type: 'integer', value: shown });
  const [, hex] = /^\\x((?:[0-9a-f]{2})*)$/.exec(shown) ?? [];
  if (hex !== undefined) meanings.push({ type: 'blob', value: Buffer.from(hex, 'hex') });
  return meanings;
}

/** Joins conditions or sums of any number: SQLite limits how deep they are, not how many. */
export function joinBalanced(parts: readonly string[], operator: string): string {
  if (parts.length <= 1) return parts[0] ?? '0';
  const half = Math.ceil(parts.length / 2);
  const [left, right] = [parts.slice(0, half), parts.slice(half)];
  return `(${joinBalanced(left, operator)} ${operator} ${joinBalanced(right, operator)})`;
}
