import { messageOf, type Logger } from '@trove/core';
import { maxIdleVectors, maxScannedRows } from './backlog.js';
import type { BuildTask } from './build-tasks.js';
import {
  areComplete,
  outdatedColumns,
  has,
  isWorthIndexing,
  missingIndices,
  textColumns,
  textRows,
  waitingVectors,
} from './indices.js';
import type { OverwrittenRows } from './overwritten-rows.js';
import type { RowChanges } from './replace.js';
import type { TableHandle } from './table-handle.js';

/** Every query scans the rows not yet in the text index, at about 8 ms per thousand. */
const maxUnindexedRows = 500;
const maxUnindexedShare = 0.02;

/** The vector index of a larger table is built after its text indexes, because all together need too much memory. */
const maxRowsForAllAtOnce = 100_000;

/** Former vectors take the places of true neighbours. */
const maxStaleShare = 0.01;

/**
 * From this share of deleted or new rows, rebuilding an index is faster than updating it, and the result is smaller.
 */
export const maxChangedShare = 0.1;

/**
 * With more new rows per indexed row, a large text index is rebuilt. Its update would merge all fragments first, and the
 * job would wait for that.
 */
const maxNewShare = 1;

/** The debt that may remain for now. */
export interface Tolerance {
  /** The maximum share of removed vectors in the vector index. They only take up space. */
  readonly removedVectors: number;
  /** Whether vectors that queries can scan may stay unindexed. */
  readonly waitingVectors: boolean;
}

/** For a job that waits for the index. */
export const jobTolerance: Tolerance = { removedVectors: 1, waitingVectors: true };
/** For work in the background. */
export const idleTolerance: Tolerance = {
  removedVectors: maxChangedShare,
  waitingVectors: false,
};
export const noTolerance: Tolerance = { removedVectors: 0, waitingVectors: false };

/** Deleted rows that the indexes still contain. */
interface RemovedRows {
  readonly text: number;
  readonly vectors: number;
}

/** The version of the table up to which indexes contain all rows. */
export interface IndexedVersion {
  readonly version: number;
  /** Whether this is also true of the vector index. */
  readonly hasVectors: boolean;
}

export interface CompletionTools {
  readonly build: (task: BuildTask) => Promise<unknown>;
  /** Merges fragments, which updates every index. */
  readonly compact: () => Promise<unknown>;
  readonly onIndexed: (indexed: IndexedVersion) => void;
}

/** Brings the indices of a table up to date at the lowest cost. */
export class IndexCompletion {
  readonly #handle: TableHandle;
  readonly #dimension: number;
  readonly #logger: Logger;
  readonly #tools: CompletionTools;
  /** Deleted rows that the text indices and the vector index still contain, as far as this process knows. */
  readonly #removed = { text: 0, vectors: 0 };
  readonly #overwritten: OverwrittenRows;

  constructor(
    handle: TableHandle,
    overwritten: OverwrittenRows,
    dimension: number,
    logger: Logger,
    tools: CompletionTools,
  ) {
    this.#handle = handle;
    this.#overwritten = overwritten;
    this.#dimension = dimension;
    this.#logger = logger;
    this.#tools = tools;
  }

  async changed({ overwritten, removed }: RowChanges): Promise<void> {
    this.#removed.text += overwritten + removed;
    this.#removed.vectors += overwritten + removed;
    if (overwritten > 0) await this.#overwritten.add(overwritten);
  }

  /** Whether missing rows cost queries more than an update would. */
  async isWorthwhile(rows: number): Promise<boolean> {
    const indices = await this.#handle.table.listIndices();
    const tolerated = Math.max(maxUnindexedRows, rows * maxUnindexedShare);
    // Queries cannot find rows beyond the scan limit, so room for the next small job must remain.
    const isLong = textRows(indices).waiting > Math.min(tolerated, maxScannedRows.terms_idx / 2);
    if (isLong || missingIndices(indices, rows).length > 0) return true;
    // After a merge of fragments, fewer vectors are unindexed than were overwritten.
    const { rows: stale } = await this.#overwritten.count();
    return (await this.keepsFormerVectors(rows)) && waitingVectors(indices) < stale;
  }

