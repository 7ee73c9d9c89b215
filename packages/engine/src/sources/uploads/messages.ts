import type { ErrorCode } from '@trove/core';
import type { BundleTask } from './tasks/bundle.js';
import type { ManifestAnswer, ManifestTask } from './tasks/manifest.js';
import type { LocateRequest } from './locate.js';
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

export type InputOf<N extends UploadTaskName> = UploadTasks[N]['input'];
export type ResultOf<N extends UploadTaskName> = UploadTasks[N]['result'];

/** A task for a thread. */
interface TaskStartOf<N extends UploadTaskName> {
  readonly task: N;
  readonly input: InputOf<N>;
}

/** Any task for a thread. */
export type TaskStart = { [N in UploadTaskName]: TaskStartOf<N> }[UploadTaskName];

/** Data for a task: a piece of its bytes (null: the end), or the requested folder. */
export type TaskData =
  | { readonly piece: Uint8Array<ArrayBuffer> | null }
  | { readonly folder: string | null };

export type ToThread<N extends UploadTaskName> = TaskStartOf<N> | TaskData;

/** A message from the thread: a piece was consumed, a folder is requested, or the task has ended. */
export type FromThread<N extends UploadTaskName = UploadTaskName> =
  | { readonly taken: true }
  | { readonly locate: LocateRequest }
  | { readonly result: ResultOf<N> }
  | { readonly error: ThreadError };

/** An error in transit between threads. `code`: null if it is not a `TroveError`. */
export interface ThreadError {
  readonly code: ErrorCode | null;
  readonly detail: string;
  readonly suggestions: readonly string[];
}
