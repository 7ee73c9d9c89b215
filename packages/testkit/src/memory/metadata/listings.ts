import { isDeepStrictEqual } from 'node:util';

import type { JobListings, ListingDifference, NewTask, ObjectRecord } from '@trove/core/store';

import {
  heldJob,
  objectsOf,
  rememberedOf,
  type Metadata,
  type StoredJob,
  type StoredTask,
} from './data.js';
import { countOf } from './tasks.js';

export function memoryListings(data: Metadata): JobListings {
  return {
    compare: async (jobId, worker, revisions) => {
      const job = heldJob(data, jobId, worker);
      return job === null ? null : compare(job, objectsOf(data, job.connectorId), revisions);
    },
    addTasks: async (jobId, worker, tasks) => {
      const job = heldJob(data, jobId, worker);
      if (job === null) return false;
      for (const task of tasks) addTask(data, job, task);
      return true;
    },
    finish: async (jobId, worker, { complete, state, problem = null, warnings: notes = [] }) => {
      const job = heldJob(data, jobId, worker);
      if (job === null) return false;
      if (job.listed) return true;
      addRemembered(data, job, complete);
      settleMoves(job);
      if (complete) addDeletes(data, job);
      job.listed = true;
      job.deaths = 0;
      job.problem = problem;
      job.warnings = [...notes];
      job.state = structuredClone(state);
      return true;
    },
  };
}

function compare(
  job: StoredJob,
  objects: ReadonlyMap<string, ObjectRecord>,
  revisions: ReadonlyMap<string, string | null>,
): ListingDifference {
  const known = new Map(Array.from(objects.values(), (object) => [object.path, object]));
  const changed: string[] = [];
  const added: string[] = [];
  for (const [path, revision] of revisions) {
    const object = known.get(path);
    if (object === undefined) added.push(path);
    else if (revision === null || object.revision !== revision || isToGo(job, object))
      changed.push(path);
    else meet(job, object);
  }
  return { changed, added };
}

function isToGo(job: StoredJob, { id }: ObjectRecord): boolean {
  return job.tasks.get(id)?.op === 'delete';
}

function meet(job: StoredJob, { id, searchStatus }: ObjectRecord): void {
  if (job.met.has(id) || job.tasks.has(id)) return;
  job.met.add(id);
  job.total += 1;
  job[searchStatus === 'not_indexed' ? 'leftOut' : 'unchanged'] += 1;
}

/** The latest task of an object wins: a different one replaces the existing task, even a finished one. */
function addTask(data: Metadata, job: StoredJob, task: NewTask): void {
  const before = job.tasks.get(task.objectId);
  if (before !== undefined && saysTheSame(before, task)) return;
  if (before === undefined) count(job, objectsOf(data, job.connectorId), task.objectId);
  else takeBack(job, before);
  job.tasks.set(task.objectId, {
    ...task,
    id: data.nextTask,
    jobId: job.id,
    attempt: 0,
    deaths: 0,
    worker: null,
    leaseUntil: 0,
    dueAt: 0,
    outcome: null,
  });
  data.nextTask += 1;
}

function saysTheSame(before: StoredTask, task: NewTask): boolean {
  return (
    task.op !== 'records' && before.op === task.op && isDeepStrictEqual(before.entry, task.entry)
  );
}

/** An object that was listed unchanged before it got a task is from now on counted by the task. */
function count(job: StoredJob, objects: ReadonlyMap<string, ObjectRecord>, id: string): void {
  const isLeftOut = objects.get(id)?.searchStatus === 'not_indexed';
  if (job.met.delete(id)) job[isLeftOut ? 'leftOut' : 'unchanged'] -= 1;
  else job.total += 1;
}

function takeBack(job: StoredJob, { id, outcome }: StoredTask): void {
  job.failures.delete(id);
  if (outcome !== null) job[countOf[outcome]] -= 1;
}

/** Adds what failed in earlier syncs, for objects without a task; after a complete listing, only objects it listed. */
function addRemembered(data: Metadata, job: StoredJob, complete: boolean): void {
  const again = rememberedOf(data, job.connectorId);
  for (const task of again.values()) {
    if (job.tasks.has(task.objectId)) continue;
    if (complete && !job.met.has(task.objectId)) again.delete(task.objectId);
    else addTask(data, job, task);
  }
}

/** A move from an object that was listed is a copy, and an object moves only once: the others become upserts. */
function settleMoves(job: StoredJob): void {
  const taken = new Set<string | null>();
  for (const task of job.tasks.values()) {
    if (task.op !== 'move' || task.fromObjectId === null) continue;
    const { fromObjectId } = task;
    if (job.met.has(fromObjectId) || job.tasks.has(fromObjectId) || taken.has(fromObjectId)) {
      task.op = 'upsert';
      task.fromObjectId = null;
    } else taken.add(fromObjectId);
  }
}

function addDeletes(data: Metadata, job: StoredJob): void {
  const moved = new Set([...job.tasks.values()].map(({ fromObjectId }) => fromObjectId));
  const isGone = ({ id }: ObjectRecord) => !job.met.has(id) && !job.tasks.has(id) && !moved.has(id);
  for (const { id, path } of [...objectsOf(data, job.connectorId).values()].filter(isGone)) {
    const gone = { objectId: id, path, entry: null, fromObjectId: null, priority: 0 };
    addTask(data, job, { ...gone, op: 'delete' });
  }
}
