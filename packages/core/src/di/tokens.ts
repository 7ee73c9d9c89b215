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
export function createToken<T>(name: string): InjectionToken<T> {
  return Symbol.for(`trove.${name}`);
}

/** The engine's log; one per engine, silent unless the application passes one. */
export const LoggerToken = createToken<Logger>('core.logger');
/** Where the engine takes intervals from. Default: the monotonic clock of the system. */
export const ClockToken = createToken<Clock>('core.clock');
export const MetadataStoreToken = createToken<MetadataStore>('core.metadata_store');
export const TransformationCacheToken = createToken<TransformationCache | null>(
  'core.transformation_cache',
);
export const ArtifactCacheToken = createToken<ArtifactCache | null>('core.artifact_cache');
export const VectorIndexToken = createToken<VectorIndex>('core.vector_index');
export const EmbedderToken = createToken<Embedder>('core.embedder');
export const LanguageModelToken = createToken<LanguageModel>('core.language_model');
export const RerankerToken = createToken<Reranker | null>('core.reranker');
