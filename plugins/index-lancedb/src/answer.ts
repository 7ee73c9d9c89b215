import type { Query, TakeQuery, VectorQuery } from '@lancedb/lancedb';
import type { Vector } from 'apache-arrow';
import { firstBatchIn, type BatchBuffers } from './ipc.js';
import { loadLance, type LanceModule } from './lance.js';

/** What of a column is read: typed arrays of numbers, or values one by one. */
export type Values = Float32Array | Float64Array | BigUint64Array | readonly unknown[];

/** Some of the rows that a query returned, as columns. */
export interface Batch {
  readonly rows: number;
  readonly columns: ReadonlyMap<string, Values>;
}

type ReadColumn = (batch: BatchBuffers, buffer: number) => Values;

interface KnownColumn {
  readonly name: string;
  readonly read: ReadColumn;
  /** How many buffers it has in a batch. */
  readonly buffers: number;
}

/** The columns of answers that begin like this; null: they are of other kinds. */
interface Layout {
  readonly beginning: Uint8Array;
  readonly columns: readonly KnownColumn[] | null;
}

/** Each way of asking has one. */
const LAYOUTS_AT_MOST = 32;

const layouts: Layout[] = [];

/**
 * Asks a query, and reads what it returns, in its order. Arrow's own reader makes hundreds of objects for every answer, and
 * takes more time than everything else that happens to it here: it reads the first answer of each kind, and later ones
 * that begin with the same bytes have their columns in the same places. `most`: how many rows there are at most; once they
 * are there, nobody waits for the end that follows.
 */
export async function answerTo(
  query: Query | TakeQuery | VectorQuery,
  execution: { readonly maxBatchLength?: number } = {},
  most = Infinity,
): Promise<Batch[]> {
  const lance = loadLance();
  const answer = await lance.run(query, execution);
  const batches: Batch[] = [];
  let rows = 0;
  for (let bytes = await answer.next(); bytes !== null; bytes = await answer.next()) {
    const batch = readBatch(lance, bytes);
    batches.push(batch);
    rows += batch.rows;
    if (rows < most) continue;
    // It is asked for, since the native query is kept until it has ended; an error in it concerns no row.
    void answer.next().catch(() => null);
    break;
  }
  return batches;
}

export function rowsIn(batches: readonly Batch[]): number {
  return batches.reduce((sum, { rows }) => sum + rows, 0);
}

function readBatch(lance: LanceModule, bytes: Uint8Array): Batch {
  const batch = firstBatchIn(bytes);
  if (batch === null) return readByArrow(lance, bytes);
  const columns = columnsOf(lance, bytes, batch);
  return columns === null ? readByArrow(lance, bytes) : readColumns(batch, columns);
}

function columnsOf(
  lance: LanceModule,
  bytes: Uint8Array,
  { beginning }: BatchBuffers,
): Layout['columns'] {
  const known = layouts.find((layout) => Buffer.compare(layout.beginning, beginning) === 0);
  if (known !== undefined) return known.columns;
  const columns = lance.arrow
    .tableFromIPC(bytes)
    .schema.fields.map((field) => knownColumn(lance, field));
  const all = columns.flatMap((column) => column ?? []);
  const layout = {
    beginning: Uint8Array.from(beginning),
    columns: all.length === columns.length ? all : null,
  };
  if (layouts.length >= LAYOUTS_AT_MOST) layouts.shift();
  layouts.push(layout);
  return layout.columns;
}

function knownColumn(
  { arrow }: LanceModule,
  { name, type }: { readonly name: string; readonly type: Vector['type'] },
): KnownColumn | null {
  const { DataType, Precision } = arrow;
  if (DataType.isUtf8(type)) return { name, read: readTexts, buffers: 3 };
  if (DataType.isInt(type) && type.bitWidth === 64 && !type.isSigned)
    return { name, read: readIds, buffers: 2 };
  if (!DataType.isFloat(type)) return null;
  if (type.precision === Precision.SINGLE) return { name, read: readSingles, buffers: 2 };
  if (type.precision === Precision.DOUBLE) return { name, read: readDoubles, buffers: 2 };
  return null;
}

function readColumns(batch: BatchBuffers, known: readonly KnownColumn[]): Batch {
  const columns = new Map<string, Values>();
  let buffer = 0;
  for (const { name, read, buffers } of known) {
    columns.set(name, read(batch, buffer));
    buffer += buffers;
  }
  return { rows: batch.rows, columns };
}

/** After a column's first buffer, which says where it has no value, come its values; before texts, where each begins. */
const readTexts: ReadColumn = ({ rows, buffer }, at) => {
  const offsets = buffer(at + 1);
  const texts = buffer(at + 2);
  let start = offsets.readInt32LE(0);
  return Array.from({ length: rows }, (_, row) => {
    const end = offsets.readInt32LE(4 * (row + 1));
    const text = texts.toString('utf8', start, end);
    start = end;
    return text;
  });
};

const readSingles: ReadColumn = ({ rows, buffer }, at) =>
  new Float32Array(copyOf(buffer(at + 1), 4 * rows));

const readDoubles: ReadColumn = ({ rows, buffer }, at) =>
  new Float64Array(copyOf(buffer(at + 1), 8 * rows));

const readIds: ReadColumn = ({ rows, buffer }, at) =>
  new BigUint64Array(copyOf(buffer(at + 1), 8 * rows));

/** Numbers may not begin anywhere. */
function copyOf(bytes: Buffer, length: number): ArrayBuffer {
  const copy = new Uint8Array(length);
  copy.set(bytes.subarray(0, length));
  return copy.buffer;
}

function readByArrow({ arrow }: LanceModule, bytes: Uint8Array): Batch {
  const table = arrow.tableFromIPC(bytes);
  const columns = new Map<string, Values>();
  for (const { name } of table.schema.fields) {
    const vector = table.getChild(name);
    if (vector !== null) columns.set(name, valuesOf(vector));
  }
  return { rows: table.numRows, columns };
}

function valuesOf(vector: Vector): Values {
  const whole: unknown = vector.nullCount === 0 ? vector.toArray() : null;
  const isNumbers =
    whole instanceof Float32Array ||
    whole instanceof Float64Array ||
    whole instanceof BigUint64Array;
  return isNumbers ? whole : [...vector];
}
