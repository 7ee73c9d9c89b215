import { messageOf, type Logger } from '@trove/core';
import { inject, injectable, LoggerToken, MetadataStoreToken, createToken } from '@trove/core/di';
import type { ConnectorStats, JobRecord, JobStatus, MetadataStore } from '@trove/core/store';
import { resolveWithin } from '@trove/runtime';
import { GenerationsToken, type Generations } from '../../generations/selection/generations.js';
import {
  readActiveStatistics,
  type SwitchProgress,
} from '../../generations/selection/active-statistics.js';
import { ProblemLog } from '../../generations/maintenance/problem-log.js';

/** How long counts of objects and chunks are cached. */
const cacheMs = 15_000;
/** Time limit for the database. */
const limitMs = 2000;
/** The limit of sources that are counted one by one. */
const maxSources = 1000;

/** Counts from the database. */
export interface StoreStatistics {
  /** Up to 15 s old. */
  readonly types: readonly TypeCounts[];
  /** At most 1,000, failing ones first. Up to 15 s old. */
  readonly sources: readonly StoredSource[];
  readonly jobs: Readonly<Partial<Record<JobStatus, number>>>;
  /** The sums over all running jobs. */
  readonly running: RunningCounts;
  /** Null if everything is indexed with the configured embedder; up to 15 s old. */
  readonly embeddingSwitch: SwitchProgress | null;
}

type SourceCounts = Pick<StoreStatistics, 'types' | 'sources' | 'embeddingSwitch'>;

/** Whether a source works. */
export interface StoredSource {
  readonly rootUri: string;
  /** The end of the last sync that succeeded, wholly or in part. Null before the first. */
  readonly lastSyncedAt: number | null;
  readonly isFailing: boolean;
}

/** The sources of one connector type. */
export interface TypeCounts {
  readonly type: string;
  readonly sources: number;
  readonly objects: number;
  readonly chunks: number;
}

export type RunningCounts = Readonly<
  Record<(typeof summedFields)[number], number> & { readonly jobs: number; readonly chunks: number }
>;

const summedFields = ['added', 'changed', 'removed', 'unchanged', 'leftOut', 'failed'] as const;

/** The token of `StoredCounts` in an engine's container. */
export const StoredCountsToken = createToken<StoredCounts>('engine.stored_counts');

/** Counts sources, objects, chunks and jobs in the database. */
@injectable()
export class StoredCounts {
  readonly #store: Pick<MetadataStore, 'jobs' | 'sources'>;
  readonly #generations: Generations;
  readonly #problem: ProblemLog;
  #types: Promise<SourceCounts> | null = null;
  /** The running query. No second one starts, even if it hangs. */
  #running: Promise<StoreStatistics | null> | null = null;

  constructor(
    @inject(MetadataStoreToken) store: Pick<MetadataStore, 'jobs' | 'sources'>,
    @inject(GenerationsToken) generations: Generations,
    @inject(LoggerToken) logger: Logger,
  ) {
    this.#store = store;
    this.#generations = generations;
    this.#problem = new ProblemLog(logger, {
      started: 'stored data cannot be counted',
      ended: 'stored data is counted again',
    });
  }

  /** Returns the current counts, or null if the database does not respond in time. */
  now(): Promise<StoreStatistics | null> {
    this.#running ??= this.#query().finally(() => (this.#running = null));
    return resolveWithin(this.#running, limitMs, null);
  }

  async #query(): Promise<StoreStatistics | null> {
    try {
      const [sources, jobs, running] = await Promise.all([
        this.#cachedTypes(),
        this.#store.jobs.counts(),
        this.#store.jobs.running(),
      ]);
      this.#problem.update(null);
      return { ...sources, jobs, running: sumOf(running) };
    } catch (error) {
      this.#problem.update(messageOf(error));
      return null;
    }
  }

  /** Cached, because counting reads all objects. */
  #cachedTypes(): Promise<SourceCounts> {
    if (this.#types === null) {
      this.#types = this.#countTypes();
      const forget = (): void => void (this.#types = null);
      this.#types.then(() => setTimeout(forget, cacheMs).unref(), forget);
    }
    return this.#types;
  }

  async #countTypes(): Promise<SourceCounts> {
    const listing = this.#store.sources.list();
    const [connectors, { stats, lastSyncedAt, progress }] = await Promise.all([
      listing,
      readActiveStatistics(this.#generations, listing),
    ]);
    const types = new Map<string, TypeCounts>();
    for (const { id, type } of connectors)
      types.set(type, addCounts(type, types.get(type), stats.get(id)));
    const sources = connectors.map((record) => ({
      rootUri: record.rootUri,
      lastSyncedAt: lastSyncedAt.get(record.id) ?? null,
      isFailing: record.failingSince !== null,
    }));
    sources.sort((one, two) => Number(two.isFailing) - Number(one.isFailing));
    return {
      types: [...types.values()],
      sources: sources.slice(0, maxSources),
      embeddingSwitch: progress,
    };
  }
}

function addCounts(
  type: string,
  previous: TypeCounts | undefined,
  stats: ConnectorStats | undefined,
): TypeCounts {
  return {
    type,
    sources: (previous?.sources ?? 0) + 1,
    objects: (previous?.objects ?? 0) + (stats?.objects ?? 0),
    chunks: (previous?.chunks ?? 0) + (stats?.chunks ?? 0),
  };
}

function sumOf(jobs: readonly JobRecord[]): RunningCounts {
  const sum = (key: keyof JobRecord & ((typeof summedFields)[number] | 'chunks')): number =>
    jobs.reduce((total, job) => total + job[key], 0);
  return {
    jobs: jobs.length,
    added: sum('added'),
    changed: sum('changed'),
    removed: sum('removed'),
    unchanged: sum('unchanged'),
    leftOut: sum('leftOut'),
    failed: sum('failed'),
    chunks: sum('chunks'),
  };
}
