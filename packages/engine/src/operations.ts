import type { Infer, JsonSchema } from '@trove/core';
import { acceptRequest } from '@trove/runtime';
import type { CallOptions, Export, SourceText, TextsOptions } from './api/calls.js';
import {
  addRequestSchema,
  catQuerySchema,
  filesUploadQuerySchema,
  grepQuerySchema,
  jobIdSchema,
  jobsQuerySchema,
  linesQuerySchema,
  pathQuerySchema,
  probeRequestSchema,
  searchQuerySchema,
  targetQuerySchema,
  uploadQuerySchema,
  type AddRequest,
  type AddResponse,
  type CancelResponse,
  type CatQuery,
  type CatResponse,
  type EstimateResponse,
  type FilesUploadQuery,
  type GrepQuery,
  type GrepResponse,
  type InspectResponse,
  type JobResponse,
  type JobsQuery,
  type LinesQuery,
  type LsResponse,
  type ManifestRequest,
  type ManifestResponse,
  type ObjectMeta,
  type PathQuery,
  type ProbeRequest,
  type ProbeResponse,
  type ReadyResponse,
  type RemoveResponse,
  type SearchQuery,
  type SearchResponse,
  type ServerInfo,
  type StatusResponse,
  type TargetQuery,
  type UploadQuery,
} from './api/schemas.js';
import type { Services } from './compose.js';

/**
 * The operations of an engine. Targets and paths are absolute paths or URIs. Answers contain canonical URIs. Every method
 * validates its input (`validation_error`) and throws only TroveErrors, or the reason of an aborted signal. After
 * `close`, methods throw `engine_closed`.
 */
export interface Operations {
  /** The version, the machine and the installed schemes. */
  serverInfo(options?: CallOptions): Promise<ServerInfo>;
  /**
   * Resolves when databases and index answer. The warning `disk_low` means that little disk space is left. Throws
   * `not_ready` within 2 s with the names of those that do not answer. The answer is up to 1 s old, the warning up to 5 s.
   */
  ready(options?: CallOptions): Promise<ReadyResponse>;
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
  /**
   * Takes the regular files of a tar archive (plain, gzip or zstd) as the source `file://NAME`, and syncs it; resolves
   * when the job has ended, or with `process: false` when it is queued. It is a snapshot: files that are not in it are
   * removed. Nothing changes unless the whole archive is acceptable. Throws `upload_invalid`, `payload_too_large`,
   * `sync_already_running`, `connector_removing` and `not_available`.
   */
  upload(
    query: UploadQuery,
    archive: AsyncIterable<Uint8Array>,
    options?: CallOptions,
  ): Promise<AddResponse>;
  /**
   * What a client has to send so that `file://CLIENT/ROOT` has the files it has now, by sizes and times. Registers
   * nothing. A request that came as JSON may be passed on as its bytes. Throws `payload_too_large`.
   */
  filesManifest(
    request: ManifestRequest | AsyncIterable<Uint8Array>,
    options?: CallOptions,
  ): Promise<ManifestResponse>;
  /**
   * Receives changed files: an archive whose first member, `.trove-meta.json`, names its files with their SHA-1, and the
   * renamed and deleted files. Otherwise like `upload`.
   */
  uploadFiles(
    query: FilesUploadQuery,
    bundle: AsyncIterable<Uint8Array>,
    options?: CallOptions,
  ): Promise<AddResponse>;
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
  /**
   * Reads the texts of all objects at or below a path from the source, one after another. The path is a path of this
   * machine, registered or not, or a URI of a registered source. Ignored and too large objects are left out. Objects that
   * cannot be read are yielded as problems. Iterating throws `not_found`, `path_not_allowed` and errors of opening a source.
   */
  texts(query: PathQuery, options?: TextsOptions): Promise<AsyncIterable<SourceText>>;
}

/** A call goes on until these items have ended, not just until it has answered. */
export type KeepOpen = <T>(items: AsyncIterable<T>) => AsyncIterable<T>;

/** Runs what a caller asks for, within the life of the engine. */
export type RunOperation = <A>(
  options: CallOptions | undefined,
  use: (services: Services, signal: AbortSignal, lasting: KeepOpen) => Promise<A>,
) => Promise<A>;

