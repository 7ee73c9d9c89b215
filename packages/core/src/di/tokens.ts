import type { InjectionToken } from 'tsyringe';

import type {
  ArtifactCache,
  TransformationCache,
} from '../contracts/store/transformation-cache.js';
import type { MetadataStore } from '../contracts/store/store.js';
import type { VectorIndex } from '../contracts/index/vector-index.js';
import type { Embedder } from '../contracts/model/embedder.js';
import type { LanguageModel } from '../contracts/model/language-model.js';
import type { Reranker } from '../contracts/model/reranker.js';
import type { Logger } from '../logger.js';
import type { Clock } from './clock.js';

/** Returns a token that carries the type of its value. Every copy of a package has the same token for a name. */
export function token<T>(name: string): InjectionToken<T> {
  return Symbol.for(`trove.${name}`);
}

/** The engine's log; one per engine, silent unless the application passes one. */
export const LoggerToken = token<Logger>('core.logger');
/** Where the engine takes intervals from. Default: the monotonic clock of the system. */
export const ClockToken = token<Clock>('core.clock');
export const MetadataStoreToken = token<MetadataStore>('core.metadata_store');
export const TransformationCacheToken = token<TransformationCache | null>(
  'core.transformation_cache',
);
export const ArtifactCacheToken = token<ArtifactCache | null>('core.artifact_cache');
export const VectorIndexToken = token<VectorIndex>('core.vector_index');
export const EmbedderToken = token<Embedder>('core.embedder');
export const LanguageModelToken = token<LanguageModel>('core.language_model');
export const RerankerToken = token<Reranker | null>('core.reranker');
