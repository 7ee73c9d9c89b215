/** The properties of a failed call. */
export interface TroveApiFailure {
  /** HTTP status; 0 without a complete response. */
  readonly status: number;
  /** Stable, for programs. */
  readonly code: string;
  /** For people. Do not parse it. */
  readonly detail: string;
  readonly suggestions: readonly string[];
  readonly cause?: unknown;
}

/**
 * The only error of this client. Besides the server's codes it has `connection_failed` (no response or an incomplete
 * one), `timeout`, `invalid_response` (not the JSON of the API) and `http_error` (a failure in another format, such as
 * from a proxy).
 */
export class TroveApiError extends Error implements TroveApiFailure {
  override readonly name = 'TroveApiError';
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly suggestions: readonly string[];

  constructor(failure: TroveApiFailure) {
    super(
      `${failure.code}: ${failure.detail}`,
      failure.cause === undefined ? undefined : { cause: failure.cause },
    );
    this.status = failure.status;
    this.code = failure.code;
    this.detail = failure.detail;
    this.suggestions = failure.suggestions;
  }
}
