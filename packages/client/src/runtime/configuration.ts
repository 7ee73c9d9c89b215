/** Configuration of the connection to a server. */
export interface ClientConfiguration {
  /** Default: `http://127.0.0.1:8765`. A path in it is kept as a prefix. */
  readonly baseUrl?: string | undefined;
  /** Sent as `Authorization: Bearer <token>`. Omitted without a token. */
  readonly token?: string | undefined;
  /** Milliseconds until an incomplete call fails with `timeout`. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; replaces the configured `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
}

export const defaultBaseUrl = 'http://127.0.0.1:8765';
