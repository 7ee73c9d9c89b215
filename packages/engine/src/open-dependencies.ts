import { join } from 'node:path';
import { isStorageError, TroveError } from '@trove/core';
import type { ArtifactCache, MetadataStore, TransformationCache } from '@trove/core/store';
import {
  LimitedArtifactCache,
  ConversionService,
  DisposalStack,
  embeddingName,
  FolderArtifactCache,
  limitCacheSize,
  openEmbedding,
  openLanguageModel,
  openMetadataStore,
  openTransformationCache,
  openVectorIndex,
  type SharedServices,
  type LanguageModelOptions,
  type LanguageModelService,
  type PluginEnvironment,
} from '@trove/runtime';
import type { Dependencies } from './compose.js';
import { createComputePools } from './content/compute/compute-pool.js';
import { importChunker } from './content/compute/chunk-function.js';
import type { ReplaceableServices } from './di/override.js';
import { collectionOf, Generations } from './generations/selection/generations.js';
import { droppedGenerationError } from './generations/selection/embedder-switch.js';
import { TrainedEmbedder } from './generations/training/trained-embedder.js';
import type { EngineOptions } from './options.js';
import { noRanking } from './query/search/ranker.js';
import { openSecondStage } from './query/search/second-stage.js';
import {
  defaultLanguageModel,
  embedderOptions,
  languageModelOptions,
  needsWriter,
} from './resolve-options.js';
import type { EngineSettings } from './settings.js';

/** The time limit for closing. A host that must end within 10 s has some time left. */
export const maxCloseMs = 8_000;

export interface OpenedDependencies extends Pick<
  SharedServices,
  'languageModel' | 'fallbackModel'
> {
  readonly dependencies: Dependencies;
}

/**
 * Opens the store, the caches, the index, the models and the threads of an engine. If one of them fails, the caller
 * disposes of the stack in `opening`.
 */
export async function openDependencies(
  opening: PluginEnvironment,
  options: EngineOptions,
  settings: EngineSettings,
  {
    clock,
    ranker,
    chunker,
    instances,
    stopping,
  }: ReplaceableServices & { readonly stopping: AbortSignal },
): Promise<OpenedDependencies> {
  const { registry, logger, signal, disposal, secrets, workers } = opening;
  const { namespace } = settings;
  if (chunker !== null) await importChunker(chunker);
  const cache = await openCache(opening, options, settings);
  const opened = await openEmbedding(opening, embedderOptions(options), cache);
  const { service: embedding, workerPlugin, isTrainable } = opened;
  const { facts } = embedding;
  const spec = { dimension: facts.dimension, embedding: embeddingName(facts) };
  const store = await openMetadataStore(opening, options.metadata, namespace, spec);
  const { languageModel, fallbackModel } = languageModels(opening, options, cache);
  const llm = needsWriter(options) ? await openWriter(languageModel) : null;
  const index = await openVectorIndex(opening, options.index);
  const generation = await store.generations.markUsed();
  if (generation === null) throw droppedGenerationError();
  const collection = await index.collection({ name: collectionOf(namespace, generation), ...spec });
  const own = { embedding: spec.embedding, reader: store, collection };
  const generations = new Generations({ store, index, namespace, own, logger });
  const setup = { embedder: workerPlugin, dimension: spec.dimension, chunker };
  const pools = createComputePools(settings, setup, logger);
  disposal.add('the threads for callers', () => pools.callers.close());
  disposal.add('the threads that index', () => pools.indexing.close());
  const secondStage = options.rerank
    ? await openSecondStage(opening, options.rerank, languageModel)
    : null;
  const conversions = openConversions(opening, options, settings, instances.artifacts);
  disposal.add('the converters', () => conversions.close());
  await conversions.assertAvailable(options.requiredConverters ?? []);
  const dependencies: Dependencies = {
    settings,
    logger,
    clock,
    signal,
    stopping,
    registry,
    store,
    index,
    uploadFolder: await folderOf(store, settings.uploadFolder, settings),
    sourceFolder: await folderOf(store, settings.sourceFolder, settings),
    credentialFolder: await folderOf(store, settings.credentialFolder, settings),
    taskFolder: await folderOf(store, settings.taskFolder, settings),
    cache,
    artifactFolder: options.artifactCache?.path ?? null,
    collection,
    generations,
    pools,
    embedding,
    trainedEmbedder: new TrainedEmbedder(store.training, spec.embedding, isTrainable, logger),
    llm,
    languageModel: fallbackModel === null ? null : languageModel,
    conversions,
    ranker: secondStage !== null && ranker === noRanking ? secondStage.ranker : ranker,
    secondStage,
    chunker,
    secrets,
    workers,
  };
  return { dependencies, languageModel, fallbackModel };
}

