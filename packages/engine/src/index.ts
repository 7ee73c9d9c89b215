export * from './api/schemas.js'; export type * from './api/engine.js';
