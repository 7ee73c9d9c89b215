/** Limits on a request, whoever sends it. */
export interface HostLimits {
  /** From the request's headers to the end of the answer. */
  readonly requestTimeoutMs: number;
  /** Until the headers are complete. */
  readonly headersTimeoutMs: number;
  /** For a JSON body, from its headers to its end; for a streamed one, without anything coming. */
  readonly receiveTimeoutMs: number;
  /** What a streamed body must bring on average, once `receiveTimeoutMs` are spent with waiting for it. */
  readonly receiveBytesPerS: number;
  /** Until a client that reads nothing of its answer is disconnected. */
  readonly stalledTimeoutMs: number;
  /** Of a JSON body. */
  readonly bodyBytes: number;
  /** Of a body that is streamed, if its route names no limit of its own. */
  readonly uploadBytes: number;
  /** Of the request line and all headers. A query of 10,000 characters in any script fits. */
  readonly headerBytes: number;
  readonly concurrentRequests: number;
  /** Further ones are closed at once. */
  readonly connections: number;
  /** Of finished answers not yet received by clients, except streams. */
  readonly unsentBytes: number;
}

export const defaultLimits: HostLimits = {
  requestTimeoutMs: 300_000,
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