/** Every operation of an engine: what a valid request of it is, and which service answers. */
export function createOperations(call: RunOperation): Operations {
  const withRequest =
    <const S extends JsonSchema, A>(
      schema: S,
      answer: (services: Services, request: Infer<S>, signal: AbortSignal) => Promise<A>,
    ) =>
    (request: unknown = {}, options?: CallOptions): Promise<A> =>
      call(options, async (services, signal) =>
        answer(services, acceptRequest(schema, request), signal),
      );
  const withBytes =
    <const S extends JsonSchema, A>(
      schema: S,
      answer: (
        services: Services,
        request: Infer<S>,
        bytes: AsyncIterable<Uint8Array>,
        signal: AbortSignal,
      ) => Promise<A>,
    ) =>
    (request: unknown, bytes: AsyncIterable<Uint8Array>, options?: CallOptions): Promise<A> =>
      call(options, async (services, signal) =>
        answer(services, acceptRequest(schema, request), bytes, signal),
      );
  const withoutRequest =
    <A>(answer: (services: Services, signal: AbortSignal) => Promise<A>) =>
    (options?: CallOptions): Promise<A> =>
      call(options, answer);

  return {
    serverInfo: withoutRequest(async ({ status }) => status.serverInfo()),
    ready: withoutRequest(({ readiness }) => readiness.check()),
    status: withoutRequest(({ status }) => status.status()),

    add: withRequest(addRequestSchema, ({ registration }, request, signal) =>
      registration.add(request, signal),
    ),
    upload: withBytes(uploadQuerySchema, ({ uploads }, query, archive, signal) =>
      uploads.upload(query, archive, signal),
    ),
    // The thread that parses the manifest also validates it.
    filesManifest: (request, options) =>
      call(options, ({ uploads }, signal) => uploads.manifest(toBytes(request), signal)),
    uploadFiles: withBytes(filesUploadQuerySchema, ({ uploads }, query, bundle, signal) =>
      uploads.uploadFiles(query, bundle, signal),
    ),
    jobs: withRequest(jobsQuerySchema, ({ jobs }, query) => jobs.list(query)),
    job: withRequest(jobIdSchema, ({ jobs }, id) => jobs.get(id)),
    cancel: withRequest(jobIdSchema, ({ jobs }, id) => jobs.cancel(id)),
    waitForJob: withRequest(jobIdSchema, ({ jobs }, id, signal) => jobs.wait(id, signal)),

    probe: withRequest(probeRequestSchema, ({ probe }, request, signal) =>
      probe.probe(request, signal),
    ),
    estimate: withRequest(probeRequestSchema, ({ probe }, request, signal) =>
      probe.estimate(request, signal),
    ),
    inspect: withRequest(targetQuerySchema, ({ status }, query, signal) =>
      status.inspect(query, signal),
    ),
    remove: withRequest(targetQuerySchema, ({ removal }, query) => removal.remove(query)),

    search: withRequest(searchQuerySchema, ({ callers, search }, query, signal) =>
      callers.track(() => search.search(query, signal)),
    ),
    grep: withRequest(grepQuerySchema, ({ callers, grep }, query, signal) =>
      callers.track(() => grep.grep(query, signal)),
    ),
    ls: withRequest(pathQuerySchema, ({ callers, browse }, query, signal) =>
      callers.track(() => browse.ls(query, signal)),
    ),
    cat: withRequest(catQuerySchema, ({ callers, read }, query, signal) =>
      callers.track(() => read.cat(query, signal)),
    ),
    head: withRequest(linesQuerySchema, ({ callers, read }, query, signal) =>
      callers.track(() => read.head(query, signal)),
    ),
    tail: withRequest(linesQuerySchema, ({ callers, read }, query, signal) =>
      callers.track(() => read.tail(query, signal)),
    ),
    export: withRequest(pathQuerySchema, async ({ callers, read }, query, signal) =>
      collectExport(await callers.track(() => read.export(query, signal))),
    ),
    exportStream: (query, options) =>
      call(options, async ({ callers, read }, signal, lasting) => {
        const request = acceptRequest(pathQuerySchema, query);
        const made = await callers.track(() => read.export(request, signal));
        return { ...made, content: lasting(made.content) };
      }),
    texts: (query, options) =>
      call(options, async ({ texts }, signal, lasting) => {
        const { path } = acceptRequest(pathQuerySchema, query);
        return lasting(texts.texts(path, resolveTextsOptions(options), signal));
      }),
  };
}

function resolveTextsOptions({ filter: only, timeoutMs: maxMs }: TextsOptions = {}) {
  return { only: only ?? (() => true), maxMs: maxMs ?? 600_000 };
}

async function* toBytes(
  request: ManifestRequest | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  if (isByteStream(request)) yield* request;
  else yield new TextEncoder().encode(JSON.stringify(request));
}

/** A caller without types may pass anything. */
function isByteStream(request: unknown): request is AsyncIterable<Uint8Array> {
  return typeof request === 'object' && request !== null && Symbol.asyncIterator in request;
}

async function collectExport({ source, partial, content }: Export): Promise<CatResponse> {
  const pieces: string[] = [];
  for await (const piece of content) pieces.push(piece);
  return { source, partial, content: pieces.join('') };
}
