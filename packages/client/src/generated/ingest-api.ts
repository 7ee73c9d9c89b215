// Generated from the OpenAPI document by "npm run generate -w @trove/client". Do not edit.

import type { CallOptions } from '../runtime/configuration.js';
import type { HttpClient } from '../runtime/http.js';
import { pathSegment } from '../runtime/request.js';
import type { AddRequest, AddResponse, CancelResponse, JobResponse } from './models.js';

/** Of `addSource`. */
export interface AddSourceParameters {
  readonly body: AddRequest;
}

/** Of `listJobs`. */
export interface ListJobsParameters {
  /** Number of jobs, newest first. */
  readonly limit?: number | undefined;
  /** Number of newest jobs to skip. */
  readonly offset?: number | undefined;
  /** Only jobs with this status. */
  readonly status?: string | undefined;
  /** Only jobs for this source. */
  readonly target?: string | undefined;
}

/** Of `getJob`. */
export interface GetJobParameters {
  /** The id of a job. */
  readonly job_id: string;
}

/** Of `cancelJob`. */
export interface CancelJobParameters {
  /** The id of a job. */
  readonly job_id: string;
}

/** The operations of the API that are tagged Ingest. */
export class IngestApi {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Register a source and index it
   *
   * With `process`, the answer comes when the job has ended, however it ended; without it, the job
   * is queued: poll `/v1/jobs/{job_id}`. The job continues even if nobody waits for it. Adding a
   * registered source again syncs it.
   *
   * `POST /v1/add`
   */
  addSource(parameters: AddSourceParameters, options?: CallOptions): Promise<AddResponse> {
    return this.#http.json<AddResponse>(
      { method: 'POST', path: '/v1/add', json: parameters.body },
      options,
    );
  }

  /**
   * Jobs, newest first
   *
   * `GET /v1/jobs`
   */
  listJobs(
    parameters: ListJobsParameters = {},
    options?: CallOptions,
  ): Promise<readonly JobResponse[]> {
    return this.#http.json<readonly JobResponse[]>(
      {
        method: 'GET',
        path: '/v1/jobs',
        query: {
          limit: parameters.limit,
          offset: parameters.offset,
          status: parameters.status,
          target: parameters.target,
        },
      },
      options,
    );
  }

  /**
   * One job, with live counts
   *
   * `GET /v1/jobs/{job_id}`
   */
  getJob(parameters: GetJobParameters, options?: CallOptions): Promise<JobResponse> {
    return this.#http.json<JobResponse>(
      { method: 'GET', path: `/v1/jobs/${pathSegment('job_id', parameters.job_id)}` },
      options,
    );
  }

  /**
   * Stop a job; finished work is kept
   *
   * `POST /v1/jobs/{job_id}/cancel`
   */
  cancelJob(parameters: CancelJobParameters, options?: CallOptions): Promise<CancelResponse> {
    return this.#http.json<CancelResponse>(
      { method: 'POST', path: `/v1/jobs/${pathSegment('job_id', parameters.job_id)}/cancel` },
      options,
    );
  }
}
