import { randomUUID } from 'node:crypto';

import type { TrainedState } from '@trove/core/model';
import type {
  ConnectorRecord,
  GenerationSpec,
  GraphContent,
  JobOutcome,
  JobRecord,
  NewTask,
  ObjectRecord,
  StoredRecord,
  SummaryRecord,
  TaskFailure,
  TaskOutcome,
  TaskRecord,
} from '@trove/core/store';

/** The same fields, but mutable. */
type Writable<T> = { -readonly [K in keyof T]: T[K] };

export interface StoredJob extends Writable<JobRecord> {
  worker: string | null;
  leaseUntil: number;
  /** Tasks by the id of their object, which has at most one. */
  readonly tasks: Map<string, StoredTask>;
  /** Objects found unchanged in the current attempt at listing. */
  readonly met: Set<string>;
  readonly failures: Map<number, TaskFailure>;
  /** The connector state that the listing ended with. */
  state: unknown;
}

export interface StoredTask extends Writable<TaskRecord> {
  worker: string | null;
  leaseUntil: number;
  dueAt: number;
  outcome: TaskOutcome | null;
}

export interface StoredGeneration {
  readonly graph: string;
  readonly generation: string;
  status: 'staged' | 'current' | 'obsolete';
  leaseUntil: number;
  /** Null until it is current. */
  content: GraphContent | null;
  builtAt: number;
}

export interface StoredIndexGeneration extends GenerationSpec {
  readonly number: number;
  usedAt: number;
  state: 'used' | 'dropped' | 'forgotten';
}

/** The data of one edition of a namespace. Jobs are in order of creation. */
export interface Metadata {
  readonly id: string;
  readonly edition: StoredIndexGeneration;
  /** The data of all generations of the namespace, this one included. */
  readonly siblings: Metadata[];
  readonly connectors: Map<string, Writable<ConnectorRecord>>;
  readonly objects: Map<string, Map<string, ObjectRecord>>;
  /** By connector, object and key. */
  readonly records: Map<string, Map<string, Map<string, StoredRecord>>>;
  readonly summaries: Map<string, Map<string, SummaryRecord>>;
  readonly jobs: Map<string, StoredJob>;
  /** Tasks that failed and have not been done since, by connector and object. */
  readonly again: Map<string, Map<string, NewTask>>;
  /** In the order in which they were staged. */
  readonly generations: Map<string, StoredGeneration>;
  /** By embedding. */
  readonly fits: Map<string, TrainedState>;
  nextTask: number;
  nextRecord: number;
}

const someEdition: GenerationSpec = { embedding: 'lexical/1', dimension: 8 };

/** Of a namespace of its own, or of the one that others are of. */
export function emptyMetadata(spec = someEdition, siblings: Metadata[] = []): Metadata {
  const [first] = siblings;
  const number = siblings.length + 1;
  const data: Metadata = {
    id: first?.id ?? randomUUID(),
    edition: { ...spec, number, usedAt: Date.now(), state: 'used' },
    siblings,
    connectors: new Map(),
    objects: new Map(),
    records: new Map(),
    summaries: new Map(),
    jobs: new Map(),
    again: new Map(),
    generations: first?.generations ?? new Map(),
    fits: first?.fits ?? new Map(),
    nextTask: 1,
    nextRecord: 1,
  };
  siblings.push(data);
  addMissing(data);
  return data;
}

/** The data of one of the generations of a namespace, which is begun if there is none of that embedding. */
export function generationIn(siblings: Metadata[], spec = someEdition): Metadata {
  const isMeant = ({ edition }: Metadata): boolean =>
    edition.state === 'used' && edition.embedding === spec.embedding;
  return siblings.find(isMeant) ?? emptyMetadata(spec, siblings);
}

/** The data of the generations that are there. */
export function generationsOf({ siblings }: Metadata): Metadata[] {
  return siblings.filter(({ edition }) => edition.state === 'used');
}

/** Adds sources that only other generations have. */
export function addMissing(data: Metadata): void {
  for (const { connectors } of generationsOf(data)) {
    for (const known of connectors.values()) {
      if (!data.connectors.has(known.id)) data.connectors.set(known.id, unsynced(known));
    }
  }
}

/** A source of which nothing is known yet. */
function unsynced(connector: ConnectorRecord): Writable<ConnectorRecord> {
  return {
    ...structuredClone(connector),
    status: connector.status === 'removing' ? 'removing' : 'active',
    state: null,
    lastSyncedAt: null,
    isComplete: false,
    problem: null,
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

export function recordsOf(
  data: Metadata,
  connectorId: string,
  objectId: string,
): Map<string, StoredRecord> {
  const objects = data.records.get(connectorId) ?? new Map<string, Map<string, StoredRecord>>();
  data.records.set(connectorId, objects);
  const records = objects.get(objectId) ?? new Map<string, StoredRecord>();
  objects.set(objectId, records);
  return records;
}

export function summariesOf(data: Metadata, connectorId: string): Map<string, SummaryRecord> {
  const summaries = data.summaries.get(connectorId) ?? new Map<string, SummaryRecord>();
  data.summaries.set(connectorId, summaries);
  return summaries;
}

/** The job, if the worker holds an unexpired lease on it. */
export function heldJob(data: Metadata, jobId: string, worker: string): StoredJob | null {
  const job = data.jobs.get(jobId);
  const held = job?.status === 'running' && job.worker === worker && job.leaseUntil > Date.now();
  return held ? job : null;
}

/** A copy for the caller, without the store's internal fields. */
export function jobRecord(job: StoredJob): JobRecord {
  const { worker: _worker, leaseUntil: _until, tasks: _tasks, met: _met, ...record } = job;
  const { failures: _failures, state: _state, ...bare } = record;
  return bare;
}

export function openTasks(job: StoredJob): StoredTask[] {
  return [...job.tasks.values()].filter((task) => task.outcome === null);
}

/** The outcome of a job cancelled before it began. */
export const cancelled: JobOutcome = {
  status: 'cancelled',
  problem: { code: 'cancelled', detail: 'It was cancelled before it began' },
};

export function rememberedOf(data: Metadata, connectorId: string): Map<string, NewTask> {
  const tasks = data.again.get(connectorId) ?? new Map<string, NewTask>();
  data.again.set(connectorId, tasks);
  return tasks;
}

/** How a job ends that was asked to stop: its last task may have ended it first. */
export function endingOf({ cancelRequested }: StoredJob, outcome: JobOutcome): JobOutcome {
  if (!cancelRequested || outcome.status === 'cancelled') return outcome;
  const problem = { code: 'cancelled', detail: 'It was cancelled; what was finished is kept' };
  return { ...outcome, status: 'cancelled', problem, isComplete: false };
}

/** Ends a job: open tasks are cancelled and counted, all tasks are dropped. */
export function endJob(job: StoredJob, outcome: JobOutcome): void {
  job.cancelled += openTasks(job).length;
  job.tasks.clear();
  job.met.clear();
  job.status = outcome.status;
  job.problem = outcome.problem;
  job.leftOutReasons = [...(outcome.leftOutReasons ?? [])];
  job.warnings = [...job.warnings, ...(outcome.warnings ?? [])];
  outcome.failures?.forEach((failure, at) => job.failures.set(-1 - at, failure));
  job.summariesMissing = outcome.summariesMissing ?? 0;
  job.finishedAt = Date.now();
  job.worker = null;
}

/** Compares by code point, the order of the UTF-8 bytes. */
export function compareText(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
