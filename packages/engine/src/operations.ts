import type { Infer, JsonSchema } from '@trove/core';
import { acceptRequest } from '@trove/runtime';
import type { AskCallOptions, CallOptions, Export, SourceText, TextsOptions } from './api/calls.js';
import type { OperationName } from './api/rights.js';
import {
  addRequestSchema,
  applySourcesRequestSchema,
  askRequestSchema,
  catQuerySchema,
  connectorTypeQuerySchema,
  createTokenRequestSchema,
  filesUploadQuerySchema,
  grepQuerySchema,
  jobIdSchema,
  jobsQuerySchema,
  linesQuerySchema,
  moveRequestSchema,
  pathQuerySchema,
  probeRequestSchema,
  readBatchRequestSchema,
  rotateTokenRequestSchema,
  tokenNameSchema,
  explainRequestSchema,
  searchBatchRequestSchema,
  scheduleRequestSchema,
  searchQuerySchema,
  sourceKindsRequestSchema,
  symbolsQuerySchema,
  targetQuerySchema,
  uploadQuerySchema,
  type AddRequest,
  type AddResponse,
  type ApplySourcesRequest,
  type ApplySourcesResponse,
  type AskRequest,
  type AskResponse,
  type CancelResponse,
  type CatQuery,
  type CatResponse,
  type ConnectorType,
  type ConnectorTypeQuery,
  type CreatedToken,
  type CreateTokenRequest,
  type EstimateResponse,
  type ExplainResponse,
  type ExportSourcesResponse,
  type ExplainRequest,
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
  type MoveRequest,
  type MoveResponse,
  type ObjectMeta,
  type PathQuery,
  type ProbeRequest,
  type ProbeResponse,
  type ReadBatchRequest,
  type ReadBatchResponse,
  type ReadyResponse,
  type RemoveResponse,
  type ScheduleRequest,
  type ScheduleResponse,
  type RevokedToken,
  type RotateTokenRequest,
  type SearchBatchRequest,
  type SearchBatchResponse,
  type SearchQuery,
  type SearchResponse,
  type ServerInfo,
  type SourceKinds,
  type SourceKindsRequest,
  type StatusResponse,
  type SymbolsQuery,
  type SymbolsResponse,
  type TargetQuery,
  type TokensResponse,
  type UploadQuery,
} from './api/schemas.js';
import type { CallerServices } from './restrict-services.js';
import { answerBatch } from './query/batch.js';

/**
 * The operations of an engine. Targets and paths are absolute paths or URIs, and answers contain canonical URIs.
 *
 * Every method validates its input (`validation_error`) and throws only `TroveError`s or the reason of an aborted
 * signal. After `close`, methods throw `engine_closed`.
 */
export interface Operations {
  /** Returns the version, the machine and the installed schemes. */
  serverInfo(options?: CallOptions): Promise<ServerInfo>;
  /**
   * Resolves if the databases and the index respond. The warning `disk_low` means that little disk space is left.
   * Throws `not_ready` within 2 s with the names of the dependencies that failed. The answer is up to 1 s old, the
   * warning up to 5 s.
   */
  ready(options?: CallOptions): Promise<ReadyResponse>;
  /** Returns all registered sources with their counts, and the number of jobs by status. */
  status(options?: CallOptions): Promise<StatusResponse>;

