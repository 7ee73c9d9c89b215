/** What bounds a request, whoever sends it. */
export interface Limits {
  /** From the request's headers to the end of the answer. */
  readonly requestTimeoutMs: number;
  /** Until the headers are complete. */
  readonly headersTimeoutMs: number;
  /** Until the whole request, with its body, has come in. */
  readonly receiveTimeoutMs: number;
  /** Until a client that takes nothing of its answer is let go. */
  readonly stalledTimeoutMs: number;
  /** Of a JSON body. */
  readonly bodyBytes: number;
  /** Of all headers and the request line. A query of 10,000 characters of any script fits in. */
  readonly headerBytes: number;
  readonly concurrentRequests: number;
  /** Those beyond are closed at once. */
  readonly connections: number;
  /** Of answers that are made and not taken yet, streams aside. */
  readonly unsentBytes: number;
}

export const defaultLimits: Limits = {
  requestTimeoutMs: 300_000,
  headersTimeoutMs: 15_000,
  receiveTimeoutMs: 60_000,
  stalledTimeoutMs: 30_000,
  bodyBytes: 1024 * 1024,
  headerBytes: 192 * 1024,
  concurrentRequests: 1000,
  connections: 10_000,
  unsentBytes: 256 * 1024 * 1024,
};
