import {
  isTroveError,
  messageOf,
  type ConnectorRecord,
  type Logger,
  type MetadataStore,
  type VectorIndex,
} from '@trove/core';
import { abortController, delay } from '@trove/runtime';
import type { JobService } from '../jobs/job-service.js';
import { collectionOf, type Editions, type OtherEdition } from './editions.js';

/** How often it is looked whether there is anything to do. */
const lookMs = 2000;
/** How often a process says that it uses its edition. */
const useMs = 15_000;
/** What nobody has used for so long is removed: a restart with the former embedder, or a rolling one, takes less. */
const unusedMs = 60_000;
/** A source that could not be synced is tried again at longer and longer intervals up to the second. */
const firstRetryMs = 60_000;
const longestRetryMs = 60 * 60 * 1000;

export interface SwitchingContext {
  readonly store: MetadataStore;
  readonly index: VectorIndex;
  readonly namespace: string;
  readonly editions: Editions;
  readonly jobs: JobService;
  readonly logger: Logger;
}

interface Tried {
  readonly times: number;
  readonly at: number;
}

/**
 * Has everything indexed with the configured embedder that was indexed with another one, a source at a time, and removes what
 * is left of the other once nothing is answered from it and nobody uses it.
 */
export class Switching {
  readonly #context: SwitchingContext;
  readonly #controller = abortController();
  readonly #tried = new Map<string, Tried>();
  readonly #using: NodeJS.Timeout;
  /** Since when nothing is waited for. */
  #doneAt: number | null = null;
  #looking: Promise<void> | null = null;

  /** Keeps others from removing what this process uses, until it is stopped. */
  constructor(context: SwitchingContext) {
    this.#context = context;
    this.#using = setInterval(() => void this.#use(), useMs).unref();
  }

  /** In a process that works on jobs. */
  start(): void {
    this.#looking ??= this.#look();
  }

  async stop(): Promise<void> {
    clearInterval(this.#using);
    this.#controller.abort();
    await this.#looking;
  }

  async #use(): Promise<void> {
    try {
      await this.#context.store.useEdition();
    } catch (error) {
      if (this.#controller.signal.aborted) return;
      const problem = { error: messageOf(error) };
      this.#context.logger.warn('that this embedder is in use could not be said', problem);
    }
  }

  async #look(): Promise<void> {
    const { signal } = this.#controller;
    while (!signal.aborted) {
      try {
        await this.#step();
      } catch (error) {
        if (signal.aborted) return;
        const problem = { error: messageOf(error) };
        this.#context.logger.warn('switching to another embedder failed for now', problem);
      }
      await delay(lookMs, signal);
    }
  }

  async #step(): Promise<void> {
    const { store, editions } = this.#context;
    const others = await editions.others();
    if (others.length > 0) {
      const sources = await store.connectors();
      const isElsewhere = ({ id, isComplete, status }: ConnectorRecord): boolean =>
        !isComplete && status !== 'removing' && others.some(({ complete }) => complete.has(id));
      const waiting = sources.filter(isElsewhere);
      for (const source of waiting) await this.#sync(source);
      this.#doneAt = waiting.length > 0 ? null : (this.#doneAt ?? Date.now());
      for (const other of others) await this.#drop(other);
    }
    await this.#removeDropped();
  }

  async #sync({ id, rootUri, status }: ConnectorRecord): Promise<void> {
    if (status === 'syncing') return;
    const { jobs, logger } = this.#context;
    const { times, at } = this.#tried.get(id) ?? { times: 0, at: -Infinity };
    const wait = times === 0 ? 0 : Math.min(longestRetryMs, firstRetryMs * 2 ** (times - 1));
    if (performance.now() - at < wait) return;
    this.#tried.set(id, { times: times + 1, at: performance.now() });
    try {
      const job = await jobs.queue(id, { full: false, since: null, trigger: 'embedder' });
      logger.info('a source is indexed with another embedder', { target: rootUri, job: job.id });
    } catch (error) {
      const isSettled =
        isTroveError(error) &&
        ['sync_already_running', 'connector_removing', 'not_found'].includes(error.code);
      if (!isSettled) throw error;
    }
  }

  async #drop({ record, embedding }: OtherEdition): Promise<void> {
    // Searches that have begun may still be answered from it.
    const isDone = this.#doneAt !== null && Date.now() - this.#doneAt >= unusedMs;
    if (!isDone || record.unusedMs < unusedMs) return;
    if (!(await this.#context.store.dropEdition(record.number, unusedMs))) return;
    this.#context.logger.info('what was indexed with another embedder is removed', { embedding });
  }

  /** Also what a process that died has left. */
  async #removeDropped(): Promise<void> {
    const { store, index, namespace } = this.#context;
    for (const record of await store.otherEditions()) {
      if (!record.isDropped) continue;
      await index.drop(collectionOf(namespace, record));
      await store.forgetEdition(record.number);
    }
  }
}
