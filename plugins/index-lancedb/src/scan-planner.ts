import { Backlog, maxIdleVectors, maxScannedRows } from './backlog.js';
import type { IndexedVersion } from './index-completion.js';
import type { Pressure } from './pressure.js';
import type { ScanMode, ScannedRows } from './search.js';
import type { TableHandle } from './table-handle.js';
import { changesOf, WaitingLoads } from './waiting-loads.js';

/**
 * The limit of unindexed rows that a query scans because a load in progress has replaced others by them. Neither version
 * of more rows is found. A query takes about 16 ms per thousand.
 */
const maxScannedChanges = { idle: 10_000, busy: 1000 } as const;

/** The unindexed rows that a query scans. */
export interface ScanPlan {
  readonly scanned: ScannedRows;
  /** The loads whose unindexed rows are left out. */
  readonly leftOut: readonly string[];
}

/** Decides which unindexed rows queries scan. Queries skip many rows of loads in progress. */
export class ScanPlanner {
  readonly #text: Backlog;
  readonly #vectors: Backlog;
  readonly #loads: WaitingLoads;
  readonly #pressure: Pick<Pressure, 'isHigh'>;

  constructor(table: TableHandle, dimension: number, pressure: Pick<Pressure, 'isHigh'>) {
    this.#text = new Backlog(table, { index: 'terms_idx', pressure });
    this.#vectors = new Backlog(table, {
      index: 'vector_idx',
      maxIdleRows: maxIdleVectors(dimension),
      pressure,
    });
    this.#loads = new WaitingLoads(table, () =>
      Math.min(...this.#backlogs.map(({ completeAt }) => completeAt)),
    );
    this.#pressure = pressure;
  }

  async plan(loading: readonly string[] = []): Promise<ScanPlan> {
    const [isTextLong, areVectorsLong] = await Promise.all([
      this.#text.isLong(),
      this.#vectors.isLong(),
    ]);
    if (!isTextLong && !areVectorsLong)
      return { scanned: { text: 'all', vectors: 'all' }, leftOut: loading };
    const leftOut = await this.#leftOut(loading);
    const text = isTextLong ? await this.#modeOf(this.#text, leftOut) : 'all';
    const vectors = areVectorsLong ? await this.#modeOf(this.#vectors, leftOut) : 'all';
    return { scanned: { text, vectors }, leftOut };
  }

  /** Whether queries can scan all unindexed rows that do not belong to these loads. */
  async canScan(loading: readonly string[]): Promise<boolean> {
    const all = [...loading, ...loading.map(changesOf)];
    const rows = await this.#loads.rowsOfOthers(all, this.#text.completeAt);
    return rows <= maxScannedRows.terms_idx;
  }

  /** Call when this process has added rows and may add more. */
  markGrowing(): void {
    for (const backlog of this.#backlogs) backlog.markGrowing();
  }

  /** Call when a load ends, before its rows are indexed. */
  markEnding(): void {
    this.#text.markSettled();
  }

  /** Call when the rows of a load are indexed. */
  markSettled(): void {
    for (const backlog of this.#backlogs) backlog.markSettled();
  }

  /** Call when all rows of a version are indexed. Later rows may be waiting already. */
  markIndexed({ version, hasVectors }: IndexedVersion): void {
    this.#text.markComplete(version);
    if (hasVectors) this.#vectors.markComplete(version);
  }

  /** Call when rows are indexed while their load continues. */
  recount(): void {
    for (const backlog of this.#backlogs) backlog.recount();
  }

  get #backlogs(): readonly Backlog[] {
    return [this.#text, this.#vectors];
  }

  async #leftOut(loading: readonly string[]): Promise<readonly string[]> {
    const changes = loading.map(changesOf);
    const rows = await this.#loads.rowsOf(changes, this.#text.completeAt);
    const max = this.#pressure.isHigh ? maxScannedChanges.busy : maxScannedChanges.idle;
    return rows > max ? [...loading, ...changes] : loading;
  }

  async #modeOf({ completeAt }: Backlog, leftOut: readonly string[]): Promise<ScanMode> {
    const others = await this.#loads.rowsOfOthers(leftOut, completeAt);
    if (others === 0) return 'none';
    return leftOut.length === 0 ? 'all' : 'finished';
  }
}
