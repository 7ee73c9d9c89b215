import {
  inject,
  injectable,
  LoggerToken,
  MetadataStoreToken,
  createToken,
  VectorIndexToken,
} from '@trove/core/di';
import { isStorageError, messageOf, type Logger } from '@trove/core';
import type { VectorIndex } from '@trove/core/index';
import type { ConnectorRecord, MetadataStore } from '@trove/core/store';
import { createAbortController, delay, type EmbeddingService } from '@trove/runtime';
import { EmbeddingToken } from '../../tokens.js';
import { GenerationsToken, type Generation, type Generations } from '../selection/generations.js';
import { SpacedSyncs } from '../scheduling/spaced-syncs.js';
import { SyncJobsToken, type SyncJobs } from '../scheduling/sync-jobs.js';
import { ProblemLog } from './problem-log.js';

/** The interval between counts of the index, and the largest share of time that counting may take. */
const checkIntervalMs = 1000;
const countingShare = 0.02;

/** The token of `IndexRepair` in an engine's container. */
export const IndexRepairToken = createToken<IndexRepair>('engine.index_repair');

/** Syncs a source again when the index has lost some of its rows. */
@injectable()
export class IndexRepair {
  readonly #store: Pick<MetadataStore, 'sources'>;
  readonly #index: VectorIndex;
  readonly #own: Generation;
  readonly #dimension: number;
  readonly #syncs: SpacedSyncs;
  readonly #logger: Logger;
  readonly #controller = createAbortController();
  readonly #problem: ProblemLog;
  /** The number of rows when none was missing. */
  #completeCount: number | null = null;
  #loop: Promise<void> | null = null;

  constructor(
    @inject(MetadataStoreToken) store: Pick<MetadataStore, 'sources'>,
    @inject(VectorIndexToken) index: VectorIndex,
    @inject(GenerationsToken) generations: Generations,
    @inject(EmbeddingToken) embedding: EmbeddingService,
    @inject(SyncJobsToken) jobs: SyncJobs,
    @inject(LoggerToken) logger: Logger,
  ) {
    this.#store = store;
    this.#index = index;
    this.#own = generations.own;
    this.#dimension = embedding.facts.dimension;
    this.#syncs = new SpacedSyncs(jobs, 'index');
    this.#logger = logger;
    this.#problem = new ProblemLog(logger, {
      started: 'the rows of the index cannot be counted',
      ended: 'the rows of the index are counted again',
    });
  }

  /** Call this only in a process that runs jobs. */
  start(): void {
    this.#loop ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#controller.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { signal } = this.#controller;
    while (!signal.aborted) {
      const started = performance.now();
      try {
        await this.#step();
        this.#problem.update(null);
      } catch (error) {
        if (signal.aborted) return;
        this.#problem.update(messageOf(error));
      }
      const elapsed = performance.now() - started;
      await delay(Math.max(checkIntervalMs, elapsed / countingShare), signal);
    }
  }

  async #step(): Promise<void> {
    const rows = await this.#count();
    if (this.#completeCount !== null && rows >= this.#completeCount) {
      this.#completeCount = rows;
      return;
    }
    const { missing, isSettled } = await this.#findLosses();
    for (const { source, lost } of missing) await this.#sync(source, lost);
    this.#completeCount = isSettled && missing.length === 0 ? rows : null;
    if (this.#completeCount !== null) this.#syncs.reset();
  }

  async #count(): Promise<number> {
    const { collection, embedding } = this.#own;
    try {
      return await collection.count();
    } catch (error) {
      if (!isStorageError(error)) throw error;
      // Makes the collection again if it is missing.
      await this.#index.collection({
        name: collection.name,
        dimension: this.#dimension,
        embedding,
      });
      return collection.count();
    }
  }

  /** Finds sources with missing rows. `isSettled`: no source was changing, so the result is complete. */
  async #findLosses(): Promise<{
    readonly missing: readonly { readonly source: ConnectorRecord; readonly lost: number }[];
    readonly isSettled: boolean;
  }> {
    const { collection } = this.#own;
    const sources = await this.#store.sources.list();
    const expected = new Map(
      (await this.#store.sources.stats()).map(({ connectorId, chunks, summaries }) => [
        connectorId,
        chunks + summaries,
      ]),
    );
    const missing: { source: ConnectorRecord; lost: number }[] = [];
    for (const source of sources) {
      const expectedRows = expected.get(source.id) ?? 0;
      if (expectedRows === 0 || isBeingChanged(source)) continue;
      const lost = expectedRows - (await collection.count({ scope: source.id }));
      if (lost > 0 && (await this.#isUnchanged(source, expectedRows)))
        missing.push({ source, lost });
    }
    return { missing, isSettled: !sources.some(isBeingChanged) };
  }

  /** Whether the expected count is still the same, and no sync of the source has started. */
  async #isUnchanged({ id }: ConnectorRecord, expectedRows: number): Promise<boolean> {
    const { sources } = this.#store;
    const [[stats], source] = await Promise.all([sources.stats(id), sources.get(id)]);
    const now = (stats?.chunks ?? 0) + (stats?.summaries ?? 0);
    return source !== null && !isBeingChanged(source) && now === expectedRows;
  }

  async #sync({ id, rootUri }: ConnectorRecord, lost: number): Promise<void> {
    const job = await this.#syncs.queue(id);
    if (job === null) return;
    this.#logger.warn('the index has lost rows of a source; syncing it again', {
      target: rootUri,
      lost,
      job: job.id,
    });
  }
}

function isBeingChanged({ status }: ConnectorRecord): boolean {
  return status === 'syncing' || status === 'removing';
}
