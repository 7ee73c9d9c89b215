import type { Index, IndexConfig, Table } from '@lancedb/lancedb';
import { retryWhile } from './failures.js';
import type { LanceModule } from './lance.js';

/** Below this many rows, a scan is as fast as an index on a plain column. */
const minRowsForColumnIndices = 1000;

/** Below this many vectors, comparing all of them takes less than 10 ms. */
const minRowsForVectorIndex = 5000;
/** Queries read all partitions, each at a fixed cost. Vectors are compared with every partition while an index is built. */
const rowsPerPartition = 4000;
const maxPartitions = 32;

export const textColumns = ['terms', 'pairs'] as const;

export interface TableSize {
  readonly rows: number;
  /** Of each vector. */
  readonly dimension: number;
}

interface ColumnIndex {
  readonly column: string;
  readonly minRows: number;
  config(lance: LanceModule, size: TableSize): Index;
}

const columnIndices: readonly ColumnIndex[] = [
  ...['slot', 'group', 'source'].map((column) => ({
    column,
    minRows: minRowsForColumnIndices,
    config: (lance: LanceModule) => lance.Index.btree(),
  })),
  ...['scope', 'kind'].map((column) => ({
    column,
    minRows: minRowsForColumnIndices,
    config: (lance: LanceModule) => lance.Index.bitmap(),
  })),
  { column: 'vector', minRows: minRowsForVectorIndex, config: vectorIndex },
];

/** Creates the missing text indexes of a table. Without them, keyword search fails. */
export async function ensureTextIndices(lance: LanceModule, table: Table): Promise<void> {
  const indices = await table.listIndices();
  for (const column of textColumns) {
    if (!has(indices, column)) await buildTextIndex(lance, table, column);
  }
}

/** Returns the numbers of indexed and unindexed rows of the text indexes. */
export function textRows(indices: readonly IndexConfig[]): {
  readonly indexed: number;
  readonly waiting: number;
} {
  const found = indices.filter(({ columns }) =>
    textColumns.some((column) => columns.includes(column)),
  );
  return {
    indexed: Math.min(...found.map(({ numIndexedRows: rows = 0 }) => rows)),
    waiting: Math.max(...found.map(({ numUnindexedRows: rows = 0 }) => rows)),
  };
}

function buildTextIndex(lance: LanceModule, table: Table, column: string): Promise<void> {
  return retryWhile(() => table.createIndex(column, { config: textIndex(lance) }));
}

/** Returns the columns without an index that are now worth one. */
export function missingIndices(indices: readonly IndexConfig[], rows: number): string[] {
  return columnIndices
    .filter(({ column, minRows }) => rows >= minRows && !has(indices, column))
    .map(({ column }) => column);
}

/** Returns the columns, except texts, whose index lacks more than a share of the rows. */
export function outdatedColumns(indices: readonly IndexConfig[], share: number): string[] {
  return columnIndices
    .filter(({ column }) =>
      indices.some(
        ({ columns, numIndexedRows: indexed = 0, numUnindexedRows: waiting = 0 }) =>
          columns.includes(column) && waiting > (indexed + waiting) * share,
      ),
    )
    .map(({ column }) => column);
}

/** Whether all indexes, except those of some columns, contain all rows. */
export function areComplete(indices: readonly IndexConfig[], but: readonly string[]): boolean {
  return indices.every(
    ({ columns, numUnindexedRows: waiting = 0 }) =>
      waiting === 0 || columns.some((column) => but.includes(column)),
  );
}

/** Returns the number of rows missing in the vector index, or 0 without one. */
export function waitingVectors(indices: readonly IndexConfig[]): number {
  const found = indices.find(({ columns }) => columns.includes('vector'));
  return found?.numUnindexedRows ?? 0;
}

export function isWorthIndexing(column: string, rows: number): boolean {
  return columnIndices.some((wanted) => wanted.column === column && rows >= wanted.minRows);
}

/**
 * Creates or replaces the indexes of these columns. Builds text indexes beside each other, since each keeps little more
 * than one core busy. `atOnce` also builds the others beside them.
 */
export async function makeIndices(
  lance: LanceModule,
  table: Table,
  columns: readonly string[],
  { size, atOnce }: { readonly size: TableSize; readonly atOnce: boolean },
): Promise<void> {
  const texts = textColumns.filter((column) => columns.includes(column));
  const makeTexts = texts.map((column) => () => buildTextIndex(lance, table, column));
  const makeOthers = (): Promise<void> => makeOtherIndices(lance, table, columns, size);
  await allSettled(atOnce ? [...makeTexts, makeOthers] : makeTexts);
  if (!atOnce) await makeOthers();
}

/** Waits for all, then throws the first failure. */
async function allSettled(actions: readonly (() => Promise<void>)[]): Promise<void> {
  const outcomes = await Promise.allSettled(actions.map((action) => action()));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

async function makeOtherIndices(
  lance: LanceModule,
  table: Table,
  columns: readonly string[],
  size: TableSize,
): Promise<void> {
  for (const { column, config } of columnIndices) {
    if (!columns.includes(column)) continue;
    await retryWhile(() => table.createIndex(column, { config: config(lance, size) }));
  }
}

/** Returns the id of the current vector index, which is also its folder name. */
export async function vectorIndexId(table: Table): Promise<string | undefined> {
  const indices = await table.listIndices();
  return indices.find(({ columns }) => columns.includes('vector'))?.indexUuid;
}

/** Returns the ids of the current indexes, which change with every replacement. */
export async function indexIds(table: Table): Promise<string> {
  const indices = await table.listIndices();
  return indices
    .map(({ name, indexUuid }) => `${name} ${indexUuid}`)
    .toSorted()
    .join();
}

export function has(indices: readonly IndexConfig[], column: string): boolean {
  return indices.some(({ columns }) => columns.includes(column));
}

/**
 * For analyzed text: tokens are separated by spaces and taken verbatim. Blocks of 256 would save 2.5 % of the space but
 * reduce nDCG@10 on SciFact by 0.001.
 */
function textIndex(lance: LanceModule): Index {
  return lance.Index.fts({
    baseTokenizer: 'whitespace',
    withPosition: false,
    stem: false,
    removeStopWords: false,
    lowercase: false,
    asciiFolding: false,
    maxTokenLength: 1024,
  });
}

/**
 * Four bits per dimension take a quarter of the time and an eighth of the memory of full vectors, which are compared
 * only for the best rows. Requires whole bytes.
 */
function vectorIndex(lance: LanceModule, { rows, dimension }: TableSize): Index {
  const options = {
    distanceType: 'dot',
    numPartitions: Math.min(maxPartitions, Math.ceil(rows / rowsPerPartition)),
    maxIterations: 10,
    sampleRate: 64,
  } as const;
  return dimension % 8 === 0
    ? lance.Index.ivfRq({ ...options, numBits: 4 })
    : lance.Index.ivfFlat(options);
}
