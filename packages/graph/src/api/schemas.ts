export * from './documents.js';
export * from './graphs.js';
export * from './query.js';
