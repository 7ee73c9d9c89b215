import type { NamedOperation, Operation } from '../operation.js';
import { browseOperations } from './browse.js';
import { connectorOperations } from './connectors.js';
import { documentOperations } from './document.js';
import { graphOperations } from './graph.js';
import { ingestOperations } from './ingest.js';
import { retrievalOperations } from './retrieval.js';
import { serverOperations } from './server.js';
import { tokenOperations } from './tokens.js';
import { uploadOperations } from './uploads.js';

export {
  browseOperations,
  connectorOperations,
  documentOperations,
  graphOperations,
  ingestOperations,
  retrievalOperations,
  serverOperations,
  tokenOperations,
  uploadOperations,
};

/** All operations, in the order of the OpenAPI document. */
export const operations: readonly NamedOperation[] = [
  serverOperations,
  ingestOperations,
  uploadOperations,
  connectorOperations,
  retrievalOperations,
  browseOperations,
  graphOperations,
  tokenOperations,
  documentOperations,
].flatMap((rows) =>
  Object.entries<Operation>(rows).map(([name, operation]) => ({ ...operation, name })),
);