  /**
   * Registers a source, if it is new, and queues a sync. With `process`, also runs the job and resolves when it has
   * ended, successfully or not. Otherwise a worker (`startWorker`) in this or another process must run it.
   *
   * Throws `connector_unhealthy`, `config_invalid`, `credential_error`, `not_available`, `sync_already_running`,
   * `connector_already_registered`, `connector_removing`, `since_unsupported` and `path_not_allowed`. After an error,
   * nothing is registered.
   */
  add(request: AddRequest, options?: CallOptions): Promise<AddResponse>;
  /**
   * Stores the regular files of a tar archive (plain, gzip or zstd) as the source `file://NAME` and syncs it.
   * Resolves when the job has ended or, with `process: false`, when it is queued.
   *
   * The archive is a snapshot: files that it lacks are removed. Nothing changes if any part of the archive is
   * rejected. Throws `upload_invalid`, `payload_too_large`, `sync_already_running`, `connector_removing` and
   * `not_available`.
   */
  upload(
    query: UploadQuery,
    archive: AsyncIterable<Uint8Array>,
    options?: CallOptions,
  ): Promise<AddResponse>;
  /**
   * Compares sizes and times and returns which files a client must send to update `file://CLIENT/ROOT`. Registers
   * nothing. A JSON request may be passed as its bytes. Throws `payload_too_large`.
   */
  filesManifest(
    request: ManifestRequest | AsyncIterable<Uint8Array>,
    options?: CallOptions,
  ): Promise<ManifestResponse>;
  /**
   * Receives changed files in an archive. Its first member, `.trove-meta.json`, lists the files with their SHA-1, and
   * the renamed and deleted files. Otherwise like `upload`.
   */
  uploadFiles(
    query: FilesUploadQuery,
    bundle: AsyncIterable<Uint8Array>,
    options?: CallOptions,
  ): Promise<AddResponse>;
  /** Lists jobs, newest first. */
  jobs(query?: JobsQuery, options?: CallOptions): Promise<JobResponse[]>;
  /** Returns one job. Throws `not_found`. */
  job(id: string, options?: CallOptions): Promise<JobResponse>;
  /** Cancels a job and keeps finished work. Returns `cancelled: false` if it has already ended. Throws `not_found`. */
  cancel(id: string, options?: CallOptions): Promise<CancelResponse>;
  /** Resolves when the job has ended, successfully or not, without running it. Throws `not_found`. */
  waitForJob(id: string, options?: CallOptions): Promise<JobResponse>;

  /**
   * Checks whether a source can be reached. It need not be registered. An unreachable source is an answer (`ok:
   * false`), not an error.
   */
  probe(request: ProbeRequest, options?: CallOptions): Promise<ProbeResponse>;
  /** Estimates the size of an index of a source from a listing and a sample. */
  estimate(request: ProbeRequest, options?: CallOptions): Promise<EstimateResponse>;
  /**
   * Returns the requests that the next sync of a source makes, without making one. The source need not be registered. Throws
   * `not_supported` if its connector cannot tell.
   */
  explain(request: ExplainRequest, options?: CallOptions): Promise<ExplainResponse>;
  /** Returns the settings of a kind of source. Throws `not_available` if no plugin for it is installed. */
  connectorType(query: ConnectorTypeQuery, options?: CallOptions): Promise<ConnectorType>;
  /** Lists the kinds of sources, and recognises the kind of an address. */
  sourceKinds(request?: SourceKindsRequest, options?: CallOptions): Promise<SourceKinds>;
  /** Returns one source in detail, with secrets as `***`. Accepts any path inside the source. Throws `not_found`. */
  inspect(query: TargetQuery, options?: CallOptions): Promise<InspectResponse>;
  /**
   * Moves a registered source to another place and queues a sync. The job gives the rows of the index their new URIs, and
   * embeds only what differs. Searches find the source again while it runs.
   *
   * Throws `not_found`, `not_supported` for uploaded sources, `source_differs`, `connector_already_registered`,
   * `sync_already_running` and the errors of `add`. After an error, the source is where it was.
   */
  move(request: MoveRequest, options?: CallOptions): Promise<MoveResponse>;
  /**
   * Changes when a source is synced, without a sync: an omitted key stays, and null removes it. Throws `not_found`,
   * `connector_removing` and `config_invalid`.
   */
  schedule(request: ScheduleRequest, options?: CallOptions): Promise<ScheduleResponse>;
  /** Returns the definitions of all sources except uploaded ones. Secrets in plain text are `***`. */
  exportSources(options?: CallOptions): Promise<ExportSourcesResponse>;
  /**
   * Adds and updates sources until they equal their definitions. With `prune`, removes others. A change that fails is an
   * answer, not an error. A repeated call changes nothing.
   */
  applySources(request: ApplySourcesRequest, options?: CallOptions): Promise<ApplySourcesResponse>;
  /**
   * Ends the source's job, then removes the source and all its data. Throws `not_found`,
   * `remove_requires_connector_root` and `connector_removing`.
   */
  remove(query: TargetQuery, options?: CallOptions): Promise<RemoveResponse>;

