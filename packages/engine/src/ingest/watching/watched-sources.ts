import { inject, injectable, createToken, LoggerToken, MetadataStoreToken } from '@trove/core/di';
import { messageOf, type Logger } from '@trove/core';
import type { ConnectorRecord, ConnectorRegistry, MetadataStore } from '@trove/core/store';
import { createAbortController, delay } from '@trove/runtime';
import { ConnectorsToken, type Connectors } from '../../sources/connectors/connectors.js';
import { JobsToken, type JobService } from '../jobs/job-service.js';
import { isWatched } from '../../sources/schedules/sync-settings.js';
import { digest } from '../../sources/ids.js';
import { WatchedSource, type WatchState } from './watched-source.js';

/** The interval for checking which sources to watch. */
const checkIntervalMs = 2000;

/** The token of `WatchedSources` in an engine's container. */
export const WatchedSourcesToken = createToken<WatchedSources>('engine.watched_sources');

/** Watches the sources with the setting `watch`, in a process that works on jobs. */
@injectable()
export class WatchedSources {
  readonly #sources: Pick<ConnectorRegistry, 'listWatched'>;
  readonly #connectors: Connectors;
  readonly #jobs: JobService;
  readonly #logger: Logger;
  readonly #controller = createAbortController();
  readonly #watched = new Map<string, { configDigest: string; source: WatchedSource }>();
  #loop: Promise<void> | null = null;

  constructor(
    @inject(MetadataStoreToken) store: Pick<MetadataStore, 'sources'>,
    @inject(ConnectorsToken) connectors: Connectors,
    @inject(JobsToken) jobs: JobService,
    @inject(LoggerToken) logger: Logger,
  ) {
    this.#sources = store.sources;
    this.#connectors = connectors;
    this.#jobs = jobs;
    this.#logger = logger;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** How the changes of a source are detected; null if this process does not watch it, or not yet. */
  state(connectorId: string): WatchState | null {
    return this.#watched.get(connectorId)?.source.state ?? null;
  }

  async stop(): Promise<void> {
    this.#controller.abort();
    await this.#loop;
    await Promise.all(Array.from(this.#watched.values(), ({ source }) => source.stop()));
  }

  async #run(): Promise<void> {
    const { signal } = this.#controller;
    while (!signal.aborted) {
      try {
        this.#watch((await this.#sources.listWatched()).filter(isWatched));
      } catch (error) {
        this.#logger.warn('looking for sources to watch failed', { error: messageOf(error) });
      }
      await delay(checkIntervalMs, signal);
    }
  }

  #watch(records: readonly ConnectorRecord[]): void {
    const digests = new Map(
      records.map((record) => [
        record.id,
        digest([record.registeredAt, record.rootUri, record.config, record.tree]),
      ]),
    );
    for (const [id, { configDigest, source }] of this.#watched) {
      if (digests.get(id) === configDigest) continue;
      this.#watched.delete(id);
      void source.stop();
    }
    for (const record of records) {
      const configDigest = digests.get(record.id);
      if (configDigest === undefined || this.#watched.has(record.id)) continue;
      const source = new WatchedSource(record, this.#connectors, this.#jobs, this.#logger);
      this.#watched.set(record.id, { configDigest, source });
    }
  }
}
