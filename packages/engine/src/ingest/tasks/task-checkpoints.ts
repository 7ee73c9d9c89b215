import type { TaskQueue, TaskRecord } from '@trove/core/store';
import {
  parseRecordsCheckpoint,
  type RecordsCheckpoint,
  type RecordsCheckpoints,
} from '../records/records-checkpoint.js';

/** Stores the checkpoints of a task in progress. */
export class TaskCheckpoints implements RecordsCheckpoints {
  readonly resumed: RecordsCheckpoint | null;
  readonly #queue: TaskQueue;
  readonly #worker: string;
  #task: TaskRecord;

  constructor(queue: TaskQueue, worker: string, task: TaskRecord) {
    this.resumed = parseRecordsCheckpoint(task.checkpoint);
    this.#queue = queue;
    this.#worker = worker;
    this.#task = task;
  }

  /** The task, without the failures before its last checkpoint. */
  get task(): TaskRecord {
    return this.#task;
  }

  async save(checkpoint: RecordsCheckpoint): Promise<void> {
    const { id, deaths } = this.#task;
    if (await this.#queue.checkpoint(this.#worker, id, checkpoint))
      this.#task = { ...this.#task, attempt: deaths };
  }
}
