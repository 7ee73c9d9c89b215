export {
  PluginRegistry,
  type PluginPackage,
  type PluginConfigs,
  type PluginPackages,
  type RegistryOptions,
} from './plugins/registry.js';
export {
  checkPluginUses,
  type ConfiguredPlugin,
  type PluginUse,
} from './plugins/configured-plugins.js';
export { listPlugins, type ListedPlugin } from './plugins/list-plugins.js';
export {
  listSourceKinds,
  readSourceKinds,
  type ListedSourceKind,
  type SourceKind,
} from './plugins/source-kinds.js';
export { recogniseAddress, type RecognisedSource } from './plugins/recognise-address.js';
export { indexScheme } from './plugins/index-scheme.js';

export {
  findLiteralSecrets,
  findSecretValues,
  redactConfig,
  resolveConfig,
  type PluginConfig,
  type ResolvedConfig,
} from './plugins/config.js';
export { readSecret, type DeniedSecrets } from './plugins/credentials.js';
export { mergeOperatorSettings } from './plugins/operator-secrets.js';
export { redactUrl } from './plugins/redact.js';

export { createInstance, type PluginInstance } from './plugins/plugin-instance.js';
export { LimitStore } from './plugins/limit-store.js';
export { TokenStore } from './plugins/token-store.js';
export { SecretVariants } from './plugins/secret-variants.js';
export { loginOf } from './plugins/login.js';
export { SourceCredentials } from './plugins/source-credentials.js';
export { errorCodeProblem } from './plugins/error-codes.js';
export { KnownSecrets } from './plugins/known-secrets.js';
export { createPluginContext } from './plugins/context.js';
export { toAsyncIterable } from './plugins/async-iterable.js';
export { Guard, type GuardOptions } from './plugins/guard.js';
export type { ItemBatchLimits } from './plugins/item-reader.js';

export {
  openEmbedding,
  openLanguageModel,
  openMetadataStore,
  openTransformationCache,
  openReranker,
  openVectorIndex,
  type BackendOptions,
  type EmbedderOptions,
  type IndexOptions,
  type LanguageModelOptions,
  type PluginEnvironment,
  type RerankerOptions,
} from './open-plugins.js';
export {
  embeddingName,
  EmbeddingService,
  type EmbedderFacts,
} from './services/embedding-service.js';
export { FolderArtifactCache } from './artifacts/folder-artifact-cache.js';
export { limitCacheSize } from './services/cache-limit.js';
export { LimitedArtifactCache } from './artifacts/limited-artifact-cache.js';
export type { ConvertedDocument } from './conversion/artifact.js';
export { isDocumentError, type DocumentInput } from './conversion/convert.js';
export { ConversionService, type ConversionOptions } from './conversion/conversion-service.js';
export {
  LanguageModelService,
  type AskOptions,
  type LanguageModelLimits,
  type Prompt,
} from './services/language-model-service.js';
export {
  RerankService,
  type RerankFunction,
  type RerankLimits,
} from './services/rerank-service.js';
export { truncateLine, buildPrompt } from './services/prompts.js';
export { TokenBudget } from './services/token-budget.js';
export type { BatchLimits } from './services/batches.js';
export type { CallCounts, LookupCounts } from './services/counts.js';
export { normalizeVectors } from './services/vectors.js';

export {
  toWorkerPlugin,
  loadWorkerPlugin,
  type WorkerPluginInstances,
  type WorkerPluginKind,
  type WorkerPlugin,
} from './plugins/worker-plugin.js';

export {
  createAbortController,
  anySignal,
  rejectOnAbort,
  delay,
  withAnySignal,
  withTimeout,
  resolveWithin,
  type CombinedSignal,
} from './abort.js';
export { Budget } from './budget.js';
export { freeMemory } from './free-memory.js';
export { openHttp, type HttpOptions } from './http/http.js';
export type { ConnectionLimits, NetworkScope } from './http/connections.js';
export { Gate, type GateState } from './gate.js';
export { PathReader } from './path-reader.js';
export { DisposalStack } from './disposal.js';
export type { SharedServices } from './shared-services.js';
export { maxRetries, retryPause, withRetries } from './retry.js';
export { acceptParsed, acceptRequest } from './accept-request.js';
export { findMfsReplacement } from './mfs-settings.js';
export { findNearest, validate, validateOnce } from './validation.js';
export { isAlive, readProcessSpace } from './process-space.js';
