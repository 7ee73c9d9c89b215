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

/** Creates a token that carries the type of its value. Equal names give the same token in every copy of a package. */
export function createToken<T>(name: string): InjectionToken<T> {
  return Symbol.for(`trove.${name}`);
}

/** The log of an engine. Silent unless the app passes one. */
export const LoggerToken = createToken<Logger>('core.logger');
/** The clock of an engine. Default: the monotonic clock of the system. */
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
