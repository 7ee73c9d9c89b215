export * from './api/schemas.js';
export type * from './api/engine.js';
export type * from './options.js';
export { createEngine } from './create-engine.js';
export { checkConfiguredPlugins, type ConfiguredPlugin } from './plugins/check-configured.js';
export { withoutCredentials } from './plugins/redact.js';
export { nearest, validate, validateOnce } from './validation.js';
