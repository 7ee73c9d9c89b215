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
import { RerankService, type Judge, type RerankLimits } from './services/rerank-service.js';
import { abortController } from './abort.js';
import { resolveConfig, type Config } from './plugins/config.js';
import {
  collectionMembers,
  editionReaderMembers,
  metadataStoreMembers,
  transformationCacheMembers,
  vectorIndexMembers,
} from './plugins/contract-members.js';
import { create } from './plugins/create.js';
import type { KnownSecrets } from './plugins/known-secrets.js';
import { pluginContext, type ContextOptions } from './plugins/context.js';
import { Guard } from './plugins/guard.js';
import { indexScheme } from './plugins/index-scheme.js';
import { guarded, type Members } from './plugins/guarded.js';
import type { PluginRegistry } from './plugins/registry.js';
import { computingPlugin, type ComputingPlugin } from './plugins/computing-plugin.js';

const minute = 60_000;
const never = abortController().signal;

/** What plugins are opened with, and what closes them. */
export interface Opening {
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
  readonly config?: Config;
}

export interface IndexOptions {
  /** An absolute folder, or a URI of an installed index plugin's scheme. */
  readonly uri: string;
  readonly config?: Config;
}

/** `batchSize`: texts per call; `concurrency`: calls at a time. */
export interface EmbedderOptions extends BatchLimits {
  readonly provider: string;
  readonly config?: Config;
}

/** How long a call may take, and how many run at a time. */
export interface LanguageModelOptions extends LanguageModelLimits {
  readonly provider: string;
  readonly config?: Config;
}

/** How long a call may take, its turn included, and how many run at a time. */
export interface RerankerOptions extends RerankLimits {
  readonly provider: string;
  readonly config?: Config;
}

/** A plugin's instance behind the guard that closes it with everything else. */
export interface Opened<T> {
  readonly name: string;
  readonly guard: Guard<T>;
  readonly instance: T;
}

/** Creates what a plugin makes, and has it closed in the end. */
export async function openPlugin<T extends { close?(): Promise<void> }>(
  { registry, logger, signal, disposal, secrets, workers }: Opening,
  plugin: Plugin,
  key: string,
  config: Config | undefined,
  errorCode: ErrorCode,
  make: (context: PluginContext<never>) => Promise<T> | T,
  http: ContextOptions['http'] = {},
): Promise<Opened<T>> {
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
    known: secrets,
    start: async () =>
      make(pluginContext(resolved, { kind: plugin.kind, key, logger, signal, workers, http })),
    close: async (instance) => instance.close?.(),
  });
  const instance = await guard.call('create', minute, signal, (made) => made);
  disposal.add(name, () => guard.close());
  return { name, guard, instance };
}

/** The same for stores and indexes, which must still answer while the rest closes: no signal ends their calls. */
function answering<T extends { close(): Promise<void> }>(
  { name, guard, instance }: Opened<T>,
  members: NoInfer<Members<T>>,
  limitMs: number,
): T {
  const call = (method: string, use: () => unknown): Promise<unknown> =>
    guard.call(method, method === 'compact' ? 30 * minute : limitMs, never, use);
  return { ...guarded(name, instance, members, call), close: () => guard.close() };
}

export async function openMetadataStore(
  opening: Opening,
  { backend, config }: BackendOptions,
  namespace: string,
  edition: GenerationSpec,
): Promise<MetadataStore> {
  const plugin = await opening.registry.get('metadata-store', backend);
  const opened = await openPlugin(
    opening,
    plugin,
    backend,
    config,
    'storage_unavailable',
    (context) => create(plugin, { ...context, backend, namespace, edition }),
  );
  const { name, guard } = opened;
  const store = answering(opened, metadataStoreMembers, minute);
  return {
    ...store,
    generations: {
      ...store.generations,
      reader: async (number) =>
        guarded(name, await store.generations.reader(number), editionReaderMembers, (method, use) =>
          guard.call(method, minute, never, use),
        ),
    },
  };
}

export async function openTransformationCache(
  opening: Opening,
  { backend, config }: BackendOptions,
): Promise<TransformationCache> {
  const plugin = await opening.registry.get('transformation-cache', backend);
  const opened = await openPlugin(
    opening,
    plugin,
    backend,
    config,
    'storage_unavailable',
    (context) => create(plugin, { ...context, backend }),
  );
  return answering(opened, transformationCacheMembers, minute);
}

/**
 * The embedder's service; `inThread`: what a worker thread embeds with, null for an embedder that waits; `learns`: whether
 * it does in such a thread.
 */
