import type {
  ConnectorRecord,
  JobRecord,
  ObjectRecord,
  TaskFailure,
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
}

export interface StoredTask extends Writable<TaskRecord> {
  worker: string | null;
  leaseUntil: number;
  dueAt: number;
  outcome: 'succeeded' | 'skipped' | 'failed' | null;
}

/** The data of one namespace. Jobs are in the order in which they were created. */
export interface Metadata {
  readonly connectors: Map<string, Writable<ConnectorRecord>>;
  readonly objects: Map<string, Map<string, ObjectRecord>>;
  readonly jobs: Map<string, StoredJob>;
  nextTask: number;
}

export function emptyMetadata(): Metadata {
  return { connectors: new Map(), objects: new Map(), jobs: new Map(), nextTask: 1 };
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
  const { failures: _failures, ...bare } = record;
  return bare;
}

export function openTasks(job: StoredJob): StoredTask[] {
  return [...job.tasks.values()].filter((task) => task.outcome === null);
}

/** Ends a job: what is open is cancelled and counted, its tasks are dropped. */
export function endJob(job: StoredJob, status: JobRecord['status'], error: string | null): void {
  job.cancelledObjects += openTasks(job).length;
  job.tasks.clear();
  job.met.clear();
  job.status = status;
  job.error = error;
  job.finishedAt = Date.now();
  job.worker = null;
}

/** By code points, as the bytes of UTF-8 would be sorted. */
export function compareText(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
