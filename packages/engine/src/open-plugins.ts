import {
  TroveError,
  type Collection,
  type ErrorCode,
  type Logger,
  type MetadataStore,
  type Plugin,
  type PluginContext,
  type TransformationCache,
  type VectorIndex,
} from '@trove/core';
import { EmbeddingService, type EmbedderFacts } from './embedding/embedding-service.js';
import type { DisposalStack } from './lifecycle/disposal.js';
import type { EngineOptions } from './options.js';
import { resolveConfig } from './plugins/config.js';
import { create } from './plugins/create.js';
import { pluginContext } from './plugins/context.js';
import { Guard } from './plugins/guard.js';
import { indexScheme } from './plugins/index-scheme.js';
import { guarded } from './plugins/guarded.js';
import type { PluginRegistry } from './plugins/registry.js';
import type { EngineSettings } from './settings.js';
import type { WorkerSetup } from './compute/messages.js';

const minute = 60_000;

/** What opening needs to know about the engine being created. */
export interface Opening {
  readonly options: EngineOptions;
  readonly settings: EngineSettings;
  readonly registry: PluginRegistry;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly disposal: DisposalStack;
}

type Extra = Readonly<Record<string, unknown>>;

/** Guards what a plugin creates; starts it, and closes it with the engine. */
async function open<T extends { close?(): Promise<void> }>(
  { registry, logger, signal, disposal }: Opening,
  plugin: Plugin,
  key: string,
  config: Extra | undefined,
  errorCode: ErrorCode,
  make: (context: PluginContext<never>) => Promise<T> | T,
): Promise<Guard<T>> {
  const name = `${plugin.kind} ${key}`;
  const resolved = await resolveConfig(
    plugin.configSchema,
    registry.configOf(plugin.kind, key, config),
    `${name}: config`,
  );
  const guard = new Guard<T>({
    name,
    errorCode,
    secrets: resolved.secrets,
    start: async () => make(pluginContext(resolved, logger, signal)),
    close: async (instance) => instance.close?.(),
  });
  await guard.call('create', minute, signal, () => undefined);
  disposal.add(name, () => guard.close());
  return guard;
}

export async function openMetadataStore(opening: Opening): Promise<MetadataStore> {
  const { backend, config } = opening.options.metadata;
  const plugin = await opening.registry.get('metadata-store', backend);
  const { namespace } = opening.settings;
  const guard = await open(opening, plugin, backend, config, 'storage_unavailable', (context) =>
    create(plugin, { ...context, backend, namespace }),
  );
  return guarded(guard, minute);
}

export async function openTransformationCache(
  opening: Opening,
): Promise<TransformationCache | null> {
  const options = opening.options.transformationCache ?? null;
  if (options === null) return null;
  const { backend, config } = options;
  const plugin = await opening.registry.get('transformation-cache', backend);
  const guard = await open(opening, plugin, backend, config, 'storage_unavailable', (context) =>
    create(plugin, { ...context, backend }),
  );
  return guarded(guard, minute);
}

/** The embedder's service, and what a worker thread needs to embed by itself. */
export async function openEmbedding(
  opening: Opening,
  cache: TransformationCache | null,
): Promise<{ service: EmbeddingService; inThread: WorkerSetup['embedder'] }> {
  const { provider = 'lexical', config } = opening.options.embedding ?? {};
  const plugin = await opening.registry.get('embedder', provider);
  const guard = await open(opening, plugin, provider, config, 'internal_error', (context) =>
    create(plugin, context),
  );
  const facts = await guard.call(
    'create',
    minute,
    opening.signal,
    ({ model, dimension, nature }) => ({
      model,
      dimension,
      nature,
    }),
  );
  assertFacts(facts, provider);
  const { embedBatchSize: batchSize, embedConcurrency: concurrency } = opening.settings;
  const service = new EmbeddingService(
    facts,
    guard,
    // Lexical hashing is faster than a database lookup.
    facts.nature === 'lexical' ? null : cache,
    { batchSize, concurrency },
    opening.logger,
    opening.signal,
  );
  const { workerModule: module } = plugin;
  const ownConfig = opening.registry.configOf('embedder', provider, config);
  const { dimension } = facts;
  return {
    service,
    inThread: module === undefined ? null : { module, provider, dimension, config: ownConfig },
  };
}

function assertFacts({ model, dimension, nature }: EmbedderFacts, provider: string): void {
  const problem = !isName(model)
    ? '`model` must be a text of 1 to 200 characters'
    : !Number.isSafeInteger(dimension) || dimension < 1
      ? '`dimension` must be a positive whole number'
      : !['lexical', 'semantic'].includes(nature)
        ? "`nature` must be 'lexical' or 'semantic'"
        : null;
  if (problem !== null) throw new TroveError('plugin_invalid', `embedder ${provider}: ${problem}`);
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= 200;
}

/** The collection that holds the engine's namespace. */
export async function openCollection(
  opening: Opening,
  { facts }: EmbeddingService,
): Promise<{ collection: Collection; index: VectorIndex }> {
  const { uri, config } = opening.options.index;
  const scheme = indexScheme(uri);
  const plugin = await opening.registry.get('vector-index', scheme);
  const guard = await open(opening, plugin, scheme, config, 'storage_unavailable', (context) =>
    create(plugin, { ...context, uri }),
  );
  const index = guarded(guard, 10 * minute);
  const spec = {
    name: `${opening.settings.namespace}_chunks`,
    dimension: facts.dimension,
    embedding: embeddingName(facts),
  };
  const collection = new Guard<Collection>({
    name: `vector-index ${scheme}`,
    errorCode: 'storage_unavailable',
    secrets: [],
    start: () => index.collection(spec),
    close: () => Promise.resolve(),
  });
  await collection.call('collection', 10 * minute, opening.signal, () => undefined);
  opening.disposal.add('the collection', () => collection.close());
  return { collection: guarded(collection, 30 * minute), index };
}

export function embeddingName({ model, dimension }: { model: string; dimension: number }): string {
  return `${model}/${dimension}`;
}
