import type { TransformationCachePlugin } from './contracts/cache.js';
import type { ConnectorPlugin } from './contracts/connector.js';
import type { ConverterPlugin } from './contracts/converter.js';
import type { EmbedderPlugin } from './contracts/embedder.js';
import type { LanguageModelPlugin } from './contracts/language-model.js';
import type { MetadataStorePlugin } from './contracts/metadata/store.js';
import { apiVersion } from './contracts/plugin.js';
import type { RerankerPlugin } from './contracts/reranker.js';
import type { VectorIndexPlugin } from './contracts/vector-index.js';
import type { JsonSchema } from './schema.js';

/** What an author writes: a plugin without the two members that `define…` adds. */
type Definition<P> = Omit<P, 'kind' | 'apiVersion'>;

/** Declares a connector. Plain JavaScript may set `kind: 'connector', apiVersion: 1` instead of calling this. */
export function defineConnector<const S extends JsonSchema>(
  definition: Definition<ConnectorPlugin<S>>,
): ConnectorPlugin<S> {
  return { kind: 'connector', apiVersion, ...definition };
}

export function defineMetadataStore<const S extends JsonSchema>(
  definition: Definition<MetadataStorePlugin<S>>,
): MetadataStorePlugin<S> {
  return { kind: 'metadata-store', apiVersion, ...definition };
}

export function defineTransformationCache<const S extends JsonSchema>(
  definition: Definition<TransformationCachePlugin<S>>,
): TransformationCachePlugin<S> {
  return { kind: 'transformation-cache', apiVersion, ...definition };
}

export function defineVectorIndex<const S extends JsonSchema>(
  definition: Definition<VectorIndexPlugin<S>>,
): VectorIndexPlugin<S> {
  return { kind: 'vector-index', apiVersion, ...definition };
}

export function defineEmbedder<const S extends JsonSchema>(
  definition: Definition<EmbedderPlugin<S>>,
): EmbedderPlugin<S> {
  return { kind: 'embedder', apiVersion, ...definition };
}

export function defineLanguageModel<const S extends JsonSchema>(
  definition: Definition<LanguageModelPlugin<S>>,
): LanguageModelPlugin<S> {
  return { kind: 'language-model', apiVersion, ...definition };
}

export function defineReranker<const S extends JsonSchema>(
  definition: Definition<RerankerPlugin<S>>,
): RerankerPlugin<S> {
  return { kind: 'reranker', apiVersion, ...definition };
}

export function defineConverter<const S extends JsonSchema>(
  definition: Definition<ConverterPlugin<S>>,
): ConverterPlugin<S> {
  return { kind: 'converter', apiVersion, ...definition };
}

/** A plugin of any kind, with its configuration type erased: what a package default-exports (one, or an array). */
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
 * The configuration type cannot be known where plugins of all kinds are held together. Erasing it is sound because the
 * engine calls `create` only with a configuration that `configSchema` accepted.
 */
type AnyConfig<P extends { create(context: never): unknown }> = Omit<P, 'create'> & {
  create(context: never): ReturnType<P['create']>;
};

export type PluginKind = Plugin['kind'];
export type PluginOf<K extends PluginKind> = Extract<Plugin, { kind: K }>;
