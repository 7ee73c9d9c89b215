import { join } from 'node:path';
import {
  isStorageError,
  isTroveError,
  messageOf,
  silentLogger,
  TroveError,
  type Logger,
} from '@trove/core';
import type { ArtifactCache, MetadataStore, TransformationCache } from '@trove/core/store';
import { createContainer } from '@trove/core/di';
import {
  abortController,
  anySignal,
  Artifacts,
  ConversionService,
  DisposalStack,
  embeddingName,
  FolderArtifactCache,
  keptWithin,
  KnownSecrets,
  openEmbedding,
  openLanguageModel,
  openMetadataStore,
  openTransformationCache,
  openVectorIndex,
  PluginRegistry,
  type Foundation,
  type LanguageModelOptions,
  type LanguageModelService,
  type Opening,
} from '@trove/runtime';
import { CallsInFlight, endingWith } from './calls-in-flight.js';
import { compose, type Services } from './compose.js';
import { computePools } from './content/compute/compute-pool.js';
import { importChunker } from './content/compute/cut.js';
import { replaceable } from './di/override.js';
import { withInstances } from './di/instances.js';
import { noRanking } from './query/search/ranker.js';
import { collectionOf, Editions } from './generations/choice/generations.js';
import { droppedElsewhere } from './generations/choice/switching.js';
import { TrainedEmbedder } from './generations/training/trained-embedder.js';
import { releaseDeadWorkers } from './ingest/worker/worker-name.js';
import { openSecondStage } from './query/search/second-stage.js';
import { compact, type Compactable, type Compacted } from './generations/maintenance/compaction.js';
import type { Statistics } from './query/status/statistics.js';
import { operations, type Call, type Lasting, type Operations } from './operations.js';
import type { EngineOptions } from './options.js';
import {
  defaultLanguageModel,
  embedderOptions,
  languageModelOptions,
  settingsOf,
  writesAbout,
} from './resolve-options.js';
import type { EngineSettings } from './settings.js';

/** Leaves time for a host that must end within 10 s. */
const closeLimitMs = 8_000;
/** Calls that have begun may end, as long as this. */
const finishMs = 3_000;
/** How often caches and history are trimmed to their limits. */
const tidyMs = 60 * 60 * 1000;

/** Trove without HTTP. */
export interface Engine extends Operations, AsyncDisposable {
  /** Works on queued jobs in this process until the engine closes; repeated calls have no effect. */
  startWorker(): void;
  /**
   * Frees the space of deleted data on the disk and in the databases. Other processes may use them meanwhile. Throws
   * `sync_already_running` while a job runs.
   */
  compact(): Promise<Compacted>;
  /**
   * Resolves with the reason when this engine cannot continue but a new one can. This happens when another process with
   * another embedder removed its index while this process was suspended. Otherwise stays pending.
   */
  readonly superseded: Promise<TroveError>;
  /** Counts of operations since the engine was opened, and of stored data. Resolves within 2 s. */
  statistics(): Promise<Statistics>;
  /**
   * Removes the secrets of all configured plugins from a text and cuts it to about 10,000 characters. For an
   * application's log of uncaught errors.
   */
  redact(text: string): string;
  /**
   * Stops working, gives back unfinished work, closes everything. Idempotent; takes at most 10 s. Throws an
   * AggregateError of whatever could not be closed.
   */
  close(): Promise<void>;
}

/** An engine and its foundation, for an application that adds services to the foundation. Both close together. */
export interface OpenedEngine {
  readonly engine: Engine;
  readonly foundation: Foundation;
}

/**
 * Opens an engine with its databases, index and embedder. Throws a TroveError when one of them cannot be opened, and
 * leaves nothing open then. Two engines in one process share nothing.
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { engine } = await openEngine(options);
  return engine;
}

/** The cache, or null if it is disabled or cannot be opened. The engine works without it, but repeats work. */
async function cacheOf(
  opening: Opening,
  { transformationCache: cache }: EngineOptions,
  { cacheMaxBytes }: EngineSettings,
): Promise<TransformationCache | null> {
  if (!cache) return null;
  const { logger } = opening;
  try {
    return keptWithin(await openTransformationCache(opening, cache), cacheMaxBytes, logger);
  } catch (error) {
    if (!isStorageError(error)) throw error;
    logger.error('the transformation cache cannot be used', { error: error.detail });
    return null;
  }
}

