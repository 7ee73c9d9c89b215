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
import type { RowChanges } from './replace.js';
import type { TableHandle } from './table-handle.js';

/** Every query scans the rows not yet in the text index: about 8 ms per thousand. */
const maxUnindexedRows = 500;
const maxUnindexedShare = 0.02;

/** Indexes of larger tables are made one at a time: those of texts at once need 60 MB more. */
const maxRowsForAllAtOnce = 100_000;

/** Former vectors take the places of true neighbours. */
const maxStaleShare = 0.01;

/**
 * From this share of deleted or new rows on, rebuilding an index is faster than updating it, and the result smaller.
 */
export const maxChangedShare = 0.1;

/** What may be left as it is for now. */
export interface Tolerance {
  /** The share of removed vectors in the vector index: they only take up space. */
  readonly removedVectors: number;
  /** Whether vectors may wait for their index that queries can scan meanwhile. */
  readonly waitingVectors: boolean;
}

/** Somebody waits for it. */
export const jobTolerance: Tolerance = { removedVectors: 1, waitingVectors: true };
/** Nobody does. */
export const idleTolerance: Tolerance = {
  removedVectors: maxChangedShare,
  waitingVectors: false,
};
export const noTolerance: Tolerance = { removedVectors: 0, waitingVectors: false };

/** How many rows an index will no longer contain, or not as they are. */
interface IndexDebt {
  readonly text: number;
  readonly vectors: number;
  readonly stale: number;
  readonly isOfOthers: boolean;
}

export interface CompletionTools {
  readonly build: (task: BuildTask) => Promise<unknown>;
  /** Merges fragments, which brings every index up to date. */
  readonly compact: () => Promise<unknown>;
}

/** Makes the indices of a table contain its rows, by whatever costs least. */
export class IndexCompletion {
  readonly #handle: TableHandle;
  readonly #dimension: number;
  readonly #logger: Logger;
  readonly #tools: CompletionTools;
  /** Deleted rows that the text indices and the vector index still contain, as far as this process knows. */
  readonly #gone = { text: 0, vectors: 0 };
  /**
   * Rows overwritten since the vector index was built. The store's update of that index keeps their former vectors
   * (lance-format/lance#8342).
   */
  #stale = 0;
  /** Whether it was built by another process: how many are stale from before is unknown then. */
  #isOfOthers = true;

  constructor(handle: TableHandle, dimension: number, logger: Logger, tools: CompletionTools) {
    this.#handle = handle;
    this.#dimension = dimension;
    this.#logger = logger;
    this.#tools = tools;
  }

  changed({ overwritten, removed }: RowChanges): void {
    this.#stale += overwritten;
    this.#gone.text += overwritten + removed;
    this.#gone.vectors += overwritten + removed;
  }

  /** Whether queries suffer more from what is missing than they would from an update. */
  async isWorthwhile(rows: number): Promise<boolean> {
    const indices = await this.#handle.table.listIndices();
    const bearable = Math.max(maxUnindexedRows, rows * maxUnindexedShare);
    // Rows beyond what queries scan would not be found, so there must be room for the next small job.
    const isLong = textRows(indices).waiting > Math.min(bearable, maxScannedRows.terms_idx / 2);
    if (isLong || missingIndices(indices, rows).length > 0) return true;
    // Fragments were merged meanwhile: fewer vectors wait than were written over.
    return (await this.keepsFormerVectors(rows)) && waitingVectors(indices) < this.#stale;
  }

