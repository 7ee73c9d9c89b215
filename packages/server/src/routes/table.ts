import {
  browseOperations,
  connectorOperations,
  documentOperations,
  graphOperations,
  ingestOperations,
  openApiDocument,
  retrievalOperations,
  serverOperations,
  tokenOperations,
  uploadOperations,
} from '@trove/operations';
import { browseHandlers } from '../handlers/browse.js';
import { connectorHandlers } from '../handlers/connectors.js';
import { graphHandlers } from '../handlers/graph.js';
import { ingestHandlers } from '../handlers/ingest.js';
import { retrievalHandlers } from '../handlers/retrieval.js';
import { serverHandlers } from '../handlers/server.js';
import { tokenHandlers } from '../handlers/tokens.js';
import { uploadHandlers } from '../handlers/uploads.js';
import { version } from '../version.js';
import { routesOf, type Route } from './route.js';

/** Options of the graph routes. */
export interface GraphRouteOptions {
  /** A path such as `/graph`, or '' for the root. */
  readonly base: string;
  /** Whether questions get answers in the format of the original, even without its header. Default false. */
  readonly classicAnswers?: boolean;
}

/** Returns the routes of all operations. */
export function apiRoutes({ base, classicAnswers = false }: GraphRouteOptions): readonly Route[] {
  const all: readonly Route[] = [
    ...routesOf(serverOperations, serverHandlers),
    ...routesOf(ingestOperations, ingestHandlers),
    ...routesOf(uploadOperations, uploadHandlers),
    ...routesOf(connectorOperations, connectorHandlers),
    ...routesOf(retrievalOperations, retrievalHandlers),
    ...routesOf(browseOperations, browseHandlers),
    ...routesOf(graphOperations, graphHandlers(classicAnswers), base),
    ...routesOf(tokenOperations, tokenHandlers),
    ...routesOf(documentOperations, {
      // A relative address refers to that of the document.
      getOpenApi: (_engine, _input, { origin }) => ({
        ...document,
        servers: [{ url: origin ?? '.' }],
      }),
    }),
  ];
  const document = openApiDocument(all, version);
  return all;
}

/** The routes with the graph routes at the root. */
export const routes = apiRoutes({ base: '' });