  /**
   * Returns hits from the index, best first. With `fields`, hits lack all other members, although the type has them. Throws
   * `not_found` for a path outside all sources and `embedding_unavailable`.
   */
  search(query: SearchQuery, options?: CallOptions): Promise<SearchResponse>;
  /**
   * Answers up to 20 searches, four at once. An error of `search` becomes the result of its search, also
   * `payload_too_large` for a result that does not fit into `max_bytes`.
   */
  searchBatch(request: SearchBatchRequest, options?: CallOptions): Promise<SearchBatchResponse>;
  /**
   * Answers a question from indexed passages. Each statement cites a quote that occurs in its passage. Without a language
   * model, or if it fails, the answer quotes the sentences that cover the words of the question. Throws `not_found` for
   * a path outside all sources and `embedding_unavailable`.
   *
   * `onEvent` receives the passages, then the text while a language model writes it. The result replaces all events. It
   * is the same without `onEvent`.
   */
  ask(request: AskRequest, options?: AskCallOptions): Promise<AskResponse>;
  /** Returns matching lines, read from the sources themselves. Notices report skipped objects. Throws `not_found`. */
  grep(query: GrepQuery, options?: CallOptions): Promise<GrepResponse>;
  /**
   * Returns the definitions of a name and the lines that use it, read from the sources themselves. Throws
   * `validation_error` for a text without a name, and `not_found`.
   */
  symbols(query: SymbolsQuery, options?: CallOptions): Promise<SymbolsResponse>;
  /** Lists one level of a source with its index status. The path of an object lists that object. Throws `not_found`. */
  ls(query: PathQuery, options?: CallOptions): Promise<LsResponse>;
  /**
   * Returns an object's text, or the part selected by `range`, `locator` or `density`. With `meta`, returns only its
   * metadata.
   *
   * Throws `not_found`, `locator_not_found`, `is_directory`, `object_too_large_for_cat` (over 1,048,576 characters),
   * `not_supported` for objects without text, `range_unsupported` and `density_unsupported`.
   */
  cat(query: CatQuery, options?: CallOptions): Promise<CatResponse | ObjectMeta>;
  /** Answers up to 20 requests of `cat`, in the way of `searchBatch`. */
  readBatch(request: ReadBatchRequest, options?: CallOptions): Promise<ReadBatchResponse>;
  /**
   * Returns the first `n` lines or records, 1 to 10,000, default 20. Throws `not_found`, `is_directory`,
   * `not_supported` and `object_too_large_for_cat` (over 1,048,576 characters).
   */
  head(query: LinesQuery, options?: CallOptions): Promise<CatResponse>;
  /** Returns the last `n` lines or records. Throws the errors of `head` and `tail_unsupported`. */
  tail(query: LinesQuery, options?: CallOptions): Promise<CatResponse>;
  /** Returns the whole text of an object of any size. Throws `not_found`, `is_directory` and `not_supported`. */
  export(query: PathQuery, options?: CallOptions): Promise<CatResponse>;
  /** Like `export`, as a stream. */
  exportStream(query: PathQuery, options?: CallOptions): Promise<Export>;
  /**
   * Reads the texts of all objects at or below a path from the source, one after another. The path is a path of this
   * machine, registered or not, or a URI of a registered source.
   *
   * Ignored and too large objects are left out, and unreadable objects are yielded as problems. Iterating throws
   * `not_found`, `path_not_allowed` and errors of opening a source.
   */
  texts(query: PathQuery, options?: TextsOptions): Promise<AsyncIterable<SourceText>>;

  /** Lists the tokens of callers, also ended ones, by name. */
  tokens(options?: CallOptions): Promise<TokensResponse>;
  /** Creates a token. Only this answer contains it. Throws `token_exists`. */
  createToken(request: CreateTokenRequest, options?: CallOptions): Promise<CreatedToken>;
  /** Replaces a token by one with the same rights. The replaced one stays valid for the overlap. Throws `not_found`. */
  rotateToken(
    name: string,
    request?: RotateTokenRequest,
    options?: CallOptions,
  ): Promise<CreatedToken>;
  /** Ends a token and those that it replaced. Other processes accept it for up to 2 s. Throws `not_found`. */
  revokeToken(name: string, options?: CallOptions): Promise<RevokedToken>;
}

/** Keeps a call running until the items have ended. */
export type KeepOpen = <T>(items: AsyncIterable<T>) => AsyncIterable<T>;

/** Uses services for one call. */
export type UseServices<A, S = CallerServices> = (
  services: S,
  signal: AbortSignal,
  keepOpen: KeepOpen,
) => Promise<A>;

