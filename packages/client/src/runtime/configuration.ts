/** How to reach a server. */
export interface ClientConfiguration {
  /** Default: `http://127.0.0.1:8765`. A path in it is kept as a prefix. */
  readonly baseUrl?: string | undefined;
  /** Sent as `Authorization: Bearer <token>`; nothing is sent without one. */
  readonly token?: string | undefined;
  /** Milliseconds until a call without a complete answer fails with `timeout`. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** Options of a single call. */
export interface CallOptions {
  /** Aborting it ends the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; replaces the configured `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
}

export const defaultBaseUrl = 'http://127.0.0.1:8765';
