import { browseRoutes } from './browse.js';
import { connectorRoutes } from './connectors.js';
import { documentRoute } from './document.js';
import { openApiDocument } from '../openapi/document.js';
import { graphRoutes, type GraphRouteOptions } from './graph.js';
import { ingestRoutes } from './ingest.js';
import { retrievalRoutes } from './retrieval.js';
import type { Route } from './route.js';
import { serverRoutes } from './server.js';
import { uploadRoutes } from './uploads.js';

/** Every route of the server; the router, the OpenAPI document and the reference page are built from this. */
export function apiRoutes(graph: GraphRouteOptions): readonly Route[] {
  const all = [
    ...serverRoutes,
    ...ingestRoutes,
    ...uploadRoutes,
    ...connectorRoutes,
    ...retrievalRoutes,
    ...browseRoutes,
    ...graphRoutes(graph),
    documentRoute(() => document),
  ];
  const document = openApiDocument(all);
  return all;
}

/** As they are without a path of their own for graphs. */
export const routes = apiRoutes({ base: '' });
