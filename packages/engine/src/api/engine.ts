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

/** A call's own signal: aborting it ends the call, not the engine. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** An object's text in pieces, for objects of any size. */
export interface Export {
  readonly source: string;
  readonly partial: boolean;
  readonly content: AsyncIterable<string>;
}

/**
 * Trove without HTTP. Every method validates what it is given (`validation_error`) and throws only TroveErrors;
 * after `close`, `engine_closed`.
 */
export interface Engine extends AsyncDisposable {
  serverInfo(): Promise<ServerInfo>;
  status(): Promise<StatusResponse>;

  /** Registers and syncs a source. With `process`, resolves when the job has ended. */
  add(request: AddRequest, options?: CallOptions): Promise<AddResponse>;
  jobs(query?: JobsQuery): Promise<JobResponse[]>;
  job(id: string): Promise<JobResponse>;
  cancel(id: string): Promise<CancelResponse>;
  /** Resolves when the job has ended, whatever its outcome. */
  waitForJob(id: string, options?: CallOptions): Promise<JobResponse>;

  probe(request: ProbeRequest, options?: CallOptions): Promise<ProbeResponse>;
  estimate(request: ProbeRequest, options?: CallOptions): Promise<EstimateResponse>;
  inspect(query: TargetQuery): Promise<InspectResponse>;
  remove(query: TargetQuery): Promise<RemoveResponse>;

  search(query: SearchQuery, options?: CallOptions): Promise<SearchResponse>;
  grep(query: GrepQuery, options?: CallOptions): Promise<GrepResponse>;
  ls(query: PathQuery, options?: CallOptions): Promise<LsResponse>;
  cat(query: CatQuery, options?: CallOptions): Promise<CatResponse | ObjectMeta>;
  head(query: LinesQuery, options?: CallOptions): Promise<CatResponse>;
  tail(query: LinesQuery, options?: CallOptions): Promise<CatResponse>;
  export(query: PathQuery, options?: CallOptions): Promise<CatResponse>;
  exportStream(query: PathQuery, options?: CallOptions): Promise<Export>;

  /** Works on queued jobs in this process until the engine closes; calling it again changes nothing. */
  startWorker(): void;
  /** Stops working, gives back what is not finished, closes everything. Idempotent; at most 10 s. */
  close(): Promise<void>;
}
