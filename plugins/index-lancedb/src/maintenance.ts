import type { Index, IndexConfig, Table } from '@lancedb/lancedb';
import type { Logger } from '@trove/core';
import { SCANNED_ROWS } from './backlog.js';
import { messageOf, retrying } from './failures.js';
import type { LanceModule } from './lance.js';
import { removeTombstones } from './replace.js';

/** Rows that are not in the text index yet are scanned by each query: about 8 ms for a thousand. */
const MAX_UNINDEXED_ROWS = 500;
const MAX_UNINDEXED_SHARE = 0.02;

/** Each fragment costs a query about 0.1 ms. */
const MAX_FRAGMENTS = 24;

/** Below this many rows a scan is as fast as an index on a plain column. */
const MIN_ROWS_FOR_COLUMN_INDICES = 1000;

/** Below this many vectors comparing with all of them is fast enough. */
const MIN_ROWS_FOR_VECTOR_INDEX = 20_000;
const ROWS_PER_PARTITION = 800;
const MAX_PARTITIONS = 1024;

/** Readers and writers that are at work may still use versions of the table this old. */
const KEEP_VERSIONS_MS = 10 * 60_000;

const textColumns = ['terms', 'pairs'] as const;

/** Creates the text indices of a table that lacks one: without them there is no keyword search at all. */
export async function ensureTextIndices(lance: LanceModule, table: Table): Promise<void> {
  const indices = await table.listIndices();
  for (const column of textColumns) {
    if (!has(indices, column)) {
      await retrying(() => table.createIndex(column, { config: textIndex(lance) }));
    }
  }
}

/**
 * Merges fragments, brings indices up to date, adds those that pay by now, and removes old versions. Does nothing
 * while what has changed since the last time costs queries less than that.
 */
export async function optimizeTable(
  lance: LanceModule,
  table: Table,
  logger: Logger,
): Promise<void> {
  const rows = await table.countRows();
  if (!(await isWorthwhile(table, rows))) return;
  try {
    await removeTombstones(table);
    await table.optimize({ cleanupOlderThan: new Date(Date.now() - KEEP_VERSIONS_MS) });
    await addIndices(lance, table, rows);
  } catch (error) {
    // A commit of another process came first, or another process is optimizing: the next time will do.
    logger.warn('The index was not optimized', { reason: messageOf(error) });
  }
}

async function isWorthwhile(table: Table, rows: number): Promise<boolean> {
  const indices = await table.listIndices();
  const unindexed = indices.find(({ columns }) => columns.includes('terms'))?.numUnindexedRows ?? 0;
  const bearable = Math.max(MAX_UNINDEXED_ROWS, rows * MAX_UNINDEXED_SHARE);
  // Rows beyond what queries scan would not be found: the next small job must still fit in.
  if (unindexed > Math.min(bearable, SCANNED_ROWS.terms_idx / 2)) return true;
  const { fragmentStats } = await table.stats();
  return fragmentStats.numFragments > MAX_FRAGMENTS || missing(indices, rows).length > 0;
}

interface WantedIndex {
  readonly column: string;
  readonly minRows: number;
  config(lance: LanceModule, rows: number): Index;
}

const wantedIndices: readonly WantedIndex[] = [
  ...['slot', 'group', 'id', 'source'].map((column) => ({
    column,
    minRows: MIN_ROWS_FOR_COLUMN_INDICES,
    config: (lance: LanceModule) => lance.Index.btree(),
  })),
  ...['scope', 'kind'].map((column) => ({
    column,
    minRows: MIN_ROWS_FOR_COLUMN_INDICES,
    config: (lance: LanceModule) => lance.Index.bitmap(),
  })),
  { column: 'vector', minRows: MIN_ROWS_FOR_VECTOR_INDEX, config: vectorIndex },
];

function missing(indices: readonly IndexConfig[], rows: number): WantedIndex[] {
  return wantedIndices.filter(({ column, minRows }) => rows >= minRows && !has(indices, column));
}

async function addIndices(lance: LanceModule, table: Table, rows: number): Promise<void> {
  for (const { column, config } of missing(await table.listIndices(), rows)) {
    await retrying(() => table.createIndex(column, { config: config(lance, rows) }));
  }
}

function has(indices: readonly IndexConfig[], column: string): boolean {
  return indices.some(({ columns }) => columns.includes(column));
}

/** For text that is analyzed already: words are what stands between spaces, as they are. */
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

function vectorIndex(lance: LanceModule, rows: number): Index {
  return lance.Index.ivfFlat({
    distanceType: 'dot',
    numPartitions: Math.min(MAX_PARTITIONS, Math.ceil(rows / ROWS_PER_PARTITION)),
    maxIterations: 10,
    sampleRate: 64,
  });
}
