/*
 * The definition of the engine's requests and responses. Types, validation, the HTTP routes and the OpenAPI document
 * are derived from these schemas.
 */

export * from './schemas/server.js';
export * from './schemas/backups.js';
export * from './schemas/ingest.js';
export * from './schemas/uploads.js';
export * from './schemas/connectors.js';
export * from './schemas/source-kinds.js';
export * from './schemas/definitions.js';
export * from './schemas/retrieval.js';
export * from './schemas/ask.js';
export * from './schemas/symbols.js';
export * from './schemas/grep.js';
export * from './schemas/browse.js';
export * from './schemas/batch.js';
export * from './schemas/tokens.js';
export * from './rights.js';
