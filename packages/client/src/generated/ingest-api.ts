// Generated from the OpenAPI document by "npm run generate". Do not edit.

import type { CallOptions } from '../runtime/configuration.js';
import type { HttpClient } from '../runtime/http.js';
import { pathSegment, type UploadBody } from '../runtime/request.js';
import type {
  AddRequest,
  AddResponse,
  CancelResponse,
  JobResponse,
  ManifestRequest,
  ManifestResponse,
} from './models.js';

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

/** Of `uploadSource`. */
export interface UploadSourceParameters {
  /** Name of the source, which is `file://NAME`: as a `client_id`. */
  readonly name: string;
  /** true: index before answering; false: queue a job. */
  readonly process?: boolean | undefined;
  readonly contentType:
    | 'application/x-tar'
    | 'application/gzip'
    | 'application/zstd'
    | 'application/octet-stream';
  readonly body: UploadBody;
}

/** Of `filesManifest`. */
export interface FilesManifestParameters {
  readonly body: ManifestRequest;
}

/** Of `filesUpload`. */
export interface FilesUploadParameters {
  /** Which machine the files are of: letters, digits, `.`, `_` and `-`, but not `local`. */
  readonly client_id: string;
  /** Absolute path of the folder on that machine. */
  readonly root: string;
  /** true: index before answering; false: queue a job. */
  readonly process?: boolean | undefined;
  /** Index everything again, ignoring caches and fingerprints. */
  readonly full?: boolean | undefined;
  readonly contentType:
    | 'application/x-tar'
    | 'application/gzip'
    | 'application/zstd'
    | 'application/octet-stream';
  readonly body: UploadBody;
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

  /**
   * Send the files of a source as one archive, and index them
   *
   * The body is a tar archive, as it is or compressed with gzip or zstd. The source is `file://NAME`
   * and has exactly the files of the archive: others that it had are removed. Links, devices,
   * absolute paths, `..` and names that are there twice are refused, and then nothing is changed.
   *
   * `POST /v1/upload`
   */
  uploadSource(parameters: UploadSourceParameters, options?: CallOptions): Promise<AddResponse> {
    return this.#http.json<AddResponse>(
      {
        method: 'POST',
        path: '/v1/upload',
        query: { name: parameters.name, process: parameters.process },
        upload: { contentType: parameters.contentType, body: parameters.body },
      },
      options,
    );
  }

  /**
   * What a machine has to send so that its files are on the server
   *
   * Compares sizes, times and inodes with the stored files of `file://CLIENT_ID/ROOT`, and registers
   * nothing. The body may have 64 MiB.
   *
   * `POST /v1/files/manifest`
   */
  filesManifest(
    parameters: FilesManifestParameters,
    options?: CallOptions,
  ): Promise<ManifestResponse> {
    return this.#http.json<ManifestResponse>(
      { method: 'POST', path: '/v1/files/manifest', json: parameters.body },
      options,
    );
  }

  /**
   * Send what has changed of the files of a machine, and index it
   *
   * The body is a tar archive, as it is or compressed with gzip or zstd. Its first member is
   * `.trove-meta.json`: `{hashes: [{path, sha1, size, mtime_ns, inode}], renames: [{old, new,
   * sha1}], deletions: [path]}`. The others are files named in `hashes`, where files that only look
   * changed may be, too. Where server and client do not agree, the next manifest asks for the file.
   *
   * `PUT /v1/files/upload`
   */
  filesUpload(parameters: FilesUploadParameters, options?: CallOptions): Promise<AddResponse> {
    return this.#http.json<AddResponse>(
      {
        method: 'PUT',
        path: '/v1/files/upload',
        query: {
          client_id: parameters.client_id,
          root: parameters.root,
          process: parameters.process,
          full: parameters.full,
        },
        upload: { contentType: parameters.contentType, body: parameters.body },
      },
      options,
    );
  }
}
