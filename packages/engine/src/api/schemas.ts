/*
 * The single definition of the engine's requests and responses: its types are inferred from these schemas, calls are
 * validated against them, and the HTTP host builds its routes and its OpenAPI document from them.
 */

export * from './schemas/server.js';
export * from './schemas/ingest.js';
export * from './schemas/uploads.js';
export * from './schemas/connectors.js';
export * from './schemas/retrieval.js';
export * from './schemas/browse.js';
