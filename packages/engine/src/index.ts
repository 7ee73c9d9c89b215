export * from './api/schemas.js';
export type * from './api/engine.js';
export type * from './options.js';
export { createEngine } from './create-engine.js';
export { checkConfiguredPlugins } from './plugins-in-use.js';
