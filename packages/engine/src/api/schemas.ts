/*
 * What the engine takes and answers, once: the engine's types are inferred from these schemas, calls are validated
 * with them, and the HTTP host builds its routes and its OpenAPI document of them.
 */

export * from './schemas/server.js';
export * from './schemas/ingest.js';
export * from './schemas/connectors.js';
export * from './schemas/retrieval.js';
export * from './schemas/browse.js';
