export * from './define.js';
export * from './vector-index.js';