/** Like `createEngine`, for an application that adds to what the engine stands on. */
export async function openEngine(given: EngineOptions): Promise<OpenedEngine> {
  const replaced = replaceable(given.logger ?? silentLogger, given.override);
  const { logger, clock, ranker, chunker, instances } = replaced;
  const options = withInstances(given, instances);
  const settings = settingsOf(options);
  const { namespace } = settings;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(namespace)) {
    throw new TroveError(
      'config_invalid',
      'namespace: must be 1 to 64 letters, digits, underscores or hyphens',
    );
  }
  const controller = abortController();
  const stopping = abortController();
  const inFlight = new CallsInFlight();
  const disposal = new DisposalStack(logger);
  const registry = new PluginRegistry(options);
  const secrets = new KnownSecrets();
  const opening: Opening = { registry, logger, signal: controller.signal, disposal, secrets };
  const inBackground = (what: string, work: () => Promise<unknown>): Promise<unknown> =>
    work().catch((error: unknown) => {
      if (!controller.signal.aborted) logger.error(`${what} failed`, { error: String(error) });
    });
  try {
    if (chunker !== null) await importChunker(chunker);
    const cache = await cacheOf(opening, options, settings);
    const {
      service: embedding,
      inThread,
      learns,
    } = await openEmbedding(opening, embedderOptions(options), cache);
    const { facts } = embedding;
    const spec = { dimension: facts.dimension, embedding: embeddingName(facts) };
    const store = await openMetadataStore(opening, options.metadata, namespace, spec);
    const { languageModel, fallbackModel } = languageModels(opening, options, cache);
    const llm = writesAbout(options) ? await writer(languageModel) : null;
    const index = await openVectorIndex(opening, options.index);
    const edition = await store.useEdition();
    if (edition === null) throw droppedElsewhere();
    const collection = await index.collection({ name: collectionOf(namespace, edition), ...spec });
    const own = { embedding: spec.embedding, reader: store, collection };
    const editions = new Editions({ store, index, namespace, own, logger });
    const setup = { embedder: inThread, dimension: spec.dimension, chunker };
    const pools = computePools(settings, setup, logger);
    disposal.add('the threads for callers', () => pools.callers.close());
    disposal.add('the threads that index', () => pools.indexing.close());
    const secondStage = options.rerank
      ? await openSecondStage(opening, options.rerank, languageModel)
      : null;
    const conversions = openConversions(opening, options, settings, instances.artifacts);
    disposal.add('the converters', () => conversions.close());
    await conversions.assertAvailable(options.requiredConverters ?? []);
    const services = compose(createContainer(), {
      settings,
      logger,
      clock,
      signal: controller.signal,
      stopping: stopping.signal,
      registry,
      store,
      index,
      uploadFolder: await folderOf(store, settings.uploadFolder, settings),
      sourceFolder: await folderOf(store, settings.sourceFolder, settings),
      credentialFolder: await folderOf(store, settings.credentialFolder, settings),
      cache,
      artifactFolder: options.artifactCache?.path ?? null,
      collection,
      editions,
      pools,
      embedding,
      fits: new TrainedEmbedder(store, spec.embedding, learns, logger),
      llm,
      conversions,
      ranker: secondStage !== null && ranker === noRanking ? secondStage.ranker : ranker,
      secondStage,
      chunker,
      secrets,
    });
    disposal.add('the threads of uploads', () => services.uploadThreads.close());
    disposal.add('connectors', () => services.connectors.close());
    disposal.add('calls in flight', () => controller.abort(closed()));
    disposal.add('replaced files', () => services.uploads.close());
    // Before calls are aborted, the worker gives back its work, and calls in flight get time to end.
    disposal.add('the worker', async () => {
      stopping.abort(closed());
      await Promise.all([
        services.watched.stop(),
        services.switching.stop(),
        services.repair.stop(),
      ]);
      await Promise.all([services.ingest.stop(), inFlight.ended(finishMs)]);
    });

    await releaseDeadWorkers(store, settings.machineId);
    void inBackground('going on with removals', () => services.removal.resume());
    const tidy = (): Promise<unknown> =>
      Promise.all([
        inBackground('pruning finished jobs', () => store.pruneJobs(settings.retentionMs)),
        inBackground('removing abandoned uploads', () => services.trees.sweep(store)),
        inBackground('removing what is left of sources', () => services.folders.sweep(store)),
        inBackground('removing rows of removed sources', () => services.removal.sweep()),
        inBackground('removing what is left of logins', () => services.tokens.sweep(store)),
        inBackground('pruning the cache', async () => cache?.prune(settings.cacheMaxBytes)),
        inBackground('pruning the artifacts', () => conversions.prune()),
      ]);
    void tidy();
    const tidying = setInterval(() => void tidy(), tidyMs).unref();
    disposal.add('tidying up', () => clearInterval(tidying));
    const { signal } = controller;
    const kept = { store, collection, cache, tidy };
    return {
      engine: engineOf(services, { signal, inFlight, disposal, logger, secrets, kept }),
      foundation: {
        logger,
        signal,
        disposal,
        store,
        index,
        embedding,
        conversions,
        languageModel,
        fallbackModel,
      },
    };
  } catch (error) {
    controller.abort(closed());
    await disposal.dispose(closeLimitMs).catch(() => undefined);
    throw error;
  }
}

