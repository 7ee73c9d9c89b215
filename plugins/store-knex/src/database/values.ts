import { decodeText, encodeText, mayNeedEncoding } from '@trove/core/database';
import type { Binding, Bindings, Row } from './types.js';

export type Scalar = string | number | null;

/** A binding for `Dialect.elements` and `Dialect.isOneOf`. */
export function list(values: Iterable<string | number>): string {
  const items = Array.from(values);
  const json = JSON.stringify(items);
  return mayNeedEncoding(json) ? JSON.stringify(items.map(encodeValue)) : json;
}

/**
 * A binding for `Dialect.members`, written by hand because building an object with thousands of keys takes twice as
 * long.
 */
export function members(values: ReadonlyMap<string, string | null>): string {
  const json = objectOf(values, (value) => value);
  return mayNeedEncoding(json) ? objectOf(values, encodeText) : json;
}

function objectOf(
  values: ReadonlyMap<string, string | null>,
  encode: (text: string) => string,
): string {
  const pairs: string[] = [];
  for (const [key, value] of values) {
    pairs.push(`${quoted(encode(key))}:${value === null ? 'null' : quoted(encode(value))}`);
  }
  return `{${pairs.join(',')}}`;
}

/** Printable ASCII without quotes and backslashes needs no escaping. Nearly all paths qualify. */
const isPlain = /^[ !#-[\]-~]*$/;

function quoted(part: string): string {
  return isPlain.test(part) ? `"${part}"` : JSON.stringify(part);
}

/** A binding for `Dialect.rows` with one array per row, in column order. */
export function rows(values: readonly (readonly Scalar[])[]): string {
  const json = JSON.stringify(values);
  return mayNeedEncoding(json) ? JSON.stringify(values.map((row) => row.map(encodeValue))) : json;
}

export function encodeValue<T>(value: T): T | string {
  return typeof value === 'string' ? encodeText(value) : value;
}

export function encodeBindings(bindings: Bindings): Record<string, Binding> {
  return Object.fromEntries(
    Object.entries(bindings).map(([name, value]) => [name, encodeValue(value)]),
  );
}

export function decodeRow(row: Record<string, unknown>): Row {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === 'string') row[name] = decodeText(value);
  }
  return row;
}

export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw unexpected(column, 'text');
  return value;
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

export function number(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw unexpected(column, 'a number');
  return value;
}

export function numberOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : number(row, column);
}

/** Returns a copy at the start of its own buffer, so that any typed array can view it. */
export function bytes(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw unexpected(column, 'bytes');
  return new Uint8Array(value);
}

export function flag(row: Row, column: string): boolean {
  return number(row, column) === 1;
}

export function jsonOrNull(row: Row, column: string): unknown {
  const json = textOrNull(row, column);
  return json === null ? null : JSON.parse(json);
}

/** Returns the texts collected by `Dialect.jsonArrayWhere`. */
export function texts(row: Row, column: string): string[] {
  const json = textOrNull(row, column);
  const found: unknown = json === null ? [] : JSON.parse(json);
  if (!Array.isArray(found)) throw unexpected(column, 'a list');
  return found.map((value) => decodeText(String(value)));
}

/** The inverse of `rows`. */
export function records(row: Row, column: string): Scalar[][] {
  const found: unknown = JSON.parse(text(row, column));
  if (!Array.isArray(found)) throw unexpected(column, 'a list');
  return found.map((values: readonly Scalar[]) =>
    values.map((value) => (typeof value === 'string' ? decodeText(value) : value)),
  );
}

/** Returns a text that is one of `allowed`. */
export function oneOf<T extends string>(row: Row, column: string, allowed: readonly T[]): T {
  const value = row[column];
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw unexpected(column, `one of ${allowed.join(', ')}`);
  return found;
}

function unexpected(column: string, wanted: string): TypeError {
  return new TypeError(`The column ${column} of the database holds another value than ${wanted}.`);
}
