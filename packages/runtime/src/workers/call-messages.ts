import type { ErrorCode } from '@trove/core';

/** The operations of a worker module. Requests, parts and results are cloned, so they must be plain data. */
export type CallOperations<R> = {
  readonly [O in keyof R]: {
    readonly request: object;
    /** Type of the parts that an operation sends before its result. */
    readonly part?: unknown;
    readonly result: unknown;
  };
};

export type PartOf<R extends CallOperations<R>, O extends keyof R> = R[O] extends {
  readonly part: infer P;
}
  ? P
  : never;

/** The start message of a thread or process. */
export interface CallStart {
  readonly setup: object;
  /** The process kills itself if it grows by this number of MiB during a call. */
  readonly growthMiB?: number;
}

/** One call of an operation. */
export interface WorkerCall<R extends CallOperations<R>, O extends keyof R = keyof R> {
  readonly id: number;
  readonly operation: O;
  readonly request: R[O]['request'];
}

/** One part of a result. */
export interface PartReply {
  readonly id: number;
  readonly part: unknown;
}

/** The end of a call. Errors are sent as plain data. */
export type Reply =
  | { readonly id: number; readonly ok: true; readonly result: unknown }
  | { readonly id: number; readonly ok: false; readonly error: SerializedError };

export interface SerializedError {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly suggestions: readonly string[];
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
}

/** An unhandled error in the worker. It belongs to no call. */
export interface StrayError {
  readonly stray: string;
}