/** Runs an operation while the engine is open. Throws `forbidden` if the caller lacks its rights. */
export type RunOperation = <A>(
  name: OperationName,
  options: CallOptions | undefined,
  use: UseServices<A>,
) => Promise<A>;

/** Creates the operations: each validates its request and calls a service. */
export function createOperations(call: RunOperation): Operations {
  const withRequest =
    <const S extends JsonSchema, A>(
      name: OperationName,
      schema: S,
      answer: (services: CallerServices, request: Infer<S>, signal: AbortSignal) => Promise<A>,
    ) =>
    (request: unknown = {}, options?: CallOptions): Promise<A> =>
      call(name, options, async (services, signal) =>
        answer(services, acceptRequest(schema, request), signal),
      );
  const withBytes =
    <const S extends JsonSchema, A>(
      name: OperationName,
      schema: S,
      answer: (
        services: CallerServices,
        request: Infer<S>,
        bytes: AsyncIterable<Uint8Array>,
        signal: AbortSignal,
      ) => Promise<A>,
    ) =>
    (request: unknown, bytes: AsyncIterable<Uint8Array>, options?: CallOptions): Promise<A> =>
      call(name, options, async (services, signal) =>
        answer(services, acceptRequest(schema, request), bytes, signal),
      );
  const withoutRequest =
    <A>(
      name: OperationName,
      answer: (services: CallerServices, signal: AbortSignal) => Promise<A>,
    ) =>
    (options?: CallOptions): Promise<A> =>
      call(name, options, answer);

  return {
    serverInfo: withoutRequest(
      'serverInfo',
      async ({ serverStatus, access: { rights, paths } }) => ({
        ...serverStatus.serverInfo(),
        access: { rights, sees_all: paths === null },
      }),
    ),
    ready: withoutRequest('ready', ({ readiness }) => readiness.check()),
    status: withoutRequest('status', ({ status }) => status.status()),

    add: withRequest('add', addRequestSchema, ({ registration, syncPermission }, request, signal) =>
      registration.add(request, signal, syncPermission),
    ),
    upload: withBytes(
      'upload',
      uploadQuerySchema,
      ({ uploads, syncPermission }, query, archive, signal) =>
        uploads.upload(query, archive, signal, syncPermission),
    ),
    // The thread that parses the manifest also validates it.
    filesManifest: (request, options) =>
      call('filesManifest', options, ({ uploads, syncPermission }, signal) =>
        uploads.manifest(toBytes(request), signal, syncPermission),
      ),
    uploadFiles: withBytes(
      'uploadFiles',
      filesUploadQuerySchema,
      ({ uploads, syncPermission }, query, bundle, signal) =>
        uploads.uploadFiles(query, bundle, signal, syncPermission),
    ),
    jobs: withRequest('jobs', jobsQuerySchema, ({ jobs, visible }, query) =>
      jobs.list(query, visible),
    ),
    job: withRequest('job', jobIdSchema, ({ jobs, visible }, id) => jobs.get(id, visible)),
    cancel: withRequest('cancel', jobIdSchema, ({ jobs, visible }, id) => jobs.cancel(id, visible)),
    waitForJob: withRequest('waitForJob', jobIdSchema, ({ jobs, visible }, id, signal) =>
      jobs.wait(id, signal, visible),
    ),

    probe: withRequest('probe', probeRequestSchema, ({ probe }, request, signal) =>
      probe.probe(request, signal),
    ),
    estimate: withRequest('estimate', probeRequestSchema, ({ probe }, request, signal) =>
      probe.estimate(request, signal),
    ),
    explain: withRequest('explain', explainRequestSchema, ({ explain }, request, signal) =>
      explain.explain(request, signal),
    ),
    sourceKinds: withRequest(
      'sourceKinds',
      sourceKindsRequestSchema,
      ({ connectorTypes }, request) => connectorTypes.listKinds(request),
    ),
    connectorType: withRequest(
      'connectorType',
      connectorTypeQuerySchema,
      ({ connectorTypes }, query) => connectorTypes.describe(query),
    ),
    inspect: withRequest('inspect', targetQuerySchema, ({ status }, query, signal) =>
      status.inspect(query, signal),
    ),
    move: withRequest('move', moveRequestSchema, ({ moves }, request, signal) =>
      moves.move(request, signal),
    ),
    schedule: withRequest('schedule', scheduleRequestSchema, ({ registration }, request) =>
      registration.schedule(request),
    ),
    exportSources: withoutRequest('exportSources', ({ definitions }) => definitions.export()),
    applySources: withRequest(
      'applySources',
      applySourcesRequestSchema,
      ({ definitions, syncPermission }, request, signal) =>
        definitions.apply(request, signal, syncPermission),
    ),
    remove: withRequest('remove', targetQuerySchema, ({ removal }, query) => removal.remove(query)),

    search: withRequest('search', searchQuerySchema, ({ callers, search }, query, signal) =>
      callers.track(() => search.search(query, signal)),
    ),
    searchBatch: withRequest(
      'searchBatch',
      searchBatchRequestSchema,
      ({ callers, search }, request, signal) =>
        callers.track(() =>
          answerBatch({
            requests: request.queries,
            maxBytes: request.max_bytes,
            signal,
            answer: (query, either) => search.search(query, either),
          }),
        ),
    ),
    ask: (request, options) =>
      call('ask', options, async ({ ask }, signal) =>
        ask.ask(acceptRequest(askRequestSchema, request), signal, options?.onEvent),
      ),
    grep: withRequest('grep', grepQuerySchema, ({ callers, grep }, query, signal) =>
      callers.track(() => grep.grep(query, signal)),
    ),
    symbols: withRequest('symbols', symbolsQuerySchema, ({ callers, symbols }, query, signal) =>
      callers.track(() => symbols.find(query, signal)),
    ),
    ls: withRequest('ls', pathQuerySchema, ({ callers, browse }, query, signal) =>
      callers.track(() => browse.ls(query, signal)),
    ),
    cat: withRequest('cat', catQuerySchema, ({ callers, read }, query, signal) =>
      callers.track(() => read.cat(query, signal)),
    ),
    readBatch: withRequest(
      'readBatch',
      readBatchRequestSchema,
      ({ callers, read }, request, signal) =>
        callers.track(() =>
          answerBatch({
            requests: request.reads,
            maxBytes: request.max_bytes,
            signal,
            answer: (query, either) => read.cat(query, either),
          }),
        ),
    ),
    head: withRequest('head', linesQuerySchema, ({ callers, read }, query, signal) =>
      callers.track(() => read.head(query, signal)),
    ),
    tail: withRequest('tail', linesQuerySchema, ({ callers, read }, query, signal) =>
      callers.track(() => read.tail(query, signal)),
    ),
    export: withRequest('export', pathQuerySchema, async ({ callers, read }, query, signal) =>
      collectExport(await callers.track(() => read.export(query, signal))),
    ),
    exportStream: (query, options) =>
      call('exportStream', options, async ({ callers, read }, signal, keepOpen) => {
        const request = acceptRequest(pathQuerySchema, query);
        const result = await callers.track(() => read.export(request, signal));
        return { ...result, content: keepOpen(result.content) };
      }),
    texts: (query, options) =>
      call('texts', options, async ({ texts }, signal, keepOpen) => {
        const { path } = acceptRequest(pathQuerySchema, query);
        return keepOpen(texts.texts(path, resolveTextsOptions(options), signal));
      }),

    tokens: withoutRequest('tokens', ({ tokens }) => tokens.list()),
    createToken: (request, options) =>
      call('createToken', options, async ({ tokens }) =>
        tokens.create(acceptRequest(createTokenRequestSchema, request), callerOf(options)),
      ),
    rotateToken: (name, request = {}, options) =>
      call('rotateToken', options, async ({ tokens }) =>
        tokens.rotate(
          acceptRequest(tokenNameSchema, name),
          acceptRequest(rotateTokenRequestSchema, request),
          callerOf(options),
        ),
      ),
    revokeToken: (name, options) =>
      call('revokeToken', options, async ({ tokens }) =>
        tokens.revoke(acceptRequest(tokenNameSchema, name), callerOf(options)),
      ),
  };
}

/** Embedding applications need not name their callers. */
function callerOf(options: CallOptions | undefined): string {
  return options?.caller ?? 'application';
}

function resolveTextsOptions({ filter, timeoutMs }: TextsOptions = {}) {
  return { filter: filter ?? (() => true), timeoutMs: timeoutMs ?? 600_000 };
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
