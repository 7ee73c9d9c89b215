import {
  TroveError,
  type ErrorCode,
  type Logger,
  type Plugin,
  type PluginContext,
} from '@trove/core';
import type { VectorIndex } from '@trove/core/index';
import { taskSchemas } from '@trove/core/model';
import type { GenerationSpec, MetadataStore, TransformationCache } from '@trove/core/store';
import type { Workers } from '@trove/core/workers';
import type { DisposalStack } from './disposal.js';
import type { BatchLimits } from './services/batches.js';
import { EmbeddingService, type EmbedderFacts } from './services/embedding-service.js';
import {
  LanguageModelService,
  type LanguageModelFacts,
  type LanguageModelLimits,
} from './services/language-model-service.js';
import {
  RerankService,
  type RerankFunction,
  type RerankLimits,
} from './services/rerank-service.js';
import { createAbortController } from './abort.js';
import { resolveConfig, type PluginConfig } from './plugins/config.js';
import {
  collectionMembers,
  generationReaderMembers,
  metadataStoreMembers,
  transformationCacheMembers,
  vectorIndexMembers,
} from './plugins/contract-members.js';
import { createInstance } from './plugins/plugin-instance.js';
import type { KnownSecrets } from './plugins/known-secrets.js';
import { createPluginContext, type PluginContextOptions } from './plugins/context.js';
import { Guard } from './plugins/guard.js';
import { indexScheme } from './plugins/index-scheme.js';
import { guardMembers, type ContractMembers } from './plugins/guarded-members.js';
import type { PluginRegistry } from './plugins/registry.js';
import { toWorkerPlugin, type WorkerPlugin } from './plugins/worker-plugin.js';

const minute = 60_000;
const createLimitMs = minute;
/** Limits of a call to a store or cache, to an index, and to a collection, which may write many rows. */
const storeLimitMs = minute;
const indexLimitMs = 10 * minute;
const collectionLimitMs = 30 * minute;
/** Compaction and snapshots write a whole database. */
const longLimitMs = 60 * minute;
const longMethods = new Set(['compact', 'snapshot']);
const never = createAbortController().signal;

/** The services that plugins are opened with. Opened plugins are closed by `disposal`. */
export interface PluginEnvironment {
  readonly registry: PluginRegistry;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly disposal: DisposalStack;
  readonly secrets: KnownSecrets;
  readonly workers: Workers;
}

export interface BackendOptions {
  /** Backend name: the plugin's key. */
  readonly backend: string;
  readonly config?: PluginConfig;
}

export interface IndexOptions {
  /** An absolute path of a folder, or a URI whose scheme names an index plugin. */
  readonly uri: string;
  readonly config?: PluginConfig;
}

/** `batchSize`: texts per call. `concurrency`: calls at a time. */
export interface EmbedderOptions extends BatchLimits {
  readonly provider: string;
  readonly config?: PluginConfig;
}

/** Limits on the time and number of calls. */
export interface LanguageModelOptions extends LanguageModelLimits {
  readonly provider: string;
  readonly config?: PluginConfig;
}

/** Limits on the time of a call, including its waiting time, and on the number of calls. */
export interface RerankerOptions extends RerankLimits {
  readonly provider: string;
  readonly config?: PluginConfig;
}

/** The instance of a plugin and the guard that closes it. */
export interface OpenedPlugin<T> {
  readonly name: string;
  readonly guard: Guard<T>;
  readonly instance: T;
}

/** Creates the instance of a plugin and registers its closing. */
export async function openPlugin<T extends { close?(): Promise<void> }>(
  { registry, logger, signal, disposal, secrets, workers }: PluginEnvironment,
  plugin: Plugin,
  key: string,
  config: PluginConfig | undefined,
  errorCode: ErrorCode,
  make: (context: PluginContext<never>) => Promise<T> | T,
  http: PluginContextOptions['http'] = {},
): Promise<OpenedPlugin<T>> {
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
    knownSecrets: secrets,
    start: async () =>
      make(
        createPluginContext(resolved, { kind: plugin.kind, key, logger, signal, workers, http }),
      ),
    close: async (instance) => instance.close?.(),
  });
  const instance = await guard.call('create', createLimitMs, signal, (made) => made);
  disposal.add(name, () => guard.close());
  return { name, guard, instance };
}

/** Guards a store or index. No signal ends its calls, because other parts use it while they close. */
function guardStorage<T extends { close(): Promise<void> }>(
  { name, guard, instance }: OpenedPlugin<T>,
  members: NoInfer<ContractMembers<T>>,
  limitMs: number,
): T {
  const call = (method: string, use: () => unknown): Promise<unknown> =>
    guard.call(method, longMethods.has(method) ? longLimitMs : limitMs, never, use);
  return { ...guardMembers(name, instance, members, call), close: () => guard.close() };
}

export async function openMetadataStore(
  environment: PluginEnvironment,
  { backend, config }: BackendOptions,
  namespace: string,
  generation: GenerationSpec,
): Promise<MetadataStore> {
  const plugin = await environment.registry.get('metadata-store', backend);
  const opened = await openPlugin(
    environment,
    plugin,
    backend,
    config,
    'storage_unavailable',
    (context) => createInstance(plugin, { ...context, backend, namespace, generation }),
  );
  const { name, guard } = opened;
  const store = guardStorage(opened, metadataStoreMembers, storeLimitMs);
  return {
    ...store,
    generations: {
      ...store.generations,
      reader: async (number) =>
        guardMembers(
          name,
          await store.generations.reader(number),
          generationReaderMembers,
          (method, use) => guard.call(method, storeLimitMs, never, use),
        ),
    },
  };
}