/** Returns the cache. Null if it is disabled or cannot be opened: the engine then repeats work. */
async function openCache(
  opening: PluginEnvironment,
  { transformationCache: cache }: EngineOptions,
  { cacheMaxBytes }: EngineSettings,
): Promise<TransformationCache | null> {
  if (!cache) return null;
  const { logger } = opening;
  try {
    return limitCacheSize(await openTransformationCache(opening, cache), cacheMaxBytes, logger);
  } catch (error) {
    if (!isStorageError(error)) throw error;
    logger.error('the transformation cache cannot be used', { error: error.detail });
    return null;
  }
}

/** Returns the subfolder of this store. Sweeps delete files of unknown sources, so stores must not share a folder. */
async function folderOf(
  store: MetadataStore,
  folder: string | null,
  { namespace }: EngineSettings,
): Promise<string | null> {
  return folder === null ? null : join(folder, `${namespace}-${await store.id()}`);
}

function languageModels(
  opening: PluginEnvironment,
  options: EngineOptions,
  cache: TransformationCache | null,
): Pick<SharedServices, 'languageModel' | 'fallbackModel'> {
  const chosen = languageModelOptions(options);
  const opened = (model: LanguageModelOptions) =>
    openLazily(opening, (later) => openLanguageModel(later, model, cache));
  const isDefault = chosen.provider === defaultLanguageModel;
  return {
    languageModel: opened(chosen),
    fallbackModel: isDefault
      ? null
      : opened({ ...chosen, provider: defaultLanguageModel, config: {} }),
  };
}

/** Opens the language model for summaries. */
async function openWriter(open: SharedServices['languageModel']): Promise<LanguageModelService> {
  const model = await open();
  if (model.acceptsPrompts) return model;
  throw new TroveError(
    'config_invalid',
    'llm: summaries and descriptions need a language model that accepts prompts',
    { suggestions: ['Set `[llm].provider` to `openai` or `ollama`.'] },
  );
}

/**
 * Opens a resource on first use. Its place in the order of disposal is reserved now. After a failure, the next call tries
 * again.
 */
function openLazily<T>(
  opening: PluginEnvironment,
  open: (later: PluginEnvironment) => Promise<T>,
): () => Promise<T> {
  const disposal = new DisposalStack(opening.logger);
  opening.disposal.add('resources opened on demand', () => disposal.dispose(maxCloseMs));
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
  opening: PluginEnvironment,
  { artifactCache }: EngineOptions,
  { threads, maxFileBytes, artifactsMaxBytes }: EngineSettings,
  given: ArtifactCache | null | undefined,
): ConversionService {
  const folder = artifactCache?.path;
  const own = folder === undefined ? null : new FolderArtifactCache(folder);
  const cache = given === undefined ? own : given;
  const artifacts = new LimitedArtifactCache(cache, artifactsMaxBytes, opening.logger);
  // A document that takes its full minute must not block all others.
  const converting = Math.max(2, threads);
  return new ConversionService(opening, artifacts, {
    processes: converting,
    maxBytes: maxFileBytes,
  });
}
