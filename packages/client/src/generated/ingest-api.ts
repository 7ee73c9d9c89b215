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

/** The parameters of `addSource`. */
export interface AddSourceParameters {
  readonly body: AddRequest;
}

/** The parameters of `listJobs`. */
export interface ListJobsParameters {
  /** Maximum number of jobs, newest first. */
  readonly limit?: number | undefined;
  /** Number of newest jobs to skip. */
  readonly offset?: number | undefined;
  /** Only jobs with this status. */
  readonly status?: string | undefined;
  /** Only jobs of this source. */
  readonly target?: string | undefined;
}

/** The parameters of `getJob`. */
export interface GetJobParameters {
  /** The id of a job. */
  readonly job_id: string;
}

/** The parameters of `cancelJob`. */
export interface CancelJobParameters {
  /** The id of a job. */
  readonly job_id: string;
}

/** The parameters of `uploadSource`. */
export interface UploadSourceParameters {
  /** Name of the source `file://NAME`: letters, digits, `.`, `_` and `-`. `local` is reserved. */
  readonly name: string;
  /** `true`: respond after indexing. `false`: queue a job and respond at once. */
  readonly process?: boolean | undefined;
  readonly contentType:
    | 'application/x-tar'
    | 'application/gzip'
    | 'application/zstd'
    | 'application/octet-stream';
  readonly body: UploadBody;
}

/** The parameters of `filesManifest`. */
export interface FilesManifestParameters {
  readonly body: ManifestRequest;
}

/** The parameters of `filesUpload`. */
export interface FilesUploadParameters {
  /** Name of the machine with the files: letters, digits, `.`, `_` and `-`. `local` is reserved. */
  readonly client_id: string;
  /** Absolute path of the folder on the machine. */
  readonly root: string;
  /** `true`: respond after indexing. `false`: queue a job and respond at once. */
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
   * With `process`, the response follows the end of the job, whatever its outcome. Otherwise the job
   * is queued. Poll `/v1/jobs/{job_id}` for its progress. The job continues if the client
   * disconnects. Adding a registered source again syncs it.
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
   * List jobs, newest first
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
   * Get a job with live counts
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
   * Cancel a job and keep its finished work
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
   * Upload the files of a source as one archive and index them
   *
   * The body is a tar archive, optionally compressed with gzip or zstd. The source `file://NAME`
   * then has exactly the files of the archive, and its other files are removed. An archive with
   * links, devices, absolute paths, `..` or duplicate names is rejected without any change.
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
   * Find the files that a machine must upload
   *
   * Compares sizes, times and inodes with the stored files of `file://CLIENT_ID/ROOT`. Does not
   * register a source. The body may have up to 64 MiB.
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
   * Upload the changed files of a machine and index them
   *
   * The body is a tar archive, optionally compressed with gzip or zstd. Its first member is
   * `.trove-meta.json`: `{hashes: [{path, sha1, size, mtime_ns, inode}], renames: [{old, new,
   * sha1}], deletions: [path]}`. The other members are files from `hashes`, which may also list
   * unchanged files. If server and client disagree about a file, the next manifest requests it.
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
