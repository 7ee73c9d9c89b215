import {
  browseOperations,
  connectorOperations,
  documentOperations,
  graphOperations,
  ingestOperations,
  openApiDocument,
  retrievalOperations,
  serverOperations,
  uploadOperations,
} from '@trove/operations';
import { browseHandlers } from '../handlers/browse.js';
import { connectorHandlers } from '../handlers/connectors.js';
import { graphHandlers } from '../handlers/graph.js';
import { ingestHandlers } from '../handlers/ingest.js';
import { retrievalHandlers } from '../handlers/retrieval.js';
import { serverHandlers } from '../handlers/server.js';
import { uploadHandlers } from '../handlers/uploads.js';
import { version } from '../version.js';
import { routesOf, type Route } from './route.js';

/** How the routes of the graph API are served. */
export interface GraphRouteOptions {
  /** A path such as `/graph`, or '' for the root. */
  readonly base: string;
  /** Whether questions get the answers of the original, also without its header. Default false. */
  readonly classicAnswers?: boolean;
}

/** Every operation with its handler: the routes of the server. */
export function apiRoutes({ base, classicAnswers = false }: GraphRouteOptions): readonly Route[] {
  const all: readonly Route[] = [
    ...routesOf(serverOperations, serverHandlers),
    ...routesOf(ingestOperations, ingestHandlers),
    ...routesOf(uploadOperations, uploadHandlers),
    ...routesOf(connectorOperations, connectorHandlers),
    ...routesOf(retrievalOperations, retrievalHandlers),
    ...routesOf(browseOperations, browseHandlers),
    ...routesOf(graphOperations, graphHandlers(classicAnswers), base),
    ...routesOf(documentOperations, {
      getOpenApi: (_engine, _input, { origin }) => ({ ...document, servers: [{ url: origin }] }),
    }),
  ];
  const document = openApiDocument(all, version);
  return all;
}

/** The routes without a separate path for graphs. */
export const routes = apiRoutes({ base: '' });