  /** Whether so many vectors are unindexed that queries take noticeably longer. */
  async lacksVectors(): Promise<boolean> {
    return waitingVectors(await this.#handle.table.listIndices()) > maxScannedRows.vector_idx;
  }

  /** Whether the vector index has too many former vectors, or would have after a merge of fragments. */
  async keepsFormerVectors(rows: number): Promise<boolean> {
    const { rows: stale } = await this.#overwritten.count();
    if (stale <= rows * maxStaleShare) return false;
    return has(await this.#handle.table.listIndices(), 'vector');
  }

  /** Merges fragments only where an index cannot be updated otherwise. */
  async complete(rows: number, tolerance: Tolerance): Promise<void> {
    await this.#forgetWithoutIndex();
    const version = await this.#handle.table.version();
    const texts = await this.#outdatedTexts(rows);
    const { waiting } = textRows(await this.#handle.table.listIndices());
    if (texts.length === 0 && waiting > 0) await this.#tools.compact();
    const others = await this.#outdatedOthers(rows, tolerance);
    const deferred = (await this.#mayVectorsWait(rows, tolerance)) ? ['vector'] : [];
    const columns = [...texts, ...others].filter((column) => !deferred.includes(column));
    const isBuilt = await this.#buildIndices(columns, rows);
    if (!areComplete(await this.#handle.table.listIndices(), deferred)) await this.#tools.compact();
    if (isBuilt) this.#tools.onIndexed({ version, hasVectors: deferred.length === 0 });
  }

  /** A table without a vector index has no former vectors, and the file of the count must not grow. */
  async #forgetWithoutIndex(): Promise<void> {
    if (has(await this.#handle.table.listIndices(), 'vector')) return;
    await this.#overwritten.settle(await this.#overwritten.count());
  }

  /** Returns the text columns whose indexes need a rebuild. */
  async #outdatedTexts(rows: number): Promise<readonly string[]> {
    const { indexed, waiting } = textRows(await this.#handle.table.listIndices());
    const changed = this.#removed.text + (isSmall(rows) ? waiting : 0);
    const needsRebuild = changed > indexed * maxChangedShare || waiting > indexed * maxNewShare;
    return needsRebuild ? textColumns : [];
  }

  /** Returns the other columns whose indexes need a build. */
  async #outdatedOthers(rows: number, { removedVectors }: Tolerance): Promise<readonly string[]> {
    const { table } = this.#handle;
    const indices = await table.listIndices();
    const behind = new Set(outdatedColumns(indices, maxChangedShare));
    const isLoose = this.#removed.vectors > rows * removedVectors;
    if (has(indices, 'vector') && (isLoose || (await this.#isStale(rows)))) behind.add('vector');
    if (behind.has('vector') && !isWorthIndexing('vector', rows)) {
      await table.dropIndex('vector_idx');
      behind.delete('vector');
    }
    return [...missingIndices(indices, rows), ...behind];
  }

  /** Queries compare unindexed vectors, unless the index holds former vectors of the same rows. */
  async #mayVectorsWait(rows: number, { waitingVectors: mayWait }: Tolerance): Promise<boolean> {
    if (!mayWait || (await this.#isStale(rows))) return false;
    const indices = await this.#handle.table.listIndices();
    if (!has(indices, 'vector')) return false;
    return waitingVectors(indices) <= maxIdleVectors(this.#dimension);
  }

  async #isStale(rows: number): Promise<boolean> {
    const { rows: stale, isComplete } = await this.#overwritten.count();
    return !isComplete || stale > rows * maxStaleShare;
  }

  /** Returns false after a failure. Searches work without these indexes, and merging fragments updates them. */
  async #buildIndices(columns: readonly string[], rows: number): Promise<boolean> {
    if (columns.length === 0) return true;
    const before = await this.#overwritten.count();
    const removed = this.#takeRemoved(columns);
    const size = { rows, dimension: this.#dimension };
    try {
      await this.#tools.build({ kind: 'indices', columns, size, atOnce: isSmall(rows) });
    } catch (error) {
      this.#removed.text += removed.text;
      this.#removed.vectors += removed.vectors;
      this.#logger.warn('Indices were not built', { reason: messageOf(error) });
      return false;
    }
    if (columns.includes('vector')) await this.#overwritten.settle(before);
    return true;
  }

  /** Takes and resets the counts that a rebuild of these columns settles. */
  #takeRemoved(columns: readonly string[]): RemovedRows {
    const removed = { text: 0, vectors: 0 };
    if (columns.includes('terms')) [removed.text, this.#removed.text] = [this.#removed.text, 0];
    if (columns.includes('vector'))
      [removed.vectors, this.#removed.vectors] = [this.#removed.vectors, 0];
    return removed;
  }
}

function isSmall(rows: number): boolean {
  return rows <= maxRowsForAllAtOnce;
}
