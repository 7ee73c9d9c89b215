import {
  inject,
  injectable,
  LoggerToken,
  MetadataStoreToken,
  createToken,
  VectorIndexToken,
} from '@trove/core/di';
import { isStorageError, isTroveError, messageOf, type Logger } from '@trove/core';
import type { VectorIndex } from '@trove/core/index';
import type { ConnectorRecord, MetadataStore } from '@trove/core/store';
import { createAbortController, delay, type EmbeddingService } from '@trove/runtime';
import { EmbeddingToken } from '../../tokens.js';
import { GenerationsToken, type Generation, type Generations } from '../selection/generations.js';
import { SyncJobsToken, type SyncJobs } from '../scheduling/sync-jobs.js';
import { ProblemLog } from './problem-log.js';

/** How often the rows of the index are counted, and for which share of the time at most. */
const checkIntervalMs = 1000;
const countingShare = 0.02;
/** A source whose rows are still missing is synced again at longer and longer intervals up to the second. */
const firstRetryMs = 60_000;
const maxRetryMs = 60 * 60 * 1000;

interface RepairAttempts {
  readonly times: number;
  readonly at: number;
}

/** The token of `IndexRepair` in an engine's container. */
export const IndexRepairToken = createToken<IndexRepair>('engine.index_repair');

/** Has sources synced again when the index has lost rows of them, whatever the reason. */
@injectable()
export class IndexRepair {
  readonly #store: Pick<MetadataStore, 'sources'>;
  readonly #index: VectorIndex;
  readonly #own: Generation;
  readonly #dimension: number;
  readonly #jobs: SyncJobs;
  readonly #logger: Logger;
  readonly #controller = createAbortController();
  readonly #problem: ProblemLog;
  readonly #tried = new Map<string, RepairAttempts>();
  /** How many rows there were when nothing was missing. */
  #wholeAt: number | null = null;
  #looking: Promise<void> | null = null;

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
    this.#jobs = jobs;
    this.#logger = logger;
    this.#problem = new ProblemLog(logger, {
      started: 'the rows of the index cannot be counted',
      ended: 'the rows of the index are counted again',
    });
  }

  /** In a process that works on jobs. */
  start(): void {
    this.#looking ??= this.#look();
  }

  async stop(): Promise<void> {
    this.#controller.abort();
    await this.#looking;
  }

  async #look(): Promise<void> {
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
      const took = performance.now() - started;
      await delay(Math.max(checkIntervalMs, took / countingShare), signal);
    }
  }

  async #step(): Promise<void> {
    const rows = await this.#count();
    if (this.#wholeAt !== null && rows >= this.#wholeAt) {
      this.#wholeAt = rows;
      return;
    }
    const { missing, isSettled } = await this.#sourcesWithLosses();
    for (const { source, lost } of missing) await this.#sync(source, lost);
    this.#wholeAt = isSettled && missing.length === 0 ? rows : null;
    if (this.#wholeAt !== null) this.#tried.clear();
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

  /** `isSettled`: no source is being changed now, so that the others are all there are. */
  async #sourcesWithLosses(): Promise<{
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
      const wanted = expected.get(source.id) ?? 0;
      if (wanted === 0 || isBeingChanged(source)) continue;
      const lost = wanted - (await collection.count({ scope: source.id }));
      if (lost > 0 && (await this.#isUnchanged(source, wanted))) missing.push({ source, lost });
    }
    return { missing, isSettled: !sources.some(isBeingChanged) };
  }

  /** Whether the rows are missing for longer than a change takes. */
  async #isUnchanged({ id }: ConnectorRecord, wanted: number): Promise<boolean> {
    const { sources } = this.#store;
    const [[stats], source] = await Promise.all([sources.stats(id), sources.get(id)]);
    const now = (stats?.chunks ?? 0) + (stats?.summaries ?? 0);
    return source !== null && !isBeingChanged(source) && now === wanted;
  }

  async #sync({ id, rootUri }: ConnectorRecord, lost: number): Promise<void> {
    const { times, at } = this.#tried.get(id) ?? { times: 0, at: -Infinity };
    const wait = times === 0 ? 0 : Math.min(maxRetryMs, firstRetryMs * 2 ** (times - 1));
    if (performance.now() - at < wait) return;
    this.#tried.set(id, { times: times + 1, at: performance.now() });
    try {
      const job = await this.#jobs.queue(id, { full: false, since: null, trigger: 'index' });
      this.#logger.warn('the index has lost parts of a source, which is synced again', {
        target: rootUri,
        lost,
        job: job.id,
      });
    } catch (error) {
      const isSettled =
        isTroveError(error) &&
        ['sync_already_running', 'connector_removing', 'not_found'].includes(error.code);
      if (!isSettled) throw error;
    }
  }
}

function isBeingChanged({ status }: ConnectorRecord): boolean {
  return status === 'syncing' || status === 'removing';
}
