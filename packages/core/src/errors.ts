/** How an error code is rendered: its HTTP status, its cause and the usual remedy. */
export interface ErrorEntry {
  /** HTTP status; 0 for codes that only appear in `JobResponse.error`. */
  readonly status: number;
  readonly cause: string;
  readonly remedy: string;
}

/** Every code Trove can answer with. A published code never changes its meaning. */
export const errorCatalogue = {
  unauthorized: {
    status: 401,
    cause: 'The bearer token is missing or wrong.',
    remedy:
      'Send the header `Authorization: Bearer <token>`; the server keeps its token in `server.token` in its home.',
  },
  host_not_allowed: {
    status: 403,
    cause: 'A server without a token was addressed by a name that is not this machine.',
    remedy: 'Address the server as localhost or 127.0.0.1, or make it require a token.',
  },
  forbidden: {
    status: 403,
    cause: 'What the request carries allows reading only.',
    remedy: 'Send the token itself: `server.token` in the home of the server has it.',
  },
  origin_not_allowed: {
    status: 403,
    cause: 'A web page of another site, or of another port, called a server without a token.',
    remedy:
      'List the origin of the page in `[server].cors_origins`, or make the server require a token.',
  },
  expectation_failed: {
    status: 417,
    cause: 'The header `Expect` asks for something other than `100-continue`.',
    remedy: 'Leave the header out.',
  },
  path_not_allowed: {
    status: 403,
    cause:
      'The path lies outside the folders that may be added, or the user that the server runs as may not read it.',
    remedy:
      'Add its folder to `[server].allowed_roots` in server.toml, or give that user the right to read it.',
  },
  validation_error: {
    status: 422,
    cause: 'The request is malformed, has an unknown field or a value out of bounds.',
    remedy: 'Correct the place that the detail names; /openapi.json describes each request.',
  },
  not_found: {
    status: 404,
    cause: 'The path, object, connector or job does not exist.',
    remedy: 'List what there is: `status` has the sources, `ls` what is in them.',
  },
  filter_invalid: {
    status: 400,
    cause: 'A filter over the metadata of documents is not valid.',
    remedy: 'Write it like `year >= 2020 and author = "Ada"`.',
  },
  locator_not_found: {
    status: 404,
    cause: 'What the locator points at is no longer in the object.',
    remedy: 'Search again for a fresh locator, or read the object without one.',
  },
  method_not_allowed: {
    status: 405,
    cause: 'The route exists, but not for this method.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  sync_already_running: {
    status: 409,
    cause: 'A sync of this source is already queued or running.',
    remedy: 'Wait for the running job, or cancel it first.',
  },
  connector_removing: {
    status: 409,
    cause: 'The source is being removed.',
    remedy: 'Wait until the removal is done, then add the source again.',
  },
  connector_already_registered: {
    status: 409,
    cause: 'The source is registered with another configuration.',
    remedy:
      'Pass `update` to replace its configuration, or leave the configuration out to sync it as it is.',
  },
  graph_busy: {
    status: 409,
    cause: 'The graph is being built or deleted.',
    remedy:
      'Wait until that is done. What a process that died held is free again after half a minute.',
  },
  index_mismatch: {
    status: 409,
    cause: 'A graph, or a collection of that name, was built with another embedder or dimension.',
    remedy:
      'Go back to that embedder, or delete the graph and build it again; for sources, name an empty index.',
  },
  payload_too_large: {
    status: 413,
    cause: 'The request body exceeds its size limit.',
    remedy: 'Send a smaller body.',
  },
  unsupported_media_type: {
    status: 415,
    cause: 'The request body is not of a media type that the route accepts.',
    remedy: 'Send JSON with `Content-Type: application/json`.',
  },
  object_too_large_for_cat: {
    status: 400,
    cause: 'The object is too large to be read in one piece.',
    remedy: 'Read a part with `head`, `tail` or a range, or all of it with `export`.',
  },
  document_encrypted: {
    status: 400,
    cause: 'The document is encrypted, so its text cannot be read.',
    remedy: 'Save a copy of it without a password beside it.',
  },
  document_damaged: {
    status: 400,
    cause: 'The document is damaged, or not of the format that it says it is.',
    remedy: 'Open it in the program that it is from, and save it anew.',
  },
  document_empty: {
    status: 400,
    cause: 'The document has no text: it is empty, or consists of pictures such as scanned pages.',
    remedy: 'Recognise the text of scanned pages with OCR software, and save it in the document.',
  },
  document_too_complex: {
    status: 400,
    cause: 'To convert the document takes more time or memory than one document gets.',
    remedy: 'Split it into smaller documents, or save it in a simpler format.',
  },
  is_directory: {
    status: 400,
    cause: 'The path is a directory.',
    remedy: 'List it with `ls`.',
  },
  range_unsupported: {
    status: 400,
    cause: 'The object has no bytes to take a range of.',
    remedy: 'Read it whole, with `range`, or with a locator.',
  },
  density_unsupported: {
    status: 400,
    cause: 'The object cannot be shown at this density.',
    remedy: 'Read it with density `deep`, or without one.',
  },
  tail_unsupported: {
    status: 400,
    cause: 'The object has no stable order to take the end of.',
    remedy: 'Use `head` or `export`.',
  },
  not_supported: {
    status: 400,
    cause: 'The connector of this source does not support the operation.',
    remedy: 'See the capabilities that `ls` and `inspect` report.',
  },
  remove_requires_connector_root: {
    status: 400,
    cause: 'Only a registered source can be removed, not a path inside it.',
    remedy:
      'Remove the source by its root; to leave a path out of the index, name it in a .troveignore file.',
  },
  since_unsupported: {
    status: 400,
    cause: 'The connector has no time cursor.',
    remedy: 'Sync without `since`.',
  },
  credential_error: {
    status: 400,
    cause: 'A credential reference could not be resolved.',
    remedy:
      'Set the environment variable for the server process, or give `file:` the absolute path of a readable regular file of at most 64 KiB.',
  },
  config_invalid: {
    status: 400,
    cause: 'A configuration does not match its schema.',
    remedy: 'Correct the key that the detail names.',
  },
  upload_invalid: {
    status: 400,
    cause: 'The upload is not an acceptable archive.',
    remedy:
      'Send a tar, plain or compressed with gzip or zstd, of regular files with relative paths.',
  },
  connector_unhealthy: {
    status: 502,
    cause: 'The source could not be reached, or refused the credentials.',
    remedy:
      'Check that the source exists, is reachable from the server and that its credentials are valid.',
  },
  embedding_unavailable: {
    status: 502,
    cause: 'The embedding provider cannot be reached.',
    remedy: 'Check `[embedding]` in server.toml; `mode=keyword` searches without it.',
  },
  not_available: {
    status: 501,
    cause: 'No installed plugin serves this, or its driver is missing.',
    remedy: 'Install the package that the suggestion names.',
  },
  plugin_not_exported: {
    status: 501,
    cause: 'A plugin package is installed, but its `exports` do not let it be imported.',
    remedy: 'Ask its author to add a `default` condition to the `.` entry of its `exports`.',
  },
  plugin_failed_to_load: {
    status: 501,
    cause: 'A plugin package is installed, but importing it failed.',
    remedy: 'See the cause; reinstalling the package often helps.',
  },
  plugin_invalid: {
    status: 501,
    cause: 'A package was imported, but what it exports is not a valid plugin.',
    remedy:
      'Correct the member that the detail names; the conformance suites of @trove/testkit check a plugin.',
  },
  plugin_api_mismatch: {
    status: 501,
    cause: 'A plugin was written for another version of the plugin API.',
    remedy: 'Install versions of the plugin and of Trove that match.',
  },
  overloaded: {
    status: 503,
    cause: 'The server has as much work queued as it accepts.',
    remedy: 'Try again after the time in `Retry-After`.',
  },
  engine_closed: {
    status: 503,
    cause: 'The engine is closed or closing.',
    remedy: 'Create a new engine, or wait for the server to come back.',
  },
  not_ready: {
    status: 503,
    cause: 'A database or the index of the server does not answer.',
    remedy: 'The log has the reason; the detail names what it is about.',
  },
  storage_unavailable: {
    status: 503,
    cause: 'The home, the database or the index cannot be opened, read or written.',
    remedy:
      'Check that the disk is not full, that the folder is writable and that the database is running.',
  },
  disk_full: {
    status: 507,
    cause: 'A disk that the server writes to is full, or its quota is used up.',
    remedy:
      'Free some space on the disk that `status` names. Work that is queued goes on by itself.',
  },
  timed_out: {
    status: 504,
    cause: 'The operation took longer than allowed.',
    remedy: 'Narrow the request, or try again later.',
  },
  internal_error: {
    status: 500,
    cause: 'Something failed that should not have.',
    remedy: 'The log has the cause, under the same request id.',
  },
  listing_incomplete: {
    status: 0,
    cause:
      'A part of the source could not be listed: everything else was indexed, and nothing was removed.',
    remedy:
      'Let the server read what the detail names, or keep it out of the source; the next sync tries again.',
  },
  embedding_auth_failed: {
    status: 0,
    cause: 'The embedding provider refused the API key.',
    remedy: 'Set a valid `[embedding].api_key`, then add the source again.',
  },
  embedding_quota_exceeded: {
    status: 0,
    cause: 'The embedding provider reports an exhausted quota.',
    remedy: 'Raise the quota or wait, then add the source again.',
  },
  embedding_incomplete: {
    status: 0,
    cause: 'Some chunks of an object could not be embedded: they are found by keyword only.',
    remedy: 'See the log for what the embedder refused; the next sync tries again.',
  },
  records_incomplete: {
    status: 0,
    cause: 'Some records of an object cannot be indexed: the others are.',
    remedy:
      'Mend what the message names in the source or its connector; the next sync tries again.',
  },
  llm_unavailable: {
    status: 0,
    cause: 'The provider of the language model cannot be reached, or fails to answer.',
    remedy: 'Check `[llm]` in server.toml and that the provider is up; the next sync tries again.',
  },
  llm_auth_failed: {
    status: 0,
    cause: 'The provider of the language model refused the API key.',
    remedy: 'Set a valid `[llm].api_key`, then add the source again.',
  },
  llm_quota_exceeded: {
    status: 0,
    cause: 'The provider of the language model reports an exhausted quota.',
    remedy: 'Raise the quota or wait, then add the source again.',
  },
  llm_answer_invalid: {
    status: 0,
    cause: 'The language model answered with nothing, or not in the form that was asked for.',
    remedy: 'Choose a more capable model as `[llm].model`; the next sync tries again.',
  },
  llm_allowance_spent: {
    status: 0,
    cause: 'Another call of the language model might exceed the tokens that the job may spend.',
    remedy: 'The next sync goes on; raise `[llm].max_tokens_per_job` to have more done at once.',
  },
  process_died: {
    status: 0,
    cause: 'The process that worked on the job died repeatedly, so the job was set aside.',
    remedy: "Look at the end of the server's log, then add the source again.",
  },
  circuit_breaker_tripped: {
    status: 0,
    cause:
      'Several objects in a row failed because of the same problem with the provider, so the job stopped.',
    remedy: 'Fix what the failures name, then add the source again; finished work is kept.',
  },
  cancelled: {
    status: 0,
    cause: 'The job was cancelled.',
    remedy: 'Add the source again to continue; finished work is kept.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

/** One thing that is wrong with a value. */
export interface Violation {
  /** Where, from the outside in: `['query', 'top_k']`. */
  readonly path: readonly string[];
  /** For people: `must be >= 1`. */
  readonly reason: string;
  /** The keyword of the schema that is not met: `minimum`. */
  readonly rule: string;
}

export interface TroveErrorOptions {
  readonly suggestions?: readonly string[];
  readonly cause?: unknown;
  /**
   * A plugin's own error code, shown instead of the code that it is based on: a key of the plugin, a dot, and a word
   * (`slack.missing_scope`).
   */
  readonly pluginCode?: string;
  /** Whether the same call may succeed later. Default false. */
  readonly retryable?: boolean;
  /** The earliest time for a retry, in milliseconds from now, if the source named one. */
  readonly retryAfterMs?: number;
  /** What the detail of a failed validation says, one by one. */
  readonly violations?: readonly Violation[];
  /** The job that goes on although the call has ended. */
  readonly jobId?: string;
}

const brand = Symbol.for('trove.error');

/** The only error class: a stable `code`, a `detail` for people, and `suggestions` of what to do. */
export class TroveError extends Error {
  readonly [brand] = true;
  override readonly name = 'TroveError';
  /** What the error means to us. */
  readonly code: ErrorCode;
  readonly pluginCode: string | undefined;
  readonly suggestions: readonly string[];
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly violations: readonly Violation[];
  readonly jobId: string | undefined;

  constructor(code: ErrorCode, detail: string, options: TroveErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.pluginCode = options.pluginCode;
    this.suggestions = options.suggestions ?? [errorCatalogue[code].remedy];
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.violations = options.violations ?? [];
    this.jobId = options.jobId;
  }

  /** The code to show and to keep: the plugin's own, if it has one. */
  get publicCode(): string {
    return this.pluginCode ?? this.code;
  }

  /** The text for people; same as `message`. */
  get detail(): string {
    return this.message;
  }
}

/** True for a TroveError from any copy of this package: errors are recognised by their brand, not their class. */
export function isTroveError(value: unknown): value is TroveError {
  return typeof value === 'object' && value !== null && brand in value;
}

/** True for errors of the server's own storage. They do not concern an object or a source. */
export function isStorageError(value: unknown): value is TroveError {
  return (
    isTroveError(value) && (value.code === 'storage_unavailable' || value.code === 'disk_full')
  );
}

/**
 * The cause and the remedy of an error as sentences for people, such as in `Health.detail`. Leaves out the general
 * remedy of the error's code, which adds nothing to a specific message or contradicts it.
 */
export function describeError(thrown: unknown): string {
  if (!isTroveError(thrown)) return toSentence(messageOf(thrown));
  const general = isErrorCode(thrown.code) ? errorCatalogue[thrown.code].remedy : '';
  const own = thrown.suggestions.filter((text) => text !== general);
  return [thrown.detail, ...own].map(toSentence).join(' ');
}

function toSentence(text: string): string {
  return text.trim().replace(/[^.!?…]$/, '$&.');
}

/** The message of a thrown value of any type. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorCatalogue, value);
}