  /** Whether so many vectors wait for their index that queries take noticeably longer. */
  async lacksVectors(): Promise<boolean> {
    return waitingVectors(await this.#handle.table.listIndices()) > maxScannedRows.vector_idx;
  }

  /** Whether the vector index has too many former vectors, or would once fragments are merged, which updates it. */
  async keepsFormerVectors(rows: number): Promise<boolean> {
    if (this.#stale <= rows * maxStaleShare) return false;
    return has(await this.#handle.table.listIndices(), 'vector');
  }

  /** Fragments are merged only where an index cannot be updated otherwise. */
  async complete(rows: number, bearable: Tolerance): Promise<void> {
    const texts = await this.#textsBehind(rows);
    const { waiting } = textRows(await this.#handle.table.listIndices());
    if (texts.length === 0 && waiting > 0) await this.#tools.compact();
    const others = await this.#othersBehind(rows, bearable);
    const left = (await this.#mayVectorsWait(rows, bearable)) ? ['vector'] : [];
    const columns = [...texts, ...others].filter((column) => !left.includes(column));
    await this.#make(columns, rows);
    if (!areComplete(await this.#handle.table.listIndices(), left)) await this.#tools.compact();
  }

  /** The columns of text whose indexes are to be made anew. */
  async #textsBehind(rows: number): Promise<readonly string[]> {
    const { indexed, waiting } = textRows(await this.#handle.table.listIndices());
    const changed = this.#gone.text + (isSmall(rows) ? waiting : 0);
    return changed > indexed * maxChangedShare ? textColumns : [];
  }

  /** The other columns whose indexes are to be made. */
  async #othersBehind(rows: number, { removedVectors }: Tolerance): Promise<readonly string[]> {
    const { table } = this.#handle;
    const indices = await table.listIndices();
    const behind = new Set(outdatedColumns(indices, maxChangedShare));
    const isLoose = this.#gone.vectors > rows * removedVectors;
    if (has(indices, 'vector') && (this.#isStale(rows) || isLoose)) behind.add('vector');
    if (behind.has('vector') && !isWorthIndexing('vector', rows)) {
      await table.dropIndex('vector_idx');
      behind.delete('vector');
    }
    return [...missingIndices(indices, rows), ...behind];
  }

  /** Queries find what waits by comparing it, unless former vectors are in its place. */
  async #mayVectorsWait(rows: number, { waitingVectors: mayWait }: Tolerance): Promise<boolean> {
    if (!mayWait || this.#isStale(rows)) return false;
    const indices = await this.#handle.table.listIndices();
    if (!has(indices, 'vector')) return false;
    return waitingVectors(indices) <= maxIdleVectors(this.#dimension);
  }

  #isStale(rows: number): boolean {
    return this.#isOfOthers || this.#stale > rows * maxStaleShare;
  }

  /** Without them, or with some of them, searches still work, and merging fragments brings them up to date. */
  async #make(columns: readonly string[], rows: number): Promise<void> {
    if (columns.length === 0) return;
    // Counted anew from now on: rows overwritten while an index is being built may be in it.
    const counted = this.#takeCounts(columns);
    const size = { rows, dimension: this.#dimension };
    try {
      await this.#tools.build({ kind: 'indices', columns, size, atOnce: isSmall(rows) });
    } catch (error) {
      this.#stale += counted.stale;
      this.#isOfOthers ||= counted.isOfOthers;
      this.#gone.vectors += counted.vectors;
      this.#gone.text += counted.text;
      this.#logger.warn('Indices were not made', { reason: messageOf(error) });
    }
  }

  /** What an index of these columns will no longer contain. */
  #takeCounts(columns: readonly string[]): IndexDebt {
    const taken = { stale: 0, isOfOthers: false, vectors: 0, text: 0 };
    if (columns.includes('vector')) {
      [taken.isOfOthers, this.#isOfOthers] = [this.#isOfOthers, false];
      [taken.stale, this.#stale] = [this.#stale, 0];
      [taken.vectors, this.#gone.vectors] = [this.#gone.vectors, 0];
    }
    if (columns.includes('terms')) [taken.text, this.#gone.text] = [this.#gone.text, 0];
    return taken;
  }
}

function isSmall(rows: number): boolean {
  return rows <= maxRowsForAllAtOnce;
}
