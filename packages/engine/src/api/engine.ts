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

/** A signal for this call: aborting it ends the call with the signal's reason; the engine continues. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/**
 * An object's text in pieces, for objects of any size. Iterate to the end or close the iterator: until then it holds
 * the source open.
 */
export interface Export {
  /** Canonical URI of the object. */
  readonly source: string;
  /** The source returned less than the whole object. */
  readonly partial: boolean;
  readonly content: AsyncIterable<string>;
}

/**
 * What can be asked of an engine. Targets and paths are absolute paths or URIs; answers carry canonical URIs. Every method
 * validates its input (`validation_error`) and throws only TroveErrors, except for an aborted call's own reason; after
 * `close`, `engine_closed`.
 */
export interface Operations {
  /** The version, the machine and the installed schemes. */
  serverInfo(options?: CallOptions): Promise<ServerInfo>;
  /** All registered sources with their counts, and the number of jobs by status. */
  status(options?: CallOptions): Promise<StatusResponse>;

  /**
   * Registers a source, if it is new, and queues a sync. With `process`, also runs the job and resolves when it has
   * ended, whatever the outcome; otherwise a worker (`startWorker`) in this or another process has to run it. Throws
   * `connector_unhealthy`, `config_invalid`, `credential_error`, `not_available`, `sync_already_running`,
   * `connector_already_registered`, `connector_removing`, `since_unsupported` and `path_not_allowed`; nothing is
   * registered then.
   */
  add(request: AddRequest, options?: CallOptions): Promise<AddResponse>;
  /** Newest first. */
  jobs(query?: JobsQuery, options?: CallOptions): Promise<JobResponse[]>;
  /** Throws `not_found`. */
  job(id: string, options?: CallOptions): Promise<JobResponse>;
  /** Asks a job to stop, keeping finished work; `cancelled: false` if it has already ended. Throws `not_found`. */
  cancel(id: string, options?: CallOptions): Promise<CancelResponse>;
  /** Resolves when the job has ended, whatever the outcome, without working on it. Throws `not_found`. */
  waitForJob(id: string, options?: CallOptions): Promise<JobResponse>;

  /**
   * Whether a source, registered or not, can be reached; an unreachable one is an answer (`ok: false`), not an error.
   */
  probe(request: ProbeRequest, options?: CallOptions): Promise<ProbeResponse>;
  /** The size of indexing a source, estimated from a listing and a sample. */
  estimate(request: ProbeRequest, options?: CallOptions): Promise<EstimateResponse>;
  /** One source in detail, with secrets as `***`; a path inside it will do. Throws `not_found`. */
  inspect(query: TargetQuery, options?: CallOptions): Promise<InspectResponse>;
  /**
   * Ends the source's job, then removes it and everything known about it. Throws `not_found`,
   * `remove_requires_connector_root` and `connector_removing`.
   */
  remove(query: TargetQuery, options?: CallOptions): Promise<RemoveResponse>;

  /** Hits from the index, best first. Throws `not_found` for a path outside all sources, `embedding_unavailable`. */
  search(query: SearchQuery, options?: CallOptions): Promise<SearchResponse>;
  /** Matching lines, read from the sources themselves; anything skipped is reported in notices. Throws `not_found`. */
  grep(query: GrepQuery, options?: CallOptions): Promise<GrepResponse>;
  /** One level of the tree with its index status; for an object, just that object. Throws `not_found`. */
  ls(query: PathQuery, options?: CallOptions): Promise<LsResponse>;
  /**
   * An object's text, or the part selected by `range`, `locator` or `density`; with `meta`, only its metadata. Throws
   * `not_found`, `locator_not_found`, `is_directory`, `object_too_large_for_cat` (over 1,048,576 characters),
   * `not_supported` for anything but text, `range_unsupported` and `density_unsupported`.
   */
  cat(query: CatQuery, options?: CallOptions): Promise<CatResponse | ObjectMeta>;
  /**
   * The first `n` lines or records, 1 to 10,000, default 20. Throws `not_found`, `is_directory`, `not_supported` and
   * `object_too_large_for_cat` (over 1,048,576 characters).
   */
  head(query: LinesQuery, options?: CallOptions): Promise<CatResponse>;
  /** The last `n` lines or records. Throws as `head` does, and `tail_unsupported`. */
  tail(query: LinesQuery, options?: CallOptions): Promise<CatResponse>;
  /** A whole object as one text, however large. Throws `not_found`, `is_directory` and `not_supported`. */
  export(query: PathQuery, options?: CallOptions): Promise<CatResponse>;
  /** The same as a stream. */
  exportStream(query: PathQuery, options?: CallOptions): Promise<Export>;
}

/** Trove without HTTP. */
export interface Engine extends Operations, AsyncDisposable {
  /** Works on queued jobs in this process until the engine closes; repeated calls have no effect. */
  startWorker(): void;
  /**
   * A text without the secrets of any configured plugin, cut to about 10,000 characters: for what an application logs of
   * errors that nobody caught.
   */
  redact(text: string): string;
  /**
   * Stops working, gives back unfinished work, closes everything. Idempotent; takes at most 10 s. Throws an
   * AggregateError of whatever could not be closed.
   */
  close(): Promise<void>;
}