export async function openTransformationCache(
  environment: PluginEnvironment,
  { backend, config }: BackendOptions,
): Promise<TransformationCache> {
  const plugin = await environment.registry.get('transformation-cache', backend);
  const opened = await openPlugin(
    environment,
    plugin,
    backend,
    config,
    'storage_unavailable',
    (context) => createInstance(plugin, { ...context, backend }),
  );
  return guardStorage(opened, transformationCacheMembers, storeLimitMs);
}

/**
 * Opens the embedder. `workerPlugin` is the plugin as worker threads load it, or null for an embedder that does
 * not compute. `isTrainable`: whether it trains in such a thread.
 */
export async function openEmbedding(
  environment: PluginEnvironment,
  { provider, config, batchSize, concurrency }: EmbedderOptions,
  cache: TransformationCache | null,
): Promise<{
  service: EmbeddingService;
  workerPlugin: WorkerPlugin<'embedder'> | null;
  isTrainable: boolean;
}> {
  const plugin = await environment.registry.get('embedder', provider);
  const { guard, instance } = await openPlugin(
    environment,
    plugin,
    provider,
    config,
    'internal_error',
    (context) => createInstance(plugin, context),
  );
  const facts = await guard.call(
    'create',
    createLimitMs,
    environment.signal,
    ({ model, dimension, nature }) => ({ model, dimension, nature }),
  );
  checkEmbedderFacts(facts, provider);
  const service = new EmbeddingService(
    facts,
    guard,
    // Computing a lexical embedding is faster than a cache lookup.
    facts.nature === 'lexical' ? null : cache,
    { batchSize, concurrency },
    environment.logger,
    environment.signal,
  );
  const given = environment.registry.configOf('embedder', provider, config);
  const workerPlugin = toWorkerPlugin(plugin, provider, given);
  return {
    service,
    workerPlugin,
    isTrainable: workerPlugin !== null && instance.train !== undefined,
  };
}

function checkEmbedderFacts({ model, dimension, nature }: EmbedderFacts, provider: string): void {
  const problem = !isName(model)
    ? '`model` must be a string of 1 to 200 characters'
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

export async function openLanguageModel(
  environment: PluginEnvironment,
  { provider, config, concurrency, timeoutMs }: LanguageModelOptions,
  cache: TransformationCache | null,
): Promise<LanguageModelService> {
  const plugin = await environment.registry.get('language-model', provider);
  const { guard } = await openPlugin(
    environment,
    plugin,
    provider,
    config,
    'llm_unavailable',
    (context) => createInstance(plugin, context),
    // A model may compute for a long time before the first byte of its response.
    { firstByteMs: timeoutMs, silenceMs: timeoutMs },
  );
  const facts = await guard.call('create', createLimitMs, environment.signal, ({ model, tasks }) =>
    tasks === undefined ? { model } : { model, tasks },
  );
  checkModelFacts(facts, provider);
  const limits = { concurrency, timeoutMs };
  // A model that only serves tasks is faster than the cache.
  const usedCache = facts.tasks === undefined ? cache : null;
  return new LanguageModelService(
    facts,
    guard,
    usedCache,
    limits,
    environment.logger,
    environment.signal,
  );
}

function checkModelFacts({ model, tasks }: LanguageModelFacts, provider: string): void {
  const known = Object.keys(taskSchemas);
  const problem = !isName(model)
    ? '`model` must be a string of 1 to 200 characters'
    : tasks !== undefined && !(Array.isArray(tasks) && tasks.every((kind) => known.includes(kind)))
      ? `\`tasks\` must be a list of ${known.join(', ')}`
      : null;
  if (problem === null) return;
  throw new TroveError('plugin_invalid', `language-model ${provider}: ${problem}`);
}

export async function openReranker(
  environment: PluginEnvironment,
  { provider, config, ...limits }: RerankerOptions,
): Promise<RerankService> {
  const plugin = await environment.registry.get('reranker', provider);
  const { guard } = await openPlugin(
    environment,
    plugin,
    provider,
    config,
    'llm_unavailable',
    (context) => createInstance(plugin, context),
  );
  const model = await guard.call('create', createLimitMs, environment.signal, (made) => made.model);
  if (!isName(model)) {
    throw new TroveError(
      'plugin_invalid',
      `reranker ${provider}: \`model\` must be a string of 1 to 200 characters`,
    );
  }
  const rerank: RerankFunction = (question, texts, signal) =>
    guard.call('rerank', limits.timeoutMs, signal, async (reranker) =>
      checkScores(await reranker.rerank(question, texts, { signal }), texts.length),
    );
  return new RerankService(rerank, limits, environment.signal);
}

function checkScores(numbers: unknown, count: number): readonly number[] {
  const isWhole =
    Array.isArray(numbers) &&
    numbers.length === count &&
    Array.from(numbers).every(Number.isFinite);
  if (isWhole) return numbers;
  throw new TroveError('plugin_invalid', `\`rerank\` must return ${count} finite numbers`);
}

/** Opens the index with guarded collections. The index closes after their calls have ended. */
export async function openVectorIndex(
  environment: PluginEnvironment,
  { uri, config }: IndexOptions,
): Promise<VectorIndex> {
  const scheme = indexScheme(uri);
  const plugin = await environment.registry.get('vector-index', scheme);
  const opened = await openPlugin(
    environment,
    plugin,
    scheme,
    config,
    'storage_unavailable',
    (context) => createInstance(plugin, { ...context, uri }),
  );
  const { name, guard } = opened;
  const index = guardStorage(opened, vectorIndexMembers, indexLimitMs);
  return {
    ...index,
    collection: async (spec) =>
      guardMembers(name, await index.collection(spec), collectionMembers, (method, use) =>
        guard.call(method, collectionLimitMs, never, use),
      ),
  };
}
