import type { browse } from '../tasks/browse.js';
import type { check } from '../tasks/check.js';
import type { grep } from '../grep/grep-task.js';
import type { buildFilter } from '../grep/filter/build-filter.js';
import type { loadFilter } from '../grep/filter/load-filter.js';
import type { trials } from '../grep/trial-task.js';
import type { list } from '../tasks/list.js';
import type { read } from '../tasks/read.js';
import type { stat } from '../tasks/stat.js';
import type { WireError } from './errors.js';

/** The tasks of a worker thread. A generator yields batches and then returns its result. */
export interface Tasks {
  readonly list: typeof list;
  readonly browse: typeof browse;
  readonly read: typeof read;
  readonly stat: typeof stat;
  readonly check: typeof check;
  readonly grep: typeof grep;
  readonly trials: typeof trials;
  readonly loadFilter: typeof loadFilter;
  readonly buildFilter: typeof buildFilter;
}

export type TaskName = keyof Tasks;
export type TaskInput<N extends TaskName> = Parameters<Tasks[N]>[0];
type TaskReturn<N extends TaskName> = ReturnType<Tasks[N]>;
export type TaskItem<N extends TaskName> = TaskReturn<N> extends Generator<(infer I)[]> ? I : never;
export type TaskOutput<N extends TaskName> =
  TaskReturn<N> extends Generator<unknown, infer R> ? R : TaskReturn<N>;

/** A call. Its id is unique among the running calls. */
export type CallMessage = {
  [N in TaskName]: { readonly id: number; readonly task: N; readonly input: TaskInput<N> };
}[TaskName];

/** Flow control by the caller: `more` for each consumed batch, or `stop`. */
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

/** Batches that a worker may send ahead of the caller. */
export const maxBatchesInTransit = 4;
