import type { Query } from '@lancedb/lancedb';
import {
  setBackField,
  type IndexHit,
  type IndexRow,
  type Locator,
  type RowIdentity,
} from '@trove/core';
import { fieldsOfJson } from './fields-json.js';

/** A row as stored. A tombstone replaces a row that a shrunken group no longer has. */
export interface StoredRow {
  readonly slot: string;
  readonly revision: string;
  readonly row: IndexRow;
}

/** The group of tombstones; no object uses it. */
export const TOMBSTONE_GROUP = '';

/** The id of tombstones; no row uses it. */
const TOMBSTONE_ID = '';

/** The slot of the tombstone that every table keeps from its first commit on. */
export const SENTINEL_SLOT = '';

export function tombstone(slot: string, revision: string): StoredRow {
  const row: IndexRow = {
    id: TOMBSTONE_ID,
    group: TOMBSTONE_GROUP,
    scope: '',
    source: '',
    kind: '',
    ordinal: 0,
    content: '',
    locator: null,
    title: null,
    mediaType: null,
    connectorType: '',
    modifiedAt: null,
    fields: {},
    terms: '',
    pairs: '',
    vector: null,
  };
  return { slot, revision, row };
}

/** Whether a row, read with its id, is a tombstone. */
export function isTombstone(raw: RawRow): boolean {
  return textOf(raw, 'id') === TOMBSTONE_ID;
}

/** A table as returned by the store. */
export type ArrowTable = Awaited<ReturnType<Query['toArrow']>>;

/** A row as returned by the store: a value for each selected column. */
export type RawRow = Readonly<Record<string, unknown>>;

/** The rows of a table; Arrow's own row objects take several times as long. */
export function rawRows(table: ArrowTable): RawRow[] {
  const columns = table.schema.fields.map(({ name }) => ({ name, values: table.getChild(name) }));
  return Array.from({ length: table.numRows }, (_, at) => {
    const row: Record<string, unknown> = {};
    for (const { name, values } of columns) row[name] = values?.get(at);
    return row;
  });
}

export function toHit(raw: RawRow): IndexHit {
  return {
    id: textOf(raw, 'id'),
    group: textOf(raw, 'group'),
    source: textOf(raw, 'source'),
    kind: textOf(raw, 'kind'),
    ordinal: Number(raw['ordinal']),
    content: textOf(raw, 'content'),
    locator: parsed<Locator>(raw, 'locator'),
    title: textOrNull(raw, 'title'),
    mediaType: textOrNull(raw, 'media_type'),
    connectorType: textOf(raw, 'connector_type'),
    modifiedAt: typeof raw['modified_at'] === 'number' ? raw['modified_at'] : null,
    fields: fieldsOfJson(textOrNull(raw, 'fields') ?? '{}'),
  };
}

export function toIdentity(raw: RawRow): RowIdentity {
  return {
    id: textOf(raw, 'id'),
    group: textOf(raw, 'group'),
    source: textOf(raw, 'source'),
    ordinal: Number(raw['ordinal']),
    digest: textOf(raw, 'digest'),
    setBack: setBackOf(textOf(raw, 'fields')),
  };
}

/** Few rows have this field, and parsing takes longer than looking for its name. */
function setBackOf(json: string): string | null {
  if (!json.includes(`"${setBackField}"`)) return null;
  const reason = fieldsOfJson(json)[setBackField];
  return typeof reason === 'string' ? reason : null;
}

export function toRow(raw: RawRow): IndexRow {
  return {
    ...toHit(raw),
    scope: textOf(raw, 'scope'),
    terms: textOf(raw, 'terms'),
    pairs: textOf(raw, 'pairs'),
    vector: vectorOf(raw['vector']),
  };
}

export function textOf(raw: RawRow, name: string): string {
  return textOrNull(raw, name) ?? '';
}

function textOrNull(raw: RawRow, name: string): string | null {
  const value = raw[name];
  return typeof value === 'string' ? value : null;
}

/** Our own JSON, written from a value of this type. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what it wrote
function parsed<T>(raw: RawRow, name: string): T | null {
  const value = textOrNull(raw, name);
  if (value === null) return null;
  const read: T = JSON.parse(value);
  return read;
}

function vectorOf(value: unknown): Float32Array | null {
  return isIterable(value) ? Float32Array.from(value) : null;
}

function isIterable(value: unknown): value is Iterable<number> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}
