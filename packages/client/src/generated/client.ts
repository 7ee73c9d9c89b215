// Generated from the OpenAPI document by "npm run generate". Do not edit.

import type { ClientConfiguration } from '../runtime/configuration.js';
import { HttpClient } from '../runtime/http.js';
import { AccessApi } from './access-api.js';
import { BrowseApi } from './browse-api.js';
import { ConnectorsApi } from './connectors-api.js';
import { GraphApi } from './graph-api.js';
import { IngestApi } from './ingest-api.js';
import { RetrievalApi } from './retrieval-api.js';
import { ServerApi } from './server-api.js';

/** All groups of the API over one connection. */
export class TroveClient {
  /** For requests that the groups do not offer. */
  readonly http: HttpClient;
  readonly access: AccessApi;
  readonly browse: BrowseApi;
  readonly connectors: ConnectorsApi;
  readonly graph: GraphApi;
  readonly ingest: IngestApi;
  readonly retrieval: RetrievalApi;
  readonly server: ServerApi;

  constructor(configuration: ClientConfiguration = {}) {
    this.http = new HttpClient(configuration);
    this.access = new AccessApi(this.http);
    this.browse = new BrowseApi(this.http);
    this.connectors = new ConnectorsApi(this.http);
    this.graph = new GraphApi(this.http);
    this.ingest = new IngestApi(this.http);
    this.retrieval = new RetrievalApi(this.http);
    this.server = new ServerApi(this.http);
  }
}
