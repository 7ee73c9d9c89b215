import type { browse } from '../tasks/browse.js';
import type { check } from '../tasks/check.js';
import type { grep } from '../grep/grep-task.js';
import type { list } from '../tasks/list.js';
import type { read } from '../tasks/read.js';
import type { stat } from '../tasks/stat.js';

/** The tasks of a worker thread. A task that yields batches is a generator; its result comes last. */
export interface Tasks {
  readonly list: typeof list;
  readonly browse: typeof browse;
  readonly read: typeof read;
  readonly stat: typeof stat;
  readonly check: typeof check;
  readonly grep: typeof grep;
}

export type TaskName = keyof Tasks;
export type TaskInput<N extends TaskName> = Parameters<Tasks[N]>[0];
type TaskReturn<N extends TaskName> = ReturnType<Tasks[N]>;
export type TaskItem<N extends TaskName> = TaskReturn<N> extends Generator<(infer I)[]> ? I : never;
export type TaskOutput<N extends TaskName> =
  TaskReturn<N> extends Generator<unknown, infer R> ? R : TaskReturn<N>;

/** One call. Its number is its own among those that have not ended. */
export type CallMessage = {
  [N in TaskName]: { readonly id: number; readonly task: N; readonly input: TaskInput<N> };
}[TaskName];

/** What a caller sends later: `more` for each batch it has consumed, or `stop`. */
export interface FlowMessage {
  readonly id: number;
  readonly flow: 'more' | 'stop';
}

/** A batch without bytes is sent as JSON, in half the time of a structured clone. */
export type TaskBatch<N extends TaskName> =
  | { readonly batch: TaskItem<N>[] }
  | { readonly json: string };

export type TaskAnswer<N extends TaskName> =
  | TaskBatch<N>
  | { readonly result: TaskOutput<N> }
  | { readonly error: WireError };

/** An error sent between threads, where classes and symbols are lost. */
export interface WireError {
  readonly code: string | null;
  readonly detail: string;
  readonly suggestions: readonly string[];
  readonly retryable: boolean;
  /** For errors that are not ours: for the log, not for the message. */
  readonly stack?: string;
}

/** How many batches may be in transit before the caller asks for more. */
export const maxBatchesInTransit = 4;
