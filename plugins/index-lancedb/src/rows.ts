import {
  demotedReasonField,
  type IndexHit,
  type IndexRow,
  type RowIdentity,
} from '@trove/core/index';
import type { ColumnBatch } from './column-batches.js';

/** A row as stored. A tombstone replaces a removed row of a shrunken group. */
export interface StoredRow {
  readonly slot: string;
  readonly revision: string;
  readonly load: string;
  readonly row: IndexRow;
}

/** The group of tombstones. No object uses it. */
export const tombstoneGroup = '';

/** The id of tombstones. No row uses it. */
const tombstoneId = '';

/** The slot of the tombstone that every table contains from its first commit. */
export const sentinelSlot = '';

export function tombstone(slot: string, revision: string): StoredRow {
  const row: IndexRow = {
    id: tombstoneId,
    group: tombstoneGroup,
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
  return { slot, revision, load: '', row };
}

/** Whether a row, read with its group, is a tombstone. */
export function isTombstone(raw: RawRow): boolean {
  return textOf(raw, 'group') === tombstoneGroup;
}

/** A row as returned by the store: a value for each selected column. */
export type RawRow = Readonly<Record<string, unknown>>;

export function rawRows(batches: readonly ColumnBatch[]): RawRow[] {
  return batches.flatMap(({ rows, columns }) =>
    Array.from({ length: rows }, (_, at) => {
      const row: Record<string, unknown> = {};
      for (const [name, values] of columns) row[name] = values[at];
      return row;
    }),
  );
}

/** The shown values of a row except `source` and `group`, which take almost no space as columns. */
type HitValues = readonly [
  id: IndexHit['id'],
  kind: IndexHit['kind'],
  ordinal: IndexHit['ordinal'],
  content: IndexHit['content'],
  locator: IndexHit['locator'],
  title: IndexHit['title'],
  mediaType: IndexHit['mediaType'],
  connectorType: IndexHit['connectorType'],
  modifiedAt: IndexHit['modifiedAt'],
  fields: IndexHit['fields'],
];

/** Returns the value of the column `hit`. */
export function hitJson(row: IndexRow): string {
  const shown: HitValues = [
    row.id,
    row.kind,
    row.ordinal,
    row.content,
    row.locator,
    row.title,
    row.mediaType,
    row.connectorType,
    row.modifiedAt,
    row.fields,
  ];
  return JSON.stringify(shown);
}

export function toHit(raw: RawRow): IndexHit {
  const shown: HitValues = JSON.parse(textOf(raw, 'hit'));
  const [id, kind, ordinal, content, locator, title, mediaType, connectorType, modifiedAt, fields] =
    shown;
  return {
    id,
    group: textOf(raw, 'group'),
    source: textOf(raw, 'source'),
    kind,
    ordinal,
    content,
    locator,
    title,
    mediaType,
    connectorType,
    modifiedAt,
    fields,
  };
}

export function toIdentity(raw: RawRow): RowIdentity {
  return {
    id: textOf(raw, 'id'),
    group: textOf(raw, 'group'),
    source: textOf(raw, 'source'),
    ordinal: Number(raw['ordinal']),
    digest: textOf(raw, 'digest'),
    demotedReason: demotedReasonOf(textOf(raw, 'fields')),
  };
}

/** Few rows have this field, and parsing takes longer than looking for its name. */
function demotedReasonOf(json: string): string | null {
  if (!json.includes(`"${demotedReasonField}"`)) return null;
  const fields: IndexHit['fields'] = JSON.parse(json);
  const reason = fields[demotedReasonField];
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
  const value = raw[name];
  return typeof value === 'string' ? value : '';
}

function vectorOf(value: unknown): Float32Array | null {
  return isIterable(value) ? Float32Array.from(value) : null;
}

function isIterable(value: unknown): value is Iterable<number> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}
