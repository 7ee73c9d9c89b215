// Generated from the OpenAPI document by "npm run generate". Do not edit.

import type { CallOptions } from '../runtime/configuration.js';
import type { HttpClient } from '../runtime/http.js';
import type {
  ApplySourcesRequest,
  ApplySourcesResponse,
  ConnectorType,
  EstimateResponse,
  ExplainRequest,
  ExplainResponse,
  ExportSourcesResponse,
  InspectResponse,
  MoveRequest,
  MoveResponse,
  ProbeRequest,
  ProbeResponse,
  RemoveResponse,
  ScheduleRequest,
  ScheduleResponse,
  SourceKinds,
} from './models.js';

/** The parameters of `probeConnector`. */
export interface ProbeConnectorParameters {
  readonly body: ProbeRequest;
}

/** The parameters of `estimateConnector`. */
export interface EstimateConnectorParameters {
  readonly body: ProbeRequest;
}

/** The parameters of `explainConnector`. */
export interface ExplainConnectorParameters {
  readonly body: ExplainRequest;
}

/** The parameters of `moveConnector`. */
export interface MoveConnectorParameters {
  readonly body: MoveRequest;
}

/** The parameters of `scheduleConnector`. */
export interface ScheduleConnectorParameters {
  readonly body: ScheduleRequest;
}

/** The parameters of `applySources`. */
export interface ApplySourcesParameters {
  readonly body: ApplySourcesRequest;
}

/** The parameters of `listSourceKinds`. */
export interface ListSourceKindsParameters {
  readonly body: {
    /** An address to recognise, such as `https://acme.atlassian.net/browse/OPS-1`. */
    readonly address?: string | undefined;
  };
}

/** The parameters of `describeConnector`. */
export interface DescribeConnectorParameters {
  /** URI scheme of a source, such as `postgres`. */
  readonly scheme: string;
}

/** The parameters of `inspectConnector`. */
export interface InspectConnectorParameters {
  /** Path or URI of a source. */
  readonly target: string;
}

/** The parameters of `removeConnector`. */
export interface RemoveConnectorParameters {
  /** Path or URI of a source. */
  readonly target: string;
}

/** The operations of the API that are tagged Connectors. */
export class ConnectorsApi {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Check whether a source can be reached
   *
   * Does not register the source. If it cannot be reached, the response has `ok: false`.
   *
   * `POST /v1/connectors/probe`
   */
  probeConnector(
    parameters: ProbeConnectorParameters,
    options?: CallOptions,
  ): Promise<ProbeResponse> {
    return this.#http.json<ProbeResponse>(
      { method: 'POST', path: '/v1/connectors/probe', json: parameters.body },
      options,
    );
  }

  /**
   * Estimate the work of indexing a source
   *
   * Does not register the source and calls no paid service.
   *
   * `POST /v1/connectors/estimate`
   */
  estimateConnector(
    parameters: EstimateConnectorParameters,
    options?: CallOptions,
  ): Promise<EstimateResponse> {
    return this.#http.json<EstimateResponse>(
      { method: 'POST', path: '/v1/connectors/estimate', json: parameters.body },
      options,
    );
  }

  /**
   * Explain the requests of the next sync of a source
   *
   * Makes no request to the source, which need not be registered. For a registered source, the sync
   * continues from the last one.
   *
   * `POST /v1/connectors/explain`
   */
  explainConnector(
    parameters: ExplainConnectorParameters,
    options?: CallOptions,
  ): Promise<ExplainResponse> {
    return this.#http.json<ExplainResponse>(
      { method: 'POST', path: '/v1/connectors/explain', json: parameters.body },
      options,
    );
  }

  /**
   * Move a source to another place
   *
   * Embeds no unchanged content again. A job gives the index the new URIs, then syncs the source.
   *
   * `POST /v1/connectors/move`
   */
  moveConnector(parameters: MoveConnectorParameters, options?: CallOptions): Promise<MoveResponse> {
    return this.#http.json<MoveResponse>(
      { method: 'POST', path: '/v1/connectors/move', json: parameters.body },
      options,
    );
  }

  /**
   * Change when a source is synced, without a sync
   *
   * Changes only the given keys of its configuration. `null` removes a key. A source with `paused`
   * keeps its schedule, but is synced only on request.
   *
   * `POST /v1/connectors/schedule`
   */
  scheduleConnector(
    parameters: ScheduleConnectorParameters,
    options?: CallOptions,
  ): Promise<ScheduleResponse> {
    return this.#http.json<ScheduleResponse>(
      { method: 'POST', path: '/v1/connectors/schedule', json: parameters.body },
      options,
    );
  }

  /**
   * Export the definitions of all sources
   *
   * Leaves out uploaded sources, whose files exist only on the server.
   *
   * `GET /v1/sources`
   */
  exportSources(options?: CallOptions): Promise<ExportSourcesResponse> {
    return this.#http.json<ExportSourcesResponse>({ method: 'GET', path: '/v1/sources' }, options);
  }

  /**
   * Apply the definitions of sources
   *
   * Adds and updates sources, and with `prune` removes others. The response has each difference, and
   * the error of each change that failed.
   *
   * `POST /v1/sources/apply`
   */
  applySources(
    parameters: ApplySourcesParameters,
    options?: CallOptions,
  ): Promise<ApplySourcesResponse> {
    return this.#http.json<ApplySourcesResponse>(
      { method: 'POST', path: '/v1/sources/apply', json: parameters.body },
      options,
    );
  }

  /**
   * List the kinds of sources, and recognise an address
   *
   * The address is in the body, because it may contain a password.
   *
   * `POST /v1/connectors/kinds`
   */
  listSourceKinds(
    parameters: ListSourceKindsParameters,
    options?: CallOptions,
  ): Promise<SourceKinds> {
    return this.#http.json<SourceKinds>(
      { method: 'POST', path: '/v1/connectors/kinds', json: parameters.body },
      options,
    );
  }

  /**
   * Get the settings of a kind of source
   *
   * `GET /v1/connectors/describe`
   */
  describeConnector(
    parameters: DescribeConnectorParameters,
    options?: CallOptions,
  ): Promise<ConnectorType> {
    return this.#http.json<ConnectorType>(
      { method: 'GET', path: '/v1/connectors/describe', query: { scheme: parameters.scheme } },
      options,
    );
  }

  /**
   * Inspect a registered source, with secrets hidden
   *
   * `GET /v1/connectors/inspect`
   */
  inspectConnector(
    parameters: InspectConnectorParameters,
    options?: CallOptions,
  ): Promise<InspectResponse> {
    return this.#http.json<InspectResponse>(
      { method: 'GET', path: '/v1/connectors/inspect', query: { target: parameters.target } },
      options,
    );
  }

  /**
   * Unregister a source and remove it from the index
   *
   * `DELETE /v1/connectors`
   */
  removeConnector(
    parameters: RemoveConnectorParameters,
    options?: CallOptions,
  ): Promise<RemoveResponse> {
    return this.#http.json<RemoveResponse>(
      { method: 'DELETE', path: '/v1/connectors', query: { target: parameters.target } },
      options,
    );
  }
}
