// Generated from the OpenAPI document by "npm run generate". Do not edit.

import type { CallOptions } from '../runtime/configuration.js';
import type { HttpClient } from '../runtime/http.js';
import type {
  BackupRequest,
  BackupResponse,
  Health,
  OpenApiDocument,
  Ready,
  ServerInfo,
  StatusResponse,
} from './models.js';

/** The parameters of `startBackup`. */
export interface StartBackupParameters {
  readonly body: BackupRequest;
}

/** The operations of the API that are tagged Server. */
export class ServerApi {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Check that the server is running
   *
   * `GET /healthz`
   */
  healthz(options?: CallOptions): Promise<Health> {
    return this.#http.json<Health>({ method: 'GET', path: '/healthz' }, options);
  }

  /**
   * Check that the databases and the index respond
   *
   * For load balancers. The result is up to a second old, and the response takes at most two
   * seconds. Low disk space is a warning with status 200, because reading still works.
   *
   * `GET /readyz`
   */
  readyz(options?: CallOptions): Promise<Ready> {
    return this.#http.json<Ready>({ method: 'GET', path: '/readyz' }, options);
  }

  /**
   * Get metrics for Prometheus
   *
   * Metrics of requests, queues, models, caches, sources, jobs and the process. Counts from the
   * database are up to 15 s old.
   *
   * `GET /metrics`
   */
  metrics(options?: CallOptions): Promise<string> {
    return this.#http.text({ method: 'GET', path: '/metrics' }, options);
  }

  /**
   * Get the version, machine and capabilities of the server
   *
   * `GET /v1/server/info`
   */
  getServerInfo(options?: CallOptions): Promise<ServerInfo> {
    return this.#http.json<ServerInfo>({ method: 'GET', path: '/v1/server/info' }, options);
  }

  /**
   * Get the registered sources and the number of jobs by status
   *
   * `GET /v1/status`
   */
  status(options?: CallOptions): Promise<StatusResponse> {
    return this.#http.json<StatusResponse>({ method: 'GET', path: '/v1/status' }, options);
  }

  /**
   * Get the state of the last backup
   *
   * `GET /v1/backup`
   */
  getBackup(options?: CallOptions): Promise<BackupResponse> {
    return this.#http.json<BackupResponse>({ method: 'GET', path: '/v1/backup' }, options);
  }

  /**
   * Start a backup of the running server
   *
   * Writes the metadata, the index, uploaded files, credentials and settings to a folder of the
   * server. `GET /v1/backup` shows the progress.
   *
   * `POST /v1/backup`
   */
  startBackup(parameters: StartBackupParameters, options?: CallOptions): Promise<BackupResponse> {
    return this.#http.json<BackupResponse>(
      { method: 'POST', path: '/v1/backup', json: parameters.body },
      options,
    );
  }

  /**
   * Get the OpenAPI 3.1 document of this API
   *
   * `servers` contains the address of the request. Behind a proxy, it is `.`, relative to the
   * address of the document.
   *
   * `GET /openapi.json`
   */
  getOpenApi(options?: CallOptions): Promise<OpenApiDocument> {
    return this.#http.json<OpenApiDocument>({ method: 'GET', path: '/openapi.json' }, options);
  }
}