/** Another database than theirs must not have anybody's files removed. */
async function folderOf(
  store: MetadataStore,
  folder: string | null,
  { namespace }: EngineSettings,
): Promise<string | null> {
  return folder === null ? null : join(folder, `${namespace}-${await store.id()}`);
}

function languageModels(
  opening: Opening,
  options: EngineOptions,
  cache: TransformationCache | null,
): Pick<Foundation, 'languageModel' | 'fallbackModel'> {
  const chosen = languageModelOptions(options);
  const opened = (model: LanguageModelOptions) =>
    onceOpened(opening, (later) => openLanguageModel(later, model, cache));
  const isDefault = chosen.provider === defaultLanguageModel;
  return {
    languageModel: opened(chosen),
    fallbackModel: isDefault
      ? null
      : opened({ ...chosen, provider: defaultLanguageModel, config: {} }),
  };
}

/** A language model that writes about objects. */
async function writer(open: Foundation['languageModel']): Promise<LanguageModelService> {
  const model = await open();
  if (model.readsPrompts) return model;
  throw new TroveError(
    'config_invalid',
    'llm: summaries and descriptions need a language model that reads prompts',
  );
}

/**
 * Opens something at its first use and reserves its place in the order of disposal now. The next call after a failure
 * tries again.
 */
function onceOpened<T>(opening: Opening, open: (later: Opening) => Promise<T>): () => Promise<T> {
  const disposal = new DisposalStack(opening.logger);
  opening.disposal.add('what was opened later', () => disposal.dispose(closeLimitMs));
  let opened: Promise<T> | undefined;
  const start = async (): Promise<T> => open({ ...opening, disposal });
  return () => {
    if (opened !== undefined) return opened;
    const starting = start();
    starting.catch(() => (opened = undefined));
    return (opened = starting);
  };
}

function openConversions(
  opening: Opening,
  { artifactCache }: EngineOptions,
  { threads, maxFileBytes, artifactsMaxBytes }: EngineSettings,
  given: ArtifactCache | null | undefined,
): ConversionService {
  const folder = artifactCache?.path;
  const own = folder === undefined ? null : new FolderArtifactCache(folder);
  const cache = given === undefined ? own : given;
  const artifacts = new Artifacts(cache, artifactsMaxBytes, opening.logger);
  // One document that takes its whole minute must not keep all others waiting.
  const converting = Math.max(2, threads);
  return new ConversionService(opening, artifacts, {
    processes: converting,
    maxBytes: maxFileBytes,
  });
}

interface Life {
  readonly signal: AbortSignal;
  readonly inFlight: CallsInFlight;
  readonly disposal: DisposalStack;
  readonly logger: Logger;
  readonly secrets: KnownSecrets;
  readonly kept: Omit<Compactable, 'diskUse'>;
}

/** The engine's own life around its operations. */
function engineOf(
  services: Services,
  { signal, inFlight, disposal, logger, secrets, kept }: Life,
): Engine {
  let closing: Promise<void> | null = null;
  let working = false;
  const assertOpen = (): void => {
    if (closing !== null) throw closed();
  };
  const call: Call = async (options, use) => {
    assertOpen();
    const counted = inFlight.begin();
    const until = anySignal(signal, options?.signal);
    const end = (): void => {
      until.end();
      counted();
    };
    let lasts = false;
    const lasting: Lasting = (items) => {
      lasts = true;
      return endingWith(items, end);
    };
    try {
      const answer = await use(services, until.signal, lasting);
      if (!lasts) end();
      return answer;
    } catch (error) {
      end();
      throw options?.signal?.aborted === true && !isTroveError(error) ? error : ours(error, logger);
    }
  };
  const close = (): Promise<void> => (closing ??= disposal.dispose(closeLimitMs));
  return {
    ...operations(call),
    startWorker: () => {
      assertOpen();
      if (working) return;
      working = true;
      services.ingest.start();
      services.watched.start();
      services.switching.start();
      services.repair.start();
    },
    compact: () => call(undefined, (used) => compact({ ...used, ...kept })),
    superseded: services.switching.superseded,
    statistics: () => call(undefined, ({ statistics }) => statistics.now()),
    redact: (text) => secrets.redact(text),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Converts an error to the one that callers get. Logs the details that must not appear in an answer. */
function ours(error: unknown, logger: Logger): TroveError {
  if (isTroveError(error)) {
    const { detail, cause } = error;
    if (isStorageError(error)) logger.warn(detail, { cause: messageOf(cause) });
    return error;
  }
  logger.error('an operation failed unexpectedly', {
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return new TroveError('internal_error', 'Something failed that should not have', {
    cause: error,
  });
}

function closed(): TroveError {
  return new TroveError('engine_closed', 'The engine is closed');
}
