import type { ErrorCode } from '@trove/core';
import type { BundleTask } from './tasks/bundle.js';
import type { ManifestAnswer, ManifestTask } from './tasks/manifest.js';
import type { RemoveTask } from './tasks/remove.js';
import type { SnapshotTask } from './tasks/snapshot.js';

/** The tasks of an upload thread. Each may take a stream of bytes. */
export interface UploadTasks {
  readonly snapshot: { readonly input: SnapshotTask; readonly result: void };
  readonly bundle: { readonly input: BundleTask; readonly result: void };
  readonly manifest: { readonly input: ManifestTask; readonly result: ManifestAnswer };
  readonly remove: { readonly input: RemoveTask; readonly result: void };
}

export type UploadTaskName = keyof UploadTasks;

/** What a thread is started with. */
export type UploadThreadData = {
  [N in UploadTaskName]: { readonly task: N; readonly input: UploadTasks[N]['input'] };
}[UploadTaskName];

/** To the thread: a part of its bytes (null: their end), or the answer to its question. */
export type ToThread =
  | { readonly piece: Uint8Array<ArrayBuffer> | null }
  | { readonly answer: unknown };

/** From the thread: a piece was taken in, a question that its caller answers, how it ended. */
export type FromThread =
  | { readonly taken: true }
  | { readonly question: unknown }
  | { readonly result: unknown }
  | { readonly error: ThreadError };

/** An error as it passes between threads; null: it is not one of ours. */
export interface ThreadError {
  readonly code: ErrorCode | null;
  readonly detail: string;
  readonly suggestions: readonly string[];
}
