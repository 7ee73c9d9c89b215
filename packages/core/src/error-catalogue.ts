/** The HTTP status, cause and usual remedy of an error code. */
export interface ErrorEntry {
  /** HTTP status. 0 for codes that appear only in `JobResponse.error`. */
  readonly status: number;
  readonly cause: string;
  readonly remedy: string;
}

/** All error codes. A published code never changes its meaning. */
export const errorCatalogue = {
  unauthorized: {
    status: 401,
    cause: 'The bearer token is missing or wrong.',
    remedy:
      'Send the header `Authorization: Bearer <token>` with a valid token, such as the one in `server.token` in the home of the server.',
  },
  host_not_allowed: {
    status: 403,
    cause: 'A server without a token was addressed by another name than localhost.',
    remedy: 'Address the server as localhost or 127.0.0.1, or configure it to require a token.',
  },
  forbidden: {
    status: 403,
    cause: 'The rights or the paths of the caller do not permit the operation.',
    remedy:
      'Send a token with the right that the detail names. The token from `server.token` in the home of the server has all rights.',
  },
  origin_not_allowed: {
    status: 403,
    cause: 'A web page from another site or port called a server without a token.',
    remedy:
      'Add the origin of the page to `[server].cors_origins`, or configure the server to require a token.',
  },
  expectation_failed: {
    status: 417,
    cause: 'The header `Expect` has another value than `100-continue`.',
    remedy: 'Omit the header.',
  },
  path_not_allowed: {
    status: 403,
    cause:
      'The path lies outside the allowed roots, or the user of the server process has no permission to read it.',
    remedy:
      'Add its folder to `[server].allowed_roots` in server.toml, or give that user permission to read it.',
  },
  validation_error: {
    status: 422,
    cause: 'The request is malformed, has an unknown field, or has a value out of range.',
    remedy: 'Correct the field that the detail names. /openapi.json describes each request.',
  },
  not_found: {
    status: 404,
    cause: 'The path, object, connector or job does not exist.',
    remedy: 'List the sources with `status` and their contents with `ls`.',
  },
  filter_invalid: {
    status: 400,
    cause: 'A filter on document metadata is invalid.',
    remedy: 'Write a filter such as `year >= 2020 and author = "Ada"`.',
  },
  locator_not_found: {
    status: 404,
    cause: 'The object no longer contains the part that the locator names.',
    remedy: 'Search again for a new locator, or read the object without one.',
  },
  method_not_allowed: {
    status: 405,
    cause: 'The route does not support this method.',
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
    remedy: 'Wait for the end of the removal, then add the source again.',
  },
  connector_already_registered: {
    status: 409,
    cause: 'The source is registered with another configuration.',
    remedy:
      'Pass `update` to replace the configuration, or omit the configuration to sync with the existing one.',
  },
  source_differs: {
    status: 409,
    cause: 'Most objects of the source are not at its new place.',
    remedy: 'Correct the new place, or confirm the move with `force`.',
  },
  backup_running: {
    status: 409,
    cause: 'The server is writing another backup.',
    remedy: 'Wait until it is done.',
  },
  token_exists: {
    status: 409,
    cause: 'A token with this name exists.',
    remedy: 'Choose another name, or rotate or revoke that token.',
  },
  graph_busy: {
    status: 409,
    cause: 'The graph is being built or deleted.',
    remedy: 'Wait until it is done. The lease of a process that died expires after half a minute.',
  },
  index_mismatch: {
    status: 409,
    cause: 'A graph, or a collection of that name, was built with another embedder or dimension.',
    remedy:
      'Configure that embedder again, or delete the graph and build it again. For sources, configure an empty index.',
  },
  payload_too_large: {
    status: 413,
    cause:
      'The request body exceeds its size limit, or the result of a request in a batch does not fit into `max_bytes`.',
    remedy: 'Send a smaller body, or request that result alone.',
  },
  unsupported_media_type: {
    status: 415,
    cause: 'The route does not accept the media type of the request body.',
    remedy: 'Send JSON with `Content-Type: application/json`.',
  },
  object_too_large_for_cat: {
    status: 400,
    cause: 'The object is too large to read at once.',
    remedy: 'Read part of it with `head`, `tail` or a range, or all of it with `export`.',
  },
  document_encrypted: {
    status: 400,
    cause: 'The document is encrypted, so its text cannot be read.',
    remedy: 'Save a copy of the document without a password.',
  },
  document_damaged: {
    status: 400,
    cause: 'The document is damaged, or has another format than it claims.',
    remedy: 'Open the document in its application and save it again.',
  },
  document_empty: {
    status: 400,
    cause:
      'The document has no text. It is empty, or contains only pictures such as scanned pages.',
    remedy: 'Add a text layer to scanned pages with OCR software.',
  },
  document_too_complex: {
    status: 400,
    cause: 'Converting the document exceeds the time or memory limit for one document.',
    remedy: 'Split it into smaller documents, or save it in a simpler format.',
  },
  is_directory: {
    status: 400,
    cause: 'The path is a directory.',
    remedy: 'List it with `ls`.',
  },
  range_unsupported: {
    status: 400,
    cause: 'The object does not consist of bytes.',
    remedy: 'Read the whole object, or a part of it with `range` or a locator.',
  },
  density_unsupported: {
    status: 400,
    cause: 'The object cannot be shown at this density.',
    remedy: 'Read it with density `deep`, or omit the density.',
  },
  tail_unsupported: {
    status: 400,
    cause: 'The object has no stable order, so it has no end.',
    remedy: 'Use `head` or `export`.',
  },
  not_supported: {
    status: 400,
    cause: 'The connector of this source does not support the operation.',
    remedy: 'Check the capabilities that `ls` and `inspect` report.',
  },
  remove_requires_connector_root: {
    status: 400,
    cause: 'Only a registered source can be removed, not a path inside it.',
    remedy:
      'Remove the source by its root. To exclude a path from the index, list it in a .troveignore file.',
  },
  since_unsupported: {
    status: 400,
    cause: 'The connector cannot list objects by time.',
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
    cause: 'The configuration does not match its schema.',
    remedy: 'Correct the key that the detail names.',
  },
  upload_invalid: {
    status: 400,
    cause: 'The upload is not a valid archive.',
    remedy:
      'Send a tar archive of regular files with relative paths, optionally compressed with gzip or zstd.',
  },
  connector_unhealthy: {
    status: 502,
    cause: 'The source could not be reached, or refused the credentials.',
    remedy:
      'Check that the source exists, that the server can reach it, and that the credentials are valid.',
  },
  rate_limited: {
    status: 503,
    cause: 'The service of the source limits the number of requests and refuses more for now.',
    remedy:
      'Wait for the time that the detail or `Retry-After` names. A sync of the source waits by itself.',
  },
  embedding_unavailable: {
    status: 502,
    cause: 'The embedding provider cannot be reached.',
    remedy: 'Check `[embedding]` in server.toml. `mode=keyword` searches without the provider.',
  },
  not_available: {
    status: 501,
    cause: 'No installed plugin supports this, or its driver is missing.',
    remedy: 'Install the package that the suggestion names.',
  },
  plugin_not_exported: {
    status: 501,
    cause: 'A plugin package is installed, but its `exports` prevent importing it.',
    remedy: 'Ask its author to add a `default` condition to the `.` entry of its `exports`.',
  },
  plugin_failed_to_load: {
    status: 501,
    cause: 'A plugin package is installed, but importing it failed.',
    remedy: 'See the cause. Reinstalling the package often helps.',
  },
  plugin_invalid: {
    status: 501,
    cause: 'A package was imported, but does not export a valid plugin.',
    remedy:
      'Correct the member that the detail names. The conformance suites of @trove/testkit check a plugin.',
  },
  plugin_api_mismatch: {
    status: 501,
    cause: 'A plugin was written for another version of the plugin API.',
    remedy: 'Install matching versions of the plugin and Trove.',
  },
  overloaded: {
    status: 503,
    cause: 'The queue of the server is full.',
    remedy: 'Try again after the time in `Retry-After`.',
  },
  engine_closed: {
    status: 503,
    cause: 'The engine is closed or closing.',
    remedy: 'Create a new engine, or wait for the server to come back.',
  },
  not_ready: {
    status: 503,
    cause: 'A database or the index of the server does not respond.',
    remedy: 'The detail names the component. The log has the reason.',
  },
  storage_unavailable: {
    status: 503,
    cause: 'The home folder, the database or the index cannot be opened, read or written.',
    remedy:
      'Check that the disk is not full, that the folder is writable and that the database is running.',
  },
  disk_full: {
    status: 507,
    cause: 'A disk of the server is full, or its quota is exhausted.',
    remedy: 'Free space on the disk that `status` names. Queued work then continues.',
  },
  timed_out: {
    status: 504,
    cause: 'The operation exceeded its time limit.',
    remedy: 'Narrow the request, or try again later.',
  },
  internal_error: {
    status: 500,
    cause: 'An unexpected error occurred.',
    remedy: 'The log has the cause under the same request id.',
  },
  listing_incomplete: {
    status: 0,
    cause:
      'Part of the source could not be listed. Everything else was indexed, and no object was removed.',
    remedy:
      'Give the server access to the part that the detail names, or exclude it. The next sync tries again.',
  },
  embedding_auth_failed: {
    status: 0,
    cause: 'The embedding provider rejected the API key.',
    remedy: 'Set a valid `[embedding].api_key`, then add the source again.',
  },
  embedding_quota_exceeded: {
    status: 0,
    cause: 'The embedding provider reports an exhausted quota.',
    remedy: 'Raise the quota or wait, then add the source again.',
  },
  embedding_incomplete: {
    status: 0,
    cause: 'Some chunks of an object could not be embedded, so only keywords find them.',
    remedy: 'The log has the reason. The next sync tries again.',
  },
  records_incomplete: {
    status: 0,
    cause: 'Some records of an object could not be indexed. The other records were.',
    remedy: 'Correct the source or its connector as the message says. The next sync tries again.',
  },
  llm_unavailable: {
    status: 0,
    cause: 'The provider of the language model cannot be reached or does not respond.',
    remedy: 'Check `[llm]` in server.toml and the provider. The next sync tries again.',
  },
  llm_auth_failed: {
    status: 0,
    cause: 'The provider of the language model rejected the API key.',
    remedy: 'Set a valid `[llm].api_key`, then add the source again.',
  },
  llm_quota_exceeded: {
    status: 0,
    cause: 'The provider of the language model reports an exhausted quota.',
    remedy: 'Raise the quota or wait, then add the source again.',
  },
  llm_answer_invalid: {
    status: 0,
    cause: 'The answer of the language model was empty or did not have the requested form.',
    remedy: 'Choose a more capable model in `[llm].model`. The next sync tries again.',
  },
  llm_budget_exceeded: {
    status: 0,
    cause: 'Another call to the language model could exceed the token limit of the job.',
    remedy: 'The next sync continues. Raise `[llm].max_tokens_per_job` to do more in one job.',
  },
  process_died: {
    status: 0,
    cause: 'The process that ran the job died repeatedly, so the job was stopped.',
    remedy: 'Check the end of the server log, then add the source again.',
  },
  circuit_breaker_tripped: {
    status: 0,
    cause:
      'Several consecutive objects failed because of the same problem with the provider, so the job stopped.',
    remedy:
      'Fix the problem that the failures name, then add the source again. Finished work is kept.',
  },
  cancelled: {
    status: 0,
    cause: 'The job was cancelled.',
    remedy: 'Add the source again to continue. Finished work is kept.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorCatalogue, value);
}
