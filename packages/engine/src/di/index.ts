export { inject, injectable, LoggerToken } from '@trove/core/di';
export {
  ChunkerToken,
  type Chunker,
  type ChunkerModule,
  type Piece,
  type TextToCut,
} from '../content/chunking/chunker.js';
export { provide, type Override, type Provider } from './override.js';
export { RankerToken, type RankedQuestion, type Ranker } from '../query/search/ranker.js';
