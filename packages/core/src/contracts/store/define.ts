import { apiVersion, type Definition } from '../plugin.js';
import type { JsonSchema } from '../../schema.js';
import type { MetadataStorePlugin } from './store.js';
import type { TransformationCachePlugin } from './transformation-cache.js';

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
