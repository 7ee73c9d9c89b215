import {
  inject,
  injectable,
  CollectionToken,
  LoggerToken,
  MetadataStoreToken,
} from '@trove/core/di';
import type { Collection, Logger, MetadataStore } from '@trove/core';
import { abortController, type EmbeddingService } from '@trove/runtime';
import type { ComputePool } from '../compute/compute-pool.js';
import {
  ComputePoolToken,
  ContentsToken,
  EmbeddingToken,
  PlannerToken,
  SettingsToken,
  SourcesToken,
} from '../di/tokens.js';
import type { Contents } from '../content/contents.js';
import type { LocalWorker } from '../jobs/job-service.js';
import type { EngineSettings } from '../settings.js';
import type { Sources } from '../connectors/sources.js';
import { IndexWriter } from './index-writer.js';
import { IngestWorker } from './ingest-worker.js';
import type { ObjectPlanner } from '../connectors/object-plan.js';
import { Wake } from '../jobs/wake.js';
import { newWorkerName } from './worker-name.js';

/** Runs the worker of this process: permanently once started, or for as long as someone waits for a job. */
@injectable()
export class InProcessWorker implements LocalWorker {
  readonly #store: MetadataStore;
  readonly #collection: Collection;
  readonly #contents: Contents;
  readonly #pool: ComputePool;
  readonly #embedding: EmbeddingService;
  readonly #planner: ObjectPlanner;
  readonly #sources: Sources;
  readonly #settings: EngineSettings;
  readonly #logger: Logger;
  readonly ended = new Wake();
  #worker: Promise<IngestWorker> | null = null;
  #users = 0;

  constructor(
    @inject(MetadataStoreToken) store: MetadataStore,
    @inject(CollectionToken) collection: Collection,
    @inject(ContentsToken) contents: Contents,
    @inject(ComputePoolToken) pool: ComputePool,
    @inject(EmbeddingToken) embedding: EmbeddingService,
    @inject(PlannerToken) planner: ObjectPlanner,
    @inject(SourcesToken) sources: Sources,
    @inject(SettingsToken) settings: EngineSettings,
    @inject(LoggerToken) logger: Logger,
  ) {
    this.#store = store;
    this.#collection = collection;
    this.#contents = contents;
    this.#pool = pool;
    this.#embedding = embedding;
    this.#planner = planner;
    this.#sources = sources;
    this.#settings = settings;
    this.#logger = logger;
  }

  /** Works until the runtime stops. */
  start(): void {
    this.#users++;
    this.#enter().catch((error: unknown) => {
      this.#logger.error('the worker could not start', { error: String(error) });
    });
  }

  notify(): void {
    void this.#worker?.then((worker) => worker.notify(), ignore);
  }

  cancelled(jobId: string): void {
    void this.#worker?.then((worker) => worker.cancelled(jobId), ignore);
  }

  async during<T>(work: Promise<T>): Promise<T> {
    this.#users++;
    try {
      await this.#enter();
      return await work;
    } finally {
      this.#users--;
      if (this.#users === 0) await this.stop();
    }
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await (await worker?.catch(() => null))?.stop();
  }

  #enter(): Promise<IngestWorker> {
    if (this.#worker === null) {
      const starting = this.#create().then((worker) => {
        worker.start();
        return worker;
      });
      this.#worker = starting;
      starting.catch(() => {
        if (this.#worker === starting) this.#worker = null;
      });
    }
    return this.#worker;
  }

  async #create(): Promise<IngestWorker> {
    const name = await newWorkerName(this.#settings.machineId);
    const { signal } = abortController();
    return new IngestWorker({
      name,
      context: {
        store: this.#store,
        collection: this.#collection,
        contents: this.#contents,
        pool: this.#pool,
        embedding: this.#embedding,
        planner: this.#planner,
        settings: this.#settings,
      },
      writer: new IndexWriter(this.#collection, this.#store, name, this.#logger, signal),
      sources: this.#sources,
      logger: this.#logger,
      onJobEnd: () => this.ended.notify(),
    });
  }
}

/** Whoever started the worker is told why it failed. */
function ignore(): void {}
