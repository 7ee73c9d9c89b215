export * from './define.js';
export * from './embedder.js';
export * from './language-model.js';
export * from './language-task.js';
export * from './reranker.js';
