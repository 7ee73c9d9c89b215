export {
  PluginRegistry,
  type PluginPackage,
  type PluginConfig,
  type PluginPackages,
  type RegistryOptions,
} from './plugins/registry.js';
export {
  checkConfigured,
  type ConfiguredPlugin,
  type PluginUse,
} from './plugins/check-configured.js';
export { listPlugins, type ListedPlugin } from './plugins/list-plugins.js';
export { indexScheme } from './plugins/index-scheme.js';

export {
  literalSecrets,
  redactConfig,
  resolveConfig,
  type Config,
  type ResolvedConfig,
} from './plugins/config.js';
export { secretOf, type WithheldSecrets } from './plugins/credentials.js';
export { withOperatorSettings } from './plugins/operator-secrets.js';
export { withoutCredentials } from './plugins/redact.js';

export { create, type Made } from './plugins/create.js';
export { KeptTokens } from './plugins/kept-tokens.js';
export { SecretTraces } from './plugins/secret-traces.js';
export { SourceCredentials } from './plugins/source-credentials.js';
export { KnownSecrets } from './plugins/known-secrets.js';
export { pluginContext } from './plugins/context.js';
export { Guard, type GuardOptions } from './plugins/guard.js';
export type { PartLimits } from './plugins/items.js';

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
  type Opening,
  type RerankerOptions,
} from './open-plugins.js';
export {
  embeddingName,
  EmbeddingService,
  type EmbedderFacts,
} from './services/embedding-service.js';
export { FolderArtifactCache } from './artifacts/folder-artifact-cache.js';
export { keptWithin } from './services/kept-within.js';
export { Artifacts } from './artifacts/artifacts.js';
export type { Converted } from './conversion/artifact.js';
export { isDocumentError, type Document } from './conversion/convert.js';
export { ConversionService, type ConversionOptions } from './conversion/conversion-service.js';
export {
  LanguageModelService,
  type AskOptions,
  type LanguageModelLimits,
  type Prompt,
} from './services/language-model-service.js';
export { RerankService, type Judge, type RerankLimits } from './services/rerank-service.js';
export { line, promptOf } from './services/prompts.js';
export { Allowance } from './services/allowance.js';
export type { BatchLimits } from './services/batches.js';
export type { CallCounts, LookupCounts } from './services/counts.js';
export { checkedVectors } from './services/vectors.js';

export {
  computingPlugin,
  loadComputingPlugin,
  type Computing,
  type ComputingKind,
  type ComputingPlugin,
} from './plugins/computing-plugin.js';

export {
  abortController,
  anySignal,
  beforeAbort,
  delay,
  withAnySignal,
  limitedTo,
  within,
  type JoinedSignal,
} from './abort.js';
export { Budget } from './budget.js';
export { freeMemory } from './free-memory.js';
export { openHttp, type HttpOptions } from './http/http.js';
export type { ConnectionLimits, Reach } from './http/connections.js';
export { Gate, type GateState } from './gate.js';
export { PathReader } from './path-reader.js';
export { DisposalStack } from './disposal.js';
export type { Foundation } from './foundation.js';
export { maxRetries, retryPause, withRetries } from './retry.js';
export { acceptParsed, acceptRequest } from './accept-request.js';
export { insteadOf } from './other-names.js';
export { nearest, validate, validateOnce } from './validation.js';
export { isAlive, processSpace } from './process-space.js';
