import type {
  AddRequest,
  AddResponse,
  CancelResponse,
  CatQuery,
  CatResponse,
  EstimateResponse,
  GrepQuery,
  GrepResponse,
  InspectResponse,
  JobResponse,
  JobsQuery,
  LinesQuery,
  LsResponse,
  ObjectMeta,
  PathQuery,
  ProbeRequest,
  ProbeResponse,
  RemoveResponse,
  SearchQuery,
  SearchResponse,
  ServerInfo,
  StatusResponse,
  TargetQuery,
} from './schemas.js';

/** A call's own signal: aborting it ends the call with the signal's reason, not the engine. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** An object's text in pieces, for objects of any size. Iterate to the end, or end the iteration: it holds the source. */
export interface Export {
  /** Canonical URI of the object. */
  readonly source: string;
  /** The source gave less than the whole object. */
  readonly partial: boolean;
  readonly content: AsyncIterable<string>;
}

/**
 * Trove without HTTP. Targets and paths are absolute paths or URIs; answers carry canonical URIs. Every method validates
 * what it is given (`validation_error`) and throws only TroveErrors, an aborted call's own reason aside; after `close`,
 * `engine_closed`.
 */
export interface Engine extends AsyncDisposable {
  /** The version, the machine and the schemes that are installed. */
  serverInfo(): Promise<ServerInfo>;
  /** All registered sources with their counts, and the number of jobs by status. */
  status(): Promise<StatusResponse>;

  /**
   * Registers a source, when it is not yet, and queues a sync. With `process`, works on it and resolves when the job has
   * ended, whatever its outcome; else `startWorker`, here or in another process, has to. Throws `connector_unhealthy`,
   * `config_invalid`, `credential_error`, `not_available`, `sync_already_running`, `connector_already_registered`,
   * `connector_removing`, `since_unsupported` and `path_not_allowed`, and has registered nothing then.
   */
  add(request: AddRequest, options?: CallOptions): Promise<AddResponse>;
  /** Newest first. */
  jobs(query?: JobsQuery): Promise<JobResponse[]>;
  /** Throws `not_found`. */
  job(id: string): Promise<JobResponse>;
  /** Asks a job to stop, keeping what is finished; `cancelled: false` for one that has ended. Throws `not_found`. */
  cancel(id: string): Promise<CancelResponse>;
  /** Resolves when the job has ended, whatever its outcome. It does not work on it. Throws `not_found`. */
  waitForJob(id: string, options?: CallOptions): Promise<JobResponse>;

  /** Whether a source can be reached, registered or not; one that cannot is an answer (`ok: false`), not an error. */
  probe(request: ProbeRequest, options?: CallOptions): Promise<ProbeResponse>;
  /** How much indexing a source would be: lists it and reads a sample. */
  estimate(request: ProbeRequest, options?: CallOptions): Promise<EstimateResponse>;
  /** One source in detail, its secrets as `***`; a path inside it stands for it. Throws `not_found`. */
  inspect(query: TargetQuery): Promise<InspectResponse>;
  /**
   * Removes a source with all that is known of it, ending its job first. Throws `not_found`,
   * `remove_requires_connector_root` and `connector_removing`.
   */
  remove(query: TargetQuery): Promise<RemoveResponse>;

  /** Hits from the index, best first. Throws `not_found` for a path outside all sources, `embedding_unavailable`. */
  search(query: SearchQuery, options?: CallOptions): Promise<SearchResponse>;
  /** Matching lines, read from the sources themselves; what was left out is said in notices. Throws `not_found`. */
  grep(query: GrepQuery, options?: CallOptions): Promise<GrepResponse>;
  /** One level of the tree, with what the index knows of it; an object as just that one. Throws `not_found`. */
  ls(query: PathQuery, options?: CallOptions): Promise<LsResponse>;
  /**
   * An object's text, or the part that `range`, `locator` or `density` names; with `meta`, its facts alone. Throws
   * `not_found`, `locator_not_found`, `is_directory`, `object_too_large_for_cat` (over 1,048,576 characters), `not_supported` for what
   * is no text, `range_unsupported` and `density_unsupported`.
   */
  cat(query: CatQuery, options?: CallOptions): Promise<CatResponse | ObjectMeta>;
  /** The first `n` lines. Throws as `cat` does. */
  head(query: LinesQuery, options?: CallOptions): Promise<CatResponse>;
  /** The last `n` lines. Throws as `cat` does, and `tail_unsupported`. */
  tail(query: LinesQuery, options?: CallOptions): Promise<CatResponse>;
  /** All of an object as one text, however large. Throws `not_found`, `is_directory` and `not_supported`. */
  export(query: PathQuery, options?: CallOptions): Promise<CatResponse>;
  /** The same as a stream. */
  exportStream(query: PathQuery, options?: CallOptions): Promise<Export>;

  /** Works on queued jobs in this process until the engine closes; calling it again changes nothing. */
  startWorker(): void;
  /**
   * Stops working, gives back what is not finished, closes everything. Idempotent; at most 10 s. Throws an
   * AggregateError of what could not be closed.
   */
  close(): Promise<void>;
}
