/** Limits of the server. They apply to all clients. */
export interface HostLimits {
  /** From the request headers to the end of the response. */
  readonly requestTimeoutMs: number;
  /** Interval at which the token of a request in progress is checked again. */
  readonly callerCheckMs: number;
  /** Until the headers are complete. */
  readonly headersTimeoutMs: number;
  /** For a JSON body: from its headers to its end. For a streamed body: without data. */
  readonly receiveTimeoutMs: number;
  /** Minimum average rate of a streamed body after it has been idle for `receiveTimeoutMs` in total. */
  readonly receiveBytesPerS: number;
  /** Until a client that does not read its response is disconnected. */
  readonly stalledTimeoutMs: number;
  /** Maximum size of a JSON body. */
  readonly bodyBytes: number;
  /** Maximum size of a streamed body, unless its route has its own limit. */
  readonly uploadBytes: number;
  /** Maximum size of the request line and all headers. A query of 10,000 characters in any script fits. */
  readonly headerBytes: number;
  readonly concurrentRequests: number;
  /** Further connections are closed immediately. */
  readonly connections: number;
  /** Total bytes of finished responses that clients have not received yet, except streams. */
  readonly unsentBytes: number;
}

export const defaultLimits: HostLimits = {
  requestTimeoutMs: 300_000,
  callerCheckMs: 2000,
  headersTimeoutMs: 15_000,
  receiveTimeoutMs: 60_000,
  receiveBytesPerS: 8 * 1024,
  stalledTimeoutMs: 30_000,
  bodyBytes: 1024 * 1024,
  uploadBytes: 2 * 1024 ** 3,
  headerBytes: 192 * 1024,
  concurrentRequests: 1000,
  connections: 10_000,
  unsentBytes: 256 * 1024 * 1024,
};
