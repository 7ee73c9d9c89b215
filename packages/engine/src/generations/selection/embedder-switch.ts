import {
  inject,
  injectable,
  LoggerToken,
  MetadataStoreToken,
  createToken,
  VectorIndexToken,
} from '@trove/core/di';
import { messageOf, TroveError, type Logger } from '@trove/core';
import type { VectorIndex } from '@trove/core/index';
import type { ConnectorRecord, GenerationRecord, MetadataStore } from '@trove/core/store';
import { createAbortController, delay } from '@trove/runtime';
import type { EngineSettings } from '../../settings.js';
import { SettingsToken } from '../../tokens.js';
import { SpacedSyncs } from '../scheduling/spaced-syncs.js';
import { SyncJobsToken, type SyncJobs } from '../scheduling/sync-jobs.js';
import { ProblemLog } from '../maintenance/problem-log.js';
import { collectionOf, GenerationsToken, type Generations } from './generations.js';

/** The interval between checks. */
const checkIntervalMs = 2000;
/** The interval at which a process reports that it uses its generation. */
const markUsedIntervalMs = 15_000;
/**
 * A generation that was unused for this long is deleted. A restart or a rolling update takes less time. This process
 * measures the time as well, because the clock of the database also runs while machines sleep, and may be adjusted.
 */
const minUnusedMs = 60_000;
/** A generation without visible use. */
interface IdleGeneration {
  readonly since: number;
  /** The idle time as the database last reported it. */
  readonly unusedMs: number;
}

/** The token of `EmbedderSwitch` in an engine's container. */
export const EmbedderSwitchToken = createToken<EmbedderSwitch>('engine.embedder_switch');

/**
 * Indexes all sources of other generations with the configured embedder, one at a time. Deletes another generation once no
 * source needs it and no process uses it.
 */
@injectable()
export class EmbedderSwitch {
  readonly #store: Pick<MetadataStore, 'generations' | 'sources'>;
  readonly #index: VectorIndex;
  readonly #namespace: string;
  readonly #generations: Generations;
  readonly #logger: Logger;
  readonly #controller = createAbortController();
  readonly #syncs: SpacedSyncs;
  #useTimer: NodeJS.Timeout | undefined;
  /** By generation number. Empty while sources wait for a sync. */
  readonly #idle = new Map<number, IdleGeneration>();
  readonly #problem: ProblemLog;
  readonly #useProblem: ProblemLog;
  #loop: Promise<void> | null = null;
  /** Resolves with the reason when another process deleted this generation while this process was suspended. */
  readonly superseded: Promise<TroveError>;
  #supersede: (reason: TroveError) => void = () => undefined;

  /** Keeps other processes from deleting this generation until it is stopped. */
  constructor(
    @inject(MetadataStoreToken) store: Pick<MetadataStore, 'generations' | 'sources'>,
    @inject(VectorIndexToken) index: VectorIndex,
    @inject(SettingsToken) settings: EngineSettings,
    @inject(GenerationsToken) generations: Generations,
    @inject(SyncJobsToken) jobs: SyncJobs,
    @inject(LoggerToken) logger: Logger,
  ) {
    this.#store = store;
    this.#index = index;
    this.#namespace = settings.namespace;
    this.#generations = generations;
    this.#syncs = new SpacedSyncs(jobs, 'embedder');
    this.#logger = logger;
    this.#problem = new ProblemLog(logger, {
      started: 'indexing with the configured embedder fails',
      ended: 'indexing with the configured embedder continues',
    });
    this.#useProblem = new ProblemLog(logger, {
      started: 'the use of this generation cannot be recorded',
      ended: 'the use of this generation is recorded again',
    });
    this.superseded = new Promise((resolve) => (this.#supersede = resolve));
    this.#scheduleUse();
  }

  /** Call this only in a process that runs jobs. */
  start(): void {
    this.#loop ??= this.#run();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#useTimer);
    this.#controller.abort();
    await this.#loop;
  }

  #scheduleUse(): void {
    this.#useTimer = setTimeout(() => void this.#markUsed(), markUsedIntervalMs).unref();
  }

  async #markUsed(): Promise<void> {
    const { signal } = this.#controller;
    try {
      if ((await this.#store.generations.markUsed()) === null) return this.#reportSuperseded();
      this.#useProblem.update(null);
    } catch (error) {
      if (!signal.aborted) this.#useProblem.update(messageOf(error));
    }
    if (!signal.aborted) this.#scheduleUse();
  }

  #reportSuperseded(): void {
    this.#controller.abort();
    const reason = droppedGenerationError();
    this.#logger.error(reason.detail, { suggestions: reason.suggestions });
    this.#supersede(reason);
  }

  async #run(): Promise<void> {
    const { signal } = this.#controller;
    while (!signal.aborted) {
      try {
        await this.#step();
        this.#problem.update(null);
      } catch (error) {
        if (signal.aborted) return;
        this.#problem.update(messageOf(error));
      }
      await delay(checkIntervalMs, signal);
    }
  }

  async #step(): Promise<void> {
    const others = await this.#generations.others();
    for (const number of this.#idle.keys())
      if (!others.some(({ record }) => record.number === number)) this.#idle.delete(number);
    if (others.length > 0) {
      // Includes syncs that were queued for an embedder that is no longer configured.
      const isInOtherGeneration = ({ id, isComplete, status }: ConnectorRecord): boolean =>
        !isComplete &&
        status !== 'removing' &&
        others.some(({ complete, syncing }) => complete.has(id) || syncing.has(id));
      const waiting = (await this.#store.sources.list()).filter(isInOtherGeneration);
      for (const source of waiting) await this.#sync(source);
      // Searches in progress may still use the other generations.
      if (waiting.length > 0) this.#idle.clear();
      else for (const { record } of others) await this.#drop(record);
    }
    await this.#removeDropped();
  }

  async #sync({ id, rootUri, status }: ConnectorRecord): Promise<void> {
    if (status === 'syncing') return;
    const job = await this.#syncs.queue(id);
    if (job === null) return;
    this.#logger.info('indexing a source with the configured embedder', {
      target: rootUri,
      job: job.id,
    });
  }

  async #drop({ number, embedding, unusedMs: ms }: GenerationRecord): Promise<void> {
    const now = performance.now();
    const before = this.#idle.get(number);
    const isUsed = before === undefined || ms < before.unusedMs;
    const since = isUsed ? now : before.since;
    this.#idle.set(number, { since, unusedMs: ms });
    if (ms < minUnusedMs || now - since < minUnusedMs) return;
    if (!(await this.#store.generations.drop(number, minUnusedMs))) return;
    this.#logger.info('deleted the generation of another embedder', { embedding });
  }

  /** Also deletes leftovers of processes that died. */
  async #removeDropped(): Promise<void> {
    for (const record of await this.#store.generations.listOthers()) {
      if (!record.isDropped) continue;
      await this.#index.drop(collectionOf(this.#namespace, record));
      await this.#store.generations.delete(record.number);
    }
  }
}

/** The error of a process whose generation was deleted by another process. */
export function droppedGenerationError(): TroveError {
  return new TroveError(
    'storage_unavailable',
    'Another process with another embedder deleted the generation of this one, which was suspended for a long time.',
    { suggestions: ['Restart the process. It then indexes all sources again.'] },
  );
}
