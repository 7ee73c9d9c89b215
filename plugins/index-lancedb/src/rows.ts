import { setImmediate } from 'node:timers/promises';
import type { Query } from '@lancedb/lancedb';
import * as arrow from 'apache-arrow';
import type { IndexHit, IndexRow, JsonScalar, Locator } from '@trove/core';
import { facetsOf } from './facets.js';

/** A row as the table has it. A tombstone takes the place of a row that a shrunken group no longer has. */
export interface StoredRow {
  readonly slot: string;
  readonly revision: string;
  readonly row: IndexRow;
}

/** The group of tombstones; no object has it. */
export const TOMBSTONE_GROUP = '';

/** The slot of a tombstone that every table keeps from its first commit on. */
export const SENTINEL_SLOT = '';

export function tombstone(slot: string, revision: string): StoredRow {
  const row: IndexRow = {
    id: '',
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

type CellOf = (stored: StoredRow) => string | number | readonly string[] | null;

const cells: Readonly<Record<string, CellOf>> = {
  slot: ({ slot }) => slot,
  revision: ({ revision }) => revision,
  id: ({ row }) => row.id,
  group: ({ row }) => row.group,
  scope: ({ row }) => row.scope,
  source: ({ row }) => row.source,
  kind: ({ row }) => row.kind,
  ordinal: ({ row }) => row.ordinal,
  content: ({ row }) => row.content,
  locator: ({ row }) => (row.locator === null ? null : JSON.stringify(row.locator)),
  title: ({ row }) => row.title,
  media_type: ({ row }) => row.mediaType,
  connector_type: ({ row }) => row.connectorType,
  // Adding zero turns -0 into 0: the store takes them for different numbers.
  modified_at: ({ row }) => (row.modifiedAt === null ? null : row.modifiedAt + 0),
  fields: ({ row }) => JSON.stringify(row.fields),
  facets: ({ row }) => facetsOf(row.fields),
  terms: ({ row }) => row.terms,
  pairs: ({ row }) => row.pairs,
};

/** How many rows are encoded before other work has its turn: about 5 ms. */
const ROWS_PER_TURN = 256;

/** The rows as one Arrow table. Searches that come in meanwhile are not held up. */
export async function toArrow(
  rows: readonly StoredRow[],
  schema: arrow.Schema,
): Promise<arrow.Table> {
  const batches: arrow.RecordBatch[] = [];
  for (let from = 0; from < rows.length; from += ROWS_PER_TURN) {
    if (from > 0) await setImmediate();
    batches.push(toBatch(rows.slice(from, from + ROWS_PER_TURN), schema));
  }
  return new arrow.Table(schema, batches);
}

function toBatch(rows: readonly StoredRow[], schema: arrow.Schema): arrow.RecordBatch {
  const children = schema.fields.map((field) => {
    const cell = cells[field.name];
    if (arrow.DataType.isFixedSizeList(field.type)) return vectorColumn(rows, field.type);
    if (cell === undefined) throw new Error(`There is no value for column ${field.name}`);
    const column = arrow.vectorFromArray(rows.map(cell), field.type).data[0];
    if (column === undefined) throw new Error(`Column ${field.name} could not be encoded`);
    return column;
  });
  const data = arrow.makeData({
    type: new arrow.Struct(schema.fields),
    length: rows.length,
    nullCount: 0,
    children,
  });
  return new arrow.RecordBatch(schema, data);
}

function vectorColumn(rows: readonly StoredRow[], type: arrow.FixedSizeList): arrow.Data {
  const dimension = type.listSize;
  const values = new Float32Array(rows.length * dimension);
  const valid = new Uint8Array(Math.ceil(rows.length / 8));
  let nullCount = 0;
  rows.forEach(({ row: { vector } }, i) => {
    if (vector === null) {
      nullCount++;
      return;
    }
    values.set(vector, i * dimension);
    valid[i >> 3] = (valid[i >> 3] ?? 0) | (1 << (i & 7));
  });
  const child = arrow.makeData({
    type: new arrow.Float32(),
    length: values.length,
    nullCount: 0,
    data: values,
  });
  return arrow.makeData({ type, length: rows.length, nullCount, nullBitmap: valid, child });
}

/** A table as the store gives it back. */
export type ArrowTable = Awaited<ReturnType<Query['toArrow']>>;

/** A row as the store gives it back: a value for each selected column. */
export type RawRow = Readonly<Record<string, unknown>>;

/** The rows of a table: the table's own row objects take several times as long. */
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
    source: textOf(raw, 'source'),
    kind: textOf(raw, 'kind'),
    content: textOf(raw, 'content'),
    locator: parsed<Locator>(raw, 'locator'),
    title: textOrNull(raw, 'title'),
    mediaType: textOrNull(raw, 'media_type'),
    connectorType: textOf(raw, 'connector_type'),
    fields: parsed<Record<string, JsonScalar>>(raw, 'fields') ?? {},
  };
}

export function toRow(raw: RawRow): IndexRow {
  return {
    ...toHit(raw),
    group: textOf(raw, 'group'),
    scope: textOf(raw, 'scope'),
    ordinal: Number(raw['ordinal']),
    modifiedAt: typeof raw['modified_at'] === 'number' ? raw['modified_at'] : null,
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

/** We wrote the JSON ourselves, from a value of this type. */
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
