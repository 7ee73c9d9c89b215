import { isTroveError, silentLogger, TroveError, type Logger } from '@trove/core';
import {
  abortController,
  anySignal,
  DisposalStack,
  openCollection,
  openEmbedding,
  openMetadataStore,
  openTransformationCache,
  openVectorIndex,
  PluginRegistry,
  type Opening,
} from '@trove/runtime';
import type { CallOptions, Engine } from './api/engine.js';
import type { CatResponse } from './api/schemas.js';
import { compose, type Services } from './compose.js';
import { ComputePool } from './compute/compute-pool.js';
import { releaseDeadWorkers } from './ingest/worker-name.js';
import type { EngineOptions } from './options.js';
import { embedderOptions, settingsOf } from './settings.js';

/** Leaves time for a host that must end within 10 s. */
const closeLimitMs = 8_000;
/** How often caches and history are trimmed to their limits. */
const tidyMs = 60 * 60 * 1000;

/**
 * Opens an engine with its databases, index and embedder. Throws a TroveError when one of them cannot be opened, and
 * leaves nothing open then. Two engines in one process share nothing.
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const logger = options.logger ?? silentLogger;
  const settings = settingsOf(options);
  const { namespace } = settings;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(namespace)) {
    throw new TroveError(
      'config_invalid',
      'namespace: must be 1 to 64 letters, digits, underscores or hyphens',
    );
  }
  const controller = abortController();
  const disposal = new DisposalStack(logger);
  const registry = new PluginRegistry(options);
  const opening: Opening = { registry, logger, signal: controller.signal, disposal };
  const inBackground = (what: string, work: () => Promise<unknown>): void => {
    work().catch((error: unknown) => {
      if (!controller.signal.aborted) logger.error(`${what} failed`, { error: String(error) });
    });
  };
  try {
    const store = await openMetadataStore(opening, options.metadata, namespace);
    const cache = options.transformationCache
      ? await openTransformationCache(opening, options.transformationCache)
      : null;
    const { service: embedding, inThread } = await openEmbedding(
      opening,
      embedderOptions(options),
      cache,
    );
    const index = await openVectorIndex(opening, options.index);
    const collection = await openCollection(opening, index, `${namespace}_chunks`, embedding.facts);
    const pool = new ComputePool(
      settings.threads,
      settings.maxFileBytes,
      { embedder: inThread },
      logger,
    );
    disposal.add('the worker threads', () => pool.close());
    const values = {
      settings,
      logger,
      signal: controller.signal,
      registry,
      store,
      collection,
      pool,
      embedding,
    };
    const services = compose(values);
    disposal.add('connectors', () => services.sources.close());
    disposal.add('calls in flight', () => controller.abort(closed()));
    // Before calls are aborted: the worker gives back what it holds.
    disposal.add('the worker', () => services.ingest.stop());

    await releaseDeadWorkers(store, settings.machineId);
    inBackground('going on with removals', () => services.removal.resume());
    const tidy = (): void => {
      inBackground('pruning finished jobs', () => store.pruneJobs(settings.retentionMs));
      inBackground('pruning the cache', async () => cache?.prune(settings.cacheMaxBytes));
    };
    tidy();
    const tidying = setInterval(tidy, tidyMs).unref();
    disposal.add('tidying up', () => clearInterval(tidying));
    return new TroveEngine(services, controller.signal, disposal, logger);
  } catch (error) {
    controller.abort(closed());
    await disposal.dispose(closeLimitMs).catch(() => undefined);
    throw error;
  }
}

class TroveEngine implements Engine {
  readonly #services: Services;
  readonly #signal: AbortSignal;
  readonly #disposal: DisposalStack;
  readonly #logger: Logger;
  #closing: Promise<void> | null = null;
  #working = false;

  constructor(services: Services, signal: AbortSignal, disposal: DisposalStack, logger: Logger) {
    this.#services = services;
    this.#signal = signal;
    this.#disposal = disposal;
    this.#logger = logger;
  }

  serverInfo: Engine['serverInfo'] = () =>
    this.#call({}, async ({ status }) => status.serverInfo());
  status: Engine['status'] = () => this.#call({}, ({ status }) => status.status());
  add: Engine['add'] = (request, options) =>
    this.#call(options, ({ jobs }) => jobs.add(request, options?.signal));
  jobs: Engine['jobs'] = (query) => this.#call({}, ({ jobs }) => jobs.list(query));
  job: Engine['job'] = (id) => this.#call({}, ({ jobs }) => jobs.get(id));
  cancel: Engine['cancel'] = (id) => this.#call({}, ({ jobs }) => jobs.cancel(id));
  waitForJob: Engine['waitForJob'] = (id, options) =>
    this.#call(options, ({ jobs }) => jobs.wait(id, options?.signal));
  probe: Engine['probe'] = (request, options) =>
    this.#call(options, ({ probe }, signal) => probe.probe(request, signal));
  estimate: Engine['estimate'] = (request, options) =>
    this.#call(options, ({ probe }, signal) => probe.estimate(request, signal));
  inspect: Engine['inspect'] = (query) =>
    this.#call({}, ({ status }, signal) => status.inspect(query, signal));
  remove: Engine['remove'] = (query) => this.#call({}, ({ removal }) => removal.remove(query));
  search: Engine['search'] = (query, options) =>
    this.#call(options, ({ search }, signal) => search.search(query, signal));
  grep: Engine['grep'] = (query, options) =>
    this.#call(options, ({ grep }, signal) => grep.grep(query, signal));
  ls: Engine['ls'] = (query, options) =>
    this.#call(options, ({ browse }, signal) => browse.ls(query, signal));
  cat: Engine['cat'] = (query, options) =>
    this.#call(options, ({ read }, signal) => read.cat(query, signal));
  head: Engine['head'] = (query, options) =>
    this.#call(options, ({ read }, signal) => read.head(query, signal));
  tail: Engine['tail'] = (query, options) =>
    this.#call(options, ({ read }, signal) => read.tail(query, signal));
  exportStream: Engine['exportStream'] = (query, options) =>
    this.#call(options, ({ read }, signal) => read.export(query, signal));

  export: Engine['export'] = async (query, options): Promise<CatResponse> => {
    const { source, partial, content } = await this.exportStream(query, options);
    const pieces: string[] = [];
    for await (const piece of content) pieces.push(piece);
    return { source, partial, content: pieces.join('') };
  };

  startWorker(): void {
    if (this.#closing !== null) throw closed();
    if (this.#working) return;
    this.#working = true;
    this.#services.ingest.start();
  }

  close(): Promise<void> {
    this.#closing ??= this.#disposal.dispose(closeLimitMs);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** A store's or an index's own message appears in no answer, so it is logged. */
  #logStorage({ detail, cause }: TroveError): void {
    this.#logger.warn(detail, { cause: cause instanceof Error ? cause.message : String(cause) });
  }

  async #call<T>(
    options: CallOptions | undefined,
    use: (services: Services, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.#closing !== null) throw closed();
    try {
      return await use(this.#services, anySignal(this.#signal, options?.signal));
    } catch (error) {
      if (isTroveError(error)) {
        if (error.code === 'storage_unavailable') this.#logStorage(error);
        throw error;
      }
      if (options?.signal?.aborted === true) throw error;
      this.#logger.error('an operation failed unexpectedly', {
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
      throw new TroveError('internal_error', 'Something failed that should not have', {
        cause: error,
      });
    }
  }
}

function closed(): TroveError {
  return new TroveError('engine_closed', 'The engine is closed');
}
