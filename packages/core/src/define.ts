import type { TransformationCachePlugin } from './contracts/store/transformation-cache.js';
import type { ConnectorPlugin } from './contracts/connector.js';
import type { ConverterPlugin } from './contracts/converter.js';
import type { EmbedderPlugin } from './contracts/model/embedder.js';
import type { LanguageModelPlugin } from './contracts/model/language-model.js';
import type { MetadataStorePlugin } from './contracts/store/store.js';
import { apiVersion, type Definition } from './contracts/plugin.js';
import type { RerankerPlugin } from './contracts/model/reranker.js';
import type { VectorIndexPlugin } from './contracts/index/vector-index.js';
import type { JsonSchema } from './schema.js';

/** Declares a connector. Plain JavaScript may set `kind: 'connector', apiVersion: 1` instead of calling this. */
export function defineConnector<const S extends JsonSchema>(
  definition: Definition<ConnectorPlugin<S>>,
): ConnectorPlugin<S> {
  return { kind: 'connector', apiVersion, ...definition };
}

export function defineConverter<const S extends JsonSchema>(
  definition: Definition<ConverterPlugin<S>>,
): ConverterPlugin<S> {
  return { kind: 'converter', apiVersion, ...definition };
}

/** A plugin of any kind with erased configuration type. A package default-exports one or an array. */
export type Plugin =
  | AnyConfig<ConnectorPlugin>
  | AnyConfig<MetadataStorePlugin>
  | AnyConfig<TransformationCachePlugin>
  | AnyConfig<VectorIndexPlugin>
  | AnyConfig<EmbedderPlugin>
  | AnyConfig<LanguageModelPlugin>
  | AnyConfig<RerankerPlugin>
  | AnyConfig<ConverterPlugin>;

/**
 * Erases the configuration type, for lists of plugins of all kinds. This is sound because the engine calls `create`
 * only with a configuration that `configSchema` accepted.
 */
type AnyConfig<P extends { create(context: never): unknown }> = Omit<P, 'create'> & {
  create(context: never): ReturnType<P['create']>;
};

export type PluginKind = Plugin['kind'];
export type PluginOf<K extends PluginKind> = Extract<Plugin, { kind: K }>;
