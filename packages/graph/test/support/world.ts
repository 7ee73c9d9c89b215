import { silentLogger, type Logger, type Plugin } from '@trove/core';
import { defineVectorIndex } from '@trove/core/index';
import type { EmbedderPlugin, LanguageModelPlugin } from '@trove/core/model';
import {
  createAbortController,
  LimitedArtifactCache,
  ConversionService,
  DisposalStack,
  KnownSecrets,
  openEmbedding,
  openLanguageModel,
  openMetadataStore,
  openVectorIndex,
  PluginRegistry,
  type SharedServices,
} from '@trove/runtime';
import {
  memoryEmbedder,
  memoryTaskModel,
  MemoryVectorIndex,
  MemoryVectorStorage,
  testWorkers,
  type MemoryEmbedderFaults,
} from '@trove/testkit';
import { MetadataDatabase } from '@trove/test-support/metadata-database.js';
import { createGraphs, type GraphOptions, type Graphs } from '../../src/index.js';

const publicSettings: GraphOptions['publicSettings'] = {
  llmProvider: 'scripted',
  llmModel: null,
  llmKeySet: false,
  llmBaseUrl: 'https://api.openai.com/v1',
  embeddingProvider: 'memory',
  embeddingModel: null,
  embeddingKeySet: false,
  embeddingBaseUrl: null,
  indexUri: 'memory://index',
};

export interface Opened {
  readonly graphs: Graphs;
  readonly sharedServices: SharedServices;
  close(): Promise<void>;
}

/** An index in memory, and a database. They outlive what is opened on them, as a disk outlives processes. */
export class World {
  readonly storage = new MemoryVectorStorage();
  readonly database = new MetadataDatabase();
  readonly store = this.database.plugin();
  readonly faults: MemoryEmbedderFaults = {};

  async open(
    options: Partial<GraphOptions> = {},
    {
      model,
      hasFallback = model !== undefined,
      plugins = [],
      embedder = memoryEmbedder({ faults: this.faults }),
      logger = silentLogger,
    }: {
      readonly model?: LanguageModelPlugin;
      readonly hasFallback?: boolean;
      readonly plugins?: readonly Plugin[];
      readonly embedder?: EmbedderPlugin;
      readonly logger?: Logger;
    } = {},
  ): Promise<Opened> {
    const index = defineVectorIndex({
      keys: ['memory'],
      configSchema: { type: 'object', properties: {}, additionalProperties: false },
      create: () => new MemoryVectorIndex(this.storage),
    });
    const tasks = memoryTaskModel();
    const chosen = model ?? tasks;
    const all = [
      this.store,
      embedder,
      index,
      tasks,
      ...(model === undefined ? [] : [model]),
      ...plugins,
    ];
    const registry = new PluginRegistry({ plugins: all });
    const controller = createAbortController();
    const { signal } = controller;
    const disposal = new DisposalStack(logger);
    const opening = {
      registry,
      logger,
      signal,
      disposal,
      secrets: new KnownSecrets(),
      workers: testWorkers,
    };
    const artifacts = new LimitedArtifactCache(null, 0, logger);
    const conversions = new ConversionService(opening, artifacts, {
      processes: 1,
      maxBytes: 2 ** 20,
    });
    const opened = ({ keys: [provider = ''] }: LanguageModelPlugin) =>
      openLanguageModel(opening, { provider, config: {}, concurrency: 4, timeoutMs: 5000 }, null);
    const sharedServices: SharedServices = {
      logger,
      signal,
      disposal,
      store: await openMetadataStore(opening, { backend: 'sqlite' }, 'default', {
        embedding: 'memory/1',
        dimension: 1,
      }),
      index: await openVectorIndex(opening, { uri: 'memory://index' }),
      embedding: (
        await openEmbedding(
          opening,
          { provider: embedder.keys[0] ?? '', config: {}, batchSize: 64, concurrency: 2 },
          null,
        )
      ).service,
      conversions,
      languageModel: () => opened(chosen),
      fallbackModel: hasFallback ? () => opened(tasks) : null,
    };
    disposal.add('the converters', () => conversions.close());
    disposal.add('calls', () => controller.abort(new Error('closed')));
    const graphs = createGraphs(sharedServices, { publicSettings, ...options });
    return { graphs, sharedServices, close: () => disposal.dispose(5000) };
  }
}
