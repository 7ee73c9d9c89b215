export * from './case.js';
export * from './expect.js';
export * from './embedder/index.js';
export * from './memory/memory-embedder.js';
export * from './vector-index/index.js';
export * from './memory/memory-vector-index.js';
