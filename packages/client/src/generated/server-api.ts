// Generated from the OpenAPI document by "npm run generate". Do not edit.

import type { CallOptions } from '../runtime/configuration.js';
import type { HttpClient } from '../runtime/http.js';
import type { Health, OpenApiDocument, Ready, ServerInfo, StatusResponse } from './models.js';

/** The operations of the API that are tagged Server. */
export class ServerApi {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Whether the server is up
   *
   * `GET /healthz`
   */
  healthz(options?: CallOptions): Promise<Health> {
    return this.#http.json<Health>({ method: 'GET', path: '/healthz' }, options);
  }

  /**
   * Whether databases and index answer
   *
   * For load balancers. The answer is up to a second old, and comes within two. With little disk
   * space, it is still 200, because reads go on, and `warnings` says so.
   *
   * `GET /readyz`
   */
  readyz(options?: CallOptions): Promise<Ready> {
    return this.#http.json<Ready>({ method: 'GET', path: '/readyz' }, options);
  }

  /**
   * Numbers for Prometheus
   *
   * Requests, queues, models, caches, sources, jobs and the process. What the database counts may be
   * 15 s old.
   *
   * `GET /metrics`
   */
  metrics(options?: CallOptions): Promise<string> {
    return this.#http.text({ method: 'GET', path: '/metrics' }, options);
  }

  /**
   * Version, machine and what can be added
   *
   * `GET /v1/server/info`
   */
  getServerInfo(options?: CallOptions): Promise<ServerInfo> {
    return this.#http.json<ServerInfo>({ method: 'GET', path: '/v1/server/info' }, options);
  }

  /**
   * The registered sources, and the number of jobs by status
   *
   * `GET /v1/status`
   */
  status(options?: CallOptions): Promise<StatusResponse> {
    return this.#http.json<StatusResponse>({ method: 'GET', path: '/v1/status' }, options);
  }

  /**
   * This description, as an OpenAPI 3.1 document
   *
   * `servers` has the address that the request was sent to.
   *
   * `GET /openapi.json`
   */
  getOpenApi(options?: CallOptions): Promise<OpenApiDocument> {
    return this.#http.json<OpenApiDocument>({ method: 'GET', path: '/openapi.json' }, options);
  }
}
