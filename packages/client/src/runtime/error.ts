/** What a failed call is known by. */
export interface TroveApiFailure {
  /** HTTP status; 0 when there was no (whole) answer. */
  readonly status: number;
  /** Stable; switch on it. */
  readonly code: string;
  /** For people; not to be parsed. */
  readonly detail: string;
  readonly suggestions: readonly string[];
  readonly cause?: unknown;
}

/**
 * The one error of this client. Besides the server's own codes it carries `connection_failed` (no answer, or one that
 * broke off), `timeout`, `invalid_response` (not the JSON that the API promises) and `http_error` (a failure that is
 * not in the API's shape, from a proxy for example).
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
