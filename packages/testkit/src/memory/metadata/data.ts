import type {
  ConnectorRecord,
  JobOutcome,
  JobRecord,
  NewTask,
  ObjectRecord,
  TaskFailure,
  TaskOutcome,
  TaskRecord,
} from '@trove/core';

/** The same fields, to be written in place. */
type Writable<T> = { -readonly [K in keyof T]: T[K] };

export interface StoredJob extends Writable<JobRecord> {
  worker: string | null;
  leaseUntil: number;
  /** Tasks by the id of their object: an object has at most one. */
  readonly tasks: Map<string, StoredTask>;
  /** Objects that the present attempt at listing called unchanged. */
  readonly met: Set<string>;
  readonly failures: Map<number, TaskFailure>;
  /** What the listing ended with, for the connector. */
  state: unknown;
}

export interface StoredTask extends Writable<TaskRecord> {
  worker: string | null;
  leaseUntil: number;
  dueAt: number;
  outcome: TaskOutcome | null;
}

/** The data of one namespace. Jobs are in the order in which they were created. */
export interface Metadata {
  readonly connectors: Map<string, Writable<ConnectorRecord>>;
  readonly objects: Map<string, Map<string, ObjectRecord>>;
  readonly jobs: Map<string, StoredJob>;
  /** Tasks that failed and were not done since, by connector and object. */
  readonly again: Map<string, Map<string, NewTask>>;
  nextTask: number;
}

export function emptyMetadata(): Metadata {
  return {
    connectors: new Map(),
    objects: new Map(),
    jobs: new Map(),
    again: new Map(),
    nextTask: 1,
  };
}

export function isLive(job: StoredJob): boolean {
  return job.status === 'queued' || job.status === 'running';
}

export function objectsOf(data: Metadata, connectorId: string): Map<string, ObjectRecord> {
  const objects = data.objects.get(connectorId) ?? new Map<string, ObjectRecord>();
  data.objects.set(connectorId, objects);
  return objects;
}

/** The job, if the worker holds it by a lease that has not run out. */
export function heldJob(data: Metadata, jobId: string, worker: string): StoredJob | null {
  const job = data.jobs.get(jobId);
  const held = job?.status === 'running' && job.worker === worker && job.leaseUntil > Date.now();
  return held ? job : null;
}

/** A copy for the caller, without what only the store needs. */
export function jobRecord(job: StoredJob): JobRecord {
  const { worker: _worker, leaseUntil: _until, tasks: _tasks, met: _met, ...record } = job;
  const { failures: _failures, state: _state, ...bare } = record;
  return bare;
}

export function openTasks(job: StoredJob): StoredTask[] {
  return [...job.tasks.values()].filter((task) => task.outcome === null);
}

/** How a job ends that somebody cancelled before it began. */
export const cancelled: JobOutcome = {
  status: 'cancelled',
  problem: { code: 'cancelled', detail: 'It was cancelled before it began' },
};

export function rememberedOf(data: Metadata, connectorId: string): Map<string, NewTask> {
  const tasks = data.again.get(connectorId) ?? new Map<string, NewTask>();
  data.again.set(connectorId, tasks);
  return tasks;
}

/** Ends a job: what is open is cancelled and counted, its tasks are dropped. */
export function endJob(job: StoredJob, { status, problem, leftOutReasons = [] }: JobOutcome): void {
  job.cancelled += openTasks(job).length;
  job.tasks.clear();
  job.met.clear();
  job.status = status;
  job.problem = problem;
  job.leftOutReasons = [...leftOutReasons];
  job.finishedAt = Date.now();
  job.worker = null;
}

/** By code points, as the bytes of UTF-8 would be sorted. */
export function compareText(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
