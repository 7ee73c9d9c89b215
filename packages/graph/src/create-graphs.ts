import { hostname } from 'node:os';
import { isTroveError, TroveError } from '@trove/core';
import { withAnySignal, type SharedServices } from '@trove/runtime';
import type { GraphSettings } from './api/schemas.js';
import { BuildService } from './build/build-service.js';
import { RunningBuilds } from './build/running-builds.js';
import type { Graphs } from './graphs.js';
import { GraphCache } from './loaded/graph-cache.js';
import { GraphModel, type GraphModels } from './model/model.js';
import { operations, type GraphCall, type GraphServices } from './operations.js';
import type { GraphOptions } from './options.js';
import { DocumentService } from './query/document-service.js';
import { noGraphs, readOnlyGraphs } from './restrict-graphs.js';
import { QueryService } from './query/query-service.js';
import { DocumentLoader } from './sources/document-loader.js';
import { GraphStorage } from './storage/graph-storage.js';

const GiB = 1024 ** 3;
const MiB = 1024 ** 2;
const minute = 60 * 1000;
const sweepMs = 60 * minute;
const defaultName = 'default';

/** Creates the graphs of an engine. They close with it. */
export function createGraphs(sharedServices: SharedServices, options: GraphOptions): Graphs {
  const { disposal } = sharedServices;
  const services = compose(sharedServices, options);
  const { sweeper } = services.storage;
  sweeper.scheduleSweep();
  const sweeping = setInterval(() => sweeper.scheduleSweep(), sweepMs).unref();
  let isClosed = false;
  disposal.add('graphs', () => {
    isClosed = true;
    clearInterval(sweeping);
    return sweeper.close();
  });
  const settings = (): Promise<GraphSettings> => settingsOf(sharedServices, options);
  return operations(
    services,
    options.defaultGraph ?? defaultName,
    settings,
    createCall(sharedServices, () => isClosed),
  );
}

/** Returns graphs for a caller that sees none. Every graph is unknown, as on a server without graphs. */
export function createHiddenGraphs(sharedServices: SharedServices, options: GraphOptions): Graphs {
  const store = { ...sharedServices.store, graphs: noGraphs };
  const services = compose({ ...sharedServices, store }, options);
  const hidden = operations(
    services,
    options.defaultGraph ?? defaultName,
    () => settingsOf(sharedServices, options),
    createCall(sharedServices, () => sharedServices.signal.aborted),
  );
  return readOnlyGraphs(hidden);
}

function createCall({ signal, logger }: SharedServices, isClosed: () => boolean): GraphCall {
  return async (callOptions, use) => {
    if (isClosed()) throw new TroveError('engine_closed', 'The engine is closed');
    try {
      return await withAnySignal([signal, callOptions?.signal], (until) =>
        use({ signal: until, onProgress: callOptions?.onProgress }),
      );
    } catch (error) {
      if (isTroveError(error) || callOptions?.signal?.aborted === true) throw error;
      logger.error('an operation on graphs failed unexpectedly', {
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
      throw new TroveError('internal_error', 'Unexpected internal error', {
        cause: error,
      });
    }
  };
}

function compose(sharedServices: SharedServices, options: GraphOptions): GraphServices {
  const { embedding, conversions, logger, signal } = sharedServices;
  const storage = new GraphStorage(sharedServices, options.machineId ?? hostname());
  const cache = new GraphCache(storage, options.maxMemoryBytes ?? GiB, signal);
  const models = modelsOf(sharedServices);
  const loader = new DocumentLoader({
    conversions,
    reader: options.reader ?? null,
    privateHosts: options.privateHosts ?? [],
    maxBytes: options.maxDocumentBytes ?? 64 * MiB,
    timeoutMs: options.maxDocumentMs ?? 10 * minute,
    logger,
  });
  const maxTokens = options.maxTokensPerBuild ?? 1_000_000;
  const running = new RunningBuilds();
  const buildDependencies = { storage, models, maxTokens, builds: running, logger };
  return {
    storage,
    cache,
    running,
    builds: new BuildService(buildDependencies, cache, loader),
    queries: new QueryService({ storage, cache, embedding, models }),
    documents: new DocumentService({ storage, cache, embedding }),
  };
}

async function settingsOf(
  sharedServices: SharedServices,
  { defaultGraph = defaultName, publicSettings }: GraphOptions,
): Promise<GraphSettings> {
  const { embedding } = sharedServices;
  return {
    default_graph: defaultGraph,
    llm_model:
      publicSettings.llmModel ?? (await modelName(sharedServices)) ?? publicSettings.llmProvider,
    embedding_provider: publicSettings.embeddingProvider,
    embedding_model: publicSettings.embeddingModel ?? embedding.facts.model,
    embedding_dimension: embedding.facts.dimension,
    milvus_uri: publicSettings.indexUri,
    milvus_db: 'default',
    openai_api_key_set: publicSettings.llmKeySet,
    openai_base_url: publicSettings.llmBaseUrl,
    embedding_api_key_set: publicSettings.embeddingKeySet,
    embedding_base_url: publicSettings.embeddingBaseUrl,
  };
}

/** Opens no model after the engine has closed. */
async function modelName(sharedServices: SharedServices): Promise<string | null> {
  return sharedServices.signal.aborted ? null : modelsOf(sharedServices).primary.name();
}

function modelsOf({ languageModel, fallbackModel, logger }: SharedServices): GraphModels {
  return {
    primary: new GraphModel(languageModel, logger),
    fallback: fallbackModel === null ? null : new GraphModel(fallbackModel, logger),
  };
}
