import type { ErrorCode } from '@trove/core';

/** What threads do, by operation. Requests, parts and results are cloned on their way, so they are plain data. */
export type CallOperations<R> = {
  readonly [O in keyof R]: {
    readonly request: object;
    /** What an operation sends before its result, if it does. */
    readonly part?: unknown;
    readonly result: unknown;
  };
};

export type PartOf<R extends CallOperations<R>, O extends keyof R> = R[O] extends {
  readonly part: infer P;
}
  ? P
  : never;

/** What a thread or a process is started with. */
export interface CallStart {
  readonly setup: object;
  /** For a process: it ends itself when it grows by so much during a call. */
  readonly growthMiB?: number;
}

/** One call of an operation. */
export interface WorkerCall<R extends CallOperations<R>, O extends keyof R = keyof R> {
  readonly id: number;
  readonly operation: O;
  readonly request: R[O]['request'];
}

/** A part of what a call results in. */
export interface PartReply {
  readonly id: number;
  readonly part: unknown;
}

/** How a call ended; errors are sent as plain data. */
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

/** An unhandled error of a plugin in the thread; it belongs to no call. */
export interface StrayError {
  readonly stray: string;
}
