export { inject, injectable, LoggerToken } from '@trove/core/di';
export { provide, type Override, type Provider } from './override.js';
export { RankerToken, type RankedQuestion, type Ranker } from './ranker.js';
