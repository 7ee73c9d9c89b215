// Generated from the OpenAPI document by "npm run generate". Do not edit.

export * from './client.js';
export * from './models.js';
export * from './access-api.js';
export * from './browse-api.js';
export * from './connectors-api.js';
export * from './graph-api.js';
export * from './ingest-api.js';
export * from './retrieval-api.js';
export * from './server-api.js';
