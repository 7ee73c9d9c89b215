import { createHash } from 'node:crypto';
import type { FieldValue, Locator } from '@trove/core';
import type { IndexHit, IndexRow } from '@trove/core/index';
import { decodeText, encodeText, mayNeedEncoding } from '@trove/core/database';
import type { Row } from './connections.js';

/** A row with its number and its position in the group. */
export interface NumberedRow {
  readonly number: number;
  readonly position: number;
  readonly row: IndexRow;
}

interface ChunkColumn {
  readonly name: string;
  readonly type: string;
  readonly value: (row: NumberedRow) => string | number | null;
}

const text = (name: string, of: (row: IndexRow) => string | null): ChunkColumn => ({
  name,
  type: 'text',
  value: ({ row }) => {
    const value = of(row);
    return value === null ? null : encodeText(value);
  },
});

/** The columns of the chunk table except the word counts. */
export const chunkColumns: readonly ChunkColumn[] = [
  { name: 'number', type: 'bigint', value: ({ number }) => number },
  { name: 'position', type: 'integer', value: ({ position }) => position },
  { name: 'ordinal', type: 'integer', value: ({ row }) => row.ordinal },
  { name: 'modified_at', type: 'double precision', value: ({ row }) => row.modifiedAt },
  { name: 'fields', type: 'jsonb', value: ({ row }) => storedJson(row.fields) },
  text('id', (row) => row.id),
  text('"group"', (row) => row.group),
  text('scope', (row) => row.scope),
  text('source', (row) => row.source),
  text('kind', (row) => row.kind),
  text('content', (row) => row.content),
  text('digest', (row) => digestOf(row.content)),
  text('locator', (row) => (row.locator === null ? null : JSON.stringify(row.locator))),
  text('title', (row) => row.title),
  text('media_type', (row) => row.mediaType),
  text('connector_type', (row) => row.connectorType),
  text('terms', (row) => row.terms),
  text('pairs', (row) => row.pairs),
];

/** The columns of an `IndexHit`. */
export const hitColumns =
  'c.id, c."group", c.source, c.kind, c.ordinal, c.content, c.locator, c.title, c.media_type, c.connector_type, c.modified_at, c.fields';

/** The columns of an `IndexRow`; `v` is the table of vectors. */
export const rowColumns = `${hitColumns}, c.scope, c.terms, c.pairs, v.vector::real[] as vector`;

export function toHit(row: Row): IndexHit {
  return {
    id: textOf(row, 'id'),
    group: textOf(row, 'group'),
    source: textOf(row, 'source'),
    kind: textOf(row, 'kind'),
    ordinal: Number(row['ordinal']),
    content: textOf(row, 'content'),
    locator: locatorOf(row),
    title: textOrNull(row, 'title'),
    mediaType: textOrNull(row, 'media_type'),
    connectorType: textOf(row, 'connector_type'),
    modifiedAt: typeof row['modified_at'] === 'number' ? row['modified_at'] : null,
    fields: fieldsOf(row['fields']),
  };
}

export function toRow(row: Row): IndexRow {
  return {
    ...toHit(row),
    scope: textOf(row, 'scope'),
    terms: textOf(row, 'terms'),
    pairs: textOf(row, 'pairs'),
    vector: Array.isArray(row['vector']) ? Float32Array.from(row['vector'], Number) : null,
  };
}

export function textOf(row: Row, name: string): string {
  return textOrNull(row, name) ?? '';
}

function textOrNull(row: Row, name: string): string | null {
  const value = row[name];
  return typeof value === 'string' ? decodeText(value) : null;
}

/** JSON that this module wrote from a locator. */
function locatorOf(row: Row): Locator | null {
  const value = textOrNull(row, 'locator');
  if (value === null) return null;
  const locator: Locator = JSON.parse(value);
  return locator;
}

function decoded<T>(value: T): T | string {
  return typeof value === 'string' ? decodeText(value) : value;
}

function fieldsOf(value: unknown): Record<string, FieldValue> {
  if (typeof value !== 'object' || value === null) return {};
  const fields: [string, FieldValue][] = Object.entries(value).map(([name, field]) => [
    decodeText(name),
    Array.isArray(field) ? field.map(decoded) : decoded(field),
  ]);
  return Object.fromEntries(fields);
}

/** Encodes JSON without NUL characters, which the database rejects. */
export function storedJson(value: FieldValue | Readonly<Record<string, FieldValue>>): string {
  const json = JSON.stringify(value);
  return mayNeedEncoding(json) ? JSON.stringify(encoded(value)) : json;
}

function encoded(value: FieldValue | Readonly<Record<string, FieldValue>>): unknown {
  if (typeof value === 'string') return encodeText(value);
  if (Array.isArray(value)) return value.map(encoded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [encodeText(name), encoded(field)]),
  );
}

/** Returns half of a SHA-256 as 22 characters. */
function digestOf(content: string): string {
  return createHash('sha256').update(content).digest().subarray(0, 16).toString('base64url');
}
