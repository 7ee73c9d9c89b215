import type { TaskQueue, TaskOutcome, TaskRecord, TaskResult } from '@trove/core/store';

import {
  objectsOf,
  openTasks,
  rememberedOf,
  type Metadata,
  type StoredJob,
  type StoredTask,
} from './data.js';

/** The job count that each outcome belongs to. */
export const countOf = {
  added: 'added',
  changed: 'changed',
  removed: 'removed',
  unchanged: 'unchanged',
  left_out: 'leftOut',
  failed: 'failed',
} as const satisfies Record<TaskOutcome, keyof StoredJob>;

export function memoryTasks(data: Metadata): TaskQueue {
  return {
    claim: async (jobId, worker, atMost, leaseMs) => {
      const job = data.jobs.get(jobId);
      if (job?.status !== 'running' || job.cancelRequested) return [];
      const now = Date.now();
      if ((job.pausedUntil ?? 0) > now) return [];
      const due = [...job.tasks.values()].filter((task) => isDue(job, task, now));
      return withFewestDeaths(due, atMost).map((task) => {
        task.deaths = deathsOf(task);
        task.worker = worker;
        task.leaseUntil = now + leaseMs;
        task.attempt += 1;
        return taskRecord(task);
      });
    },
    complete: async (worker, results) => {
      const held = heldTasks(data, worker);
      return results.flatMap((result) => {
        const found = held.get(result.taskId);
        if (found === undefined || found.task.worker !== worker) return [];
        complete(data, found.job, found.task, result);
        return [result.taskId];
      });
    },
    countOpen: async (jobId) => {
      const job = data.jobs.get(jobId);
      return job === undefined ? 0 : openTasks(job).length;
    },
  };
}

function isDue(job: StoredJob, task: StoredTask, now: number): boolean {
  const free = task.worker === null || task.leaseUntil <= now;
  return task.outcome === null && free && task.dueAt <= now && (task.op !== 'move' || job.listed);
}

/** Tasks that killed workers come last, few at a time. */
function withFewestDeaths(due: readonly StoredTask[], atMost: readonly number[]): StoredTask[] {
  const deaths = Math.min(...due.map(deathsOf));
  return due
    .filter((task) => deathsOf(task) === deaths)
    .sort((left, right) => left.priority - right.priority || left.id - right.id)
    .slice(0, atMost[deaths] ?? atMost.at(-1) ?? 0);
}

/** If someone still holds a due task, its lease was lost. */
function deathsOf(task: StoredTask): number {
  return task.deaths + (task.worker === null ? 0 : 1);
}

interface Held {
  readonly job: StoredJob;
  readonly task: StoredTask;
}

/** The tasks the worker holds with unexpired leases, by id. */
function heldTasks(data: Metadata, worker: string): Map<number, Held> {
  const now = Date.now();
  const held = [...data.jobs.values()].flatMap((job) =>
    [...job.tasks.values()]
      .filter((task) => task.worker === worker && task.leaseUntil > now)
      .map((task): [number, Held] => [task.id, { job, task }]),
  );
  return new Map(held);
}

function complete(data: Metadata, job: StoredJob, task: StoredTask, result: TaskResult): void {
  const objects = objectsOf(data, job.connectorId);
  for (const id of result.removed ?? []) {
    objects.delete(id);
    data.summaries.get(job.connectorId)?.delete(id);
    data.records.get(job.connectorId)?.delete(id);
  }
  const put = result.put ?? [];
  for (const record of put) objects.set(record.id, record);
  job.chunks += result.chunks ?? put.reduce((sum, record) => sum + record.chunks, 0);
  task.worker = null;
  if (result.outcome === 'retry') {
    task.dueAt = Date.now() + (result.retryAfterMs ?? 0);
    return;
  }
  task.outcome = result.outcome;
  job[countOf[result.outcome]] += 1;
  if (result.outcome !== 'failed') job.deaths = 0;
  job.chunksWithoutVector += result.chunksWithoutVector ?? 0;
  const again = rememberedOf(data, job.connectorId);
  again.delete(task.objectId);
  if (result.outcome === 'failed') {
    const { code = 'internal_error', error = '' } = result.failure ?? {};
    job.failures.set(task.id, { path: task.path, code, error });
    const { objectId, path, op, entry, fromObjectId, priority } = task;
    again.set(objectId, { objectId, path, op, entry, fromObjectId, priority });
  }
}

function taskRecord(task: StoredTask): TaskRecord {
  const { worker: _worker, leaseUntil: _until, dueAt: _due, outcome: _outcome, ...record } = task;
  return { ...record, attempt: task.attempt - 1 };
}