export async function openEmbedding(
  opening: Opening,
  { provider, config, batchSize, concurrency }: EmbedderOptions,
  cache: TransformationCache | null,
): Promise<{
  service: EmbeddingService;
  inThread: ComputingPlugin<'embedder'> | null;
  learns: boolean;
}> {
  const plugin = await opening.registry.get('embedder', provider);
  const { guard, instance } = await openPlugin(
    opening,
    plugin,
    provider,
    config,
    'internal_error',
    (context) => create(plugin, context),
  );
  const facts = await guard.call(
    'create',
    minute,
    opening.signal,
    ({ model, dimension, nature }) => ({ model, dimension, nature }),
  );
  assertFacts(facts, provider);
  const service = new EmbeddingService(
    facts,
    guard,
    // Lexical hashing is faster than a database lookup.
    facts.nature === 'lexical' ? null : cache,
    { batchSize, concurrency },
    opening.logger,
    opening.signal,
  );
  const given = opening.registry.configOf('embedder', provider, config);
  const inThread = computingPlugin(plugin, provider, given);
  return { service, inThread, learns: inThread !== null && instance.train !== undefined };
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

export async function openLanguageModel(
  opening: Opening,
  { provider, config, concurrency, timeoutMs }: LanguageModelOptions,
  cache: TransformationCache | null,
): Promise<LanguageModelService> {
  const plugin = await opening.registry.get('language-model', provider);
  const { guard } = await openPlugin(
    opening,
    plugin,
    provider,
    config,
    'llm_unavailable',
    (context) => create(plugin, context),
    // The model thinks before it says the first word.
    { firstByteMs: timeoutMs, silenceMs: timeoutMs },
  );
  const facts = await guard.call('create', minute, opening.signal, ({ model, tasks }) =>
    tasks === undefined ? { model } : { model, tasks },
  );
  assertModelFacts(facts, provider);
  const limits = { concurrency, timeoutMs };
  // Tasks are served faster than their answers could be looked up.
  const memory = facts.tasks === undefined ? cache : null;
  return new LanguageModelService(facts, guard, memory, limits, opening.logger, opening.signal);
}

function assertModelFacts({ model, tasks }: LanguageModelFacts, provider: string): void {
  const known = Object.keys(taskSchemas);
  const problem = !isName(model)
    ? '`model` must be a text of 1 to 200 characters'
    : tasks !== undefined && !(Array.isArray(tasks) && tasks.every((kind) => known.includes(kind)))
      ? `\`tasks\` must be a list of ${known.join(', ')}`
      : null;
  if (problem === null) return;
  throw new TroveError('plugin_invalid', `language-model ${provider}: ${problem}`);
}

export async function openReranker(
  opening: Opening,
  { provider, config, ...limits }: RerankerOptions,
): Promise<RerankService> {
  const plugin = await opening.registry.get('reranker', provider);
  const { guard } = await openPlugin(
    opening,
    plugin,
    provider,
    config,
    'llm_unavailable',
    (context) => create(plugin, context),
  );
  const model = await guard.call('create', minute, opening.signal, (made) => made.model);
  if (!isName(model)) {
    throw new TroveError(
      'plugin_invalid',
      `reranker ${provider}: \`model\` must be a text of 1 to 200 characters`,
    );
  }
  const judge: Judge = (question, texts, signal) =>
    guard.call('rerank', limits.timeoutMs, signal, async (reranker) =>
      judged(await reranker.rerank(question, texts, { signal }), texts.length),
    );
  return new RerankService(judge, limits, opening.signal);
}

function judged(numbers: unknown, count: number): readonly number[] {
  const isWhole =
    Array.isArray(numbers) &&
    numbers.length === count &&
    Array.from(numbers).every(Number.isFinite);
  if (isWhole) return numbers;
  throw new TroveError('plugin_invalid', `\`rerank\` must return ${count} finite numbers`);
}

/** Its collections are guarded, too, and count as part of it: it closes after their calls. */
export async function openVectorIndex(
  opening: Opening,
  { uri, config }: IndexOptions,
): Promise<VectorIndex> {
  const scheme = indexScheme(uri);
  const plugin = await opening.registry.get('vector-index', scheme);
  const opened = await openPlugin(
    opening,
    plugin,
    scheme,
    config,
    'storage_unavailable',
    (context) => create(plugin, { ...context, uri }),
  );
  const { name, guard } = opened;
  const index = answering(opened, vectorIndexMembers, 10 * minute);
  return {
    ...index,
    collection: async (spec) =>
      guarded(name, await index.collection(spec), collectionMembers, (method, use) =>
        guard.call(method, 30 * minute, never, use),
      ),
  };
}
