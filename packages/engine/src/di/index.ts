export {
  ArtifactCacheToken,
  ClockToken,
  EmbedderToken,
  inject,
  injectable,
  LanguageModelToken,
  LoggerToken,
  MetadataStoreToken,
  RerankerToken,
  TransformationCacheToken,
  VectorIndexToken,
  type Clock,
} from '@trove/core/di';
export {
  ChunkerToken,
  type Chunker,
  type ChunkerModule,
  type ChunkRange,
  type ChunkerInput,
} from '../content/chunking/chunker.js';
export { provide, type Override, type Provider } from './override.js';
export type { Get, InjectedClass } from './registration.js';
export { RankerToken, type RankedQuestion, type Ranker } from '../query/search/ranker.js';
