import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type {
  GraphContent,
  JobRecord,
  MetadataStore,
  NewConnector,
  NewJob,
  NewTask,
  ObjectRecord,
  TaskOp,
  TaskRecord,
  TaskResult,
} from '@trove/core/store';

import { expect, expectEqual } from '../expect.js';

/** A lease that does not expire while a case runs. */
export const longLeaseMs = 600_000;
/** A lease that expires almost at once. */
export const shortLeaseMs = 20;
/** A number instead of a time, because everything takes longer on a busy machine. */
const maxPolls = 1500;
const pollMs = 10;

/** Texts that a store must neither alter nor confuse. */
export const oddTexts = [
  'nul\0middle',
  '\u0001start',
  'nul\0\u0001\0',
  'lone \ud800 high',
  'lone \udc00 low',
  '\u{1f469}\u200d\u{1f4bb}',
  'it\'s "quoted" \\ and `ticked`',
  'e\u0301 is not é',
  'line\nbreak\r\ttab',
  '? :name ?? $1 %s {}',
  '\u202eright to left',
  '\uffff\ufffe',
  ' ',
];

export function newConnector(id = 'c1', more: Partial<NewConnector> = {}): NewConnector {
  return { id, rootUri: `file://local/${id}`, type: 'file', config: null, ...more };
}

export function newContent(more: Partial<GraphContent> = {}): GraphContent {
  return {
    passages: 3,
    entities: 2,
    relations: 1,
    blocks: 1,
    embedding: 'lexical/1',
    dimension: 8,
    ...more,
  };
}

export function newJob(id = 'j1', connectorId = 'c1', more: Partial<NewJob> = {}): NewJob {
  return { id, connectorId, opKind: 'sync', trigger: 'manual', full: false, since: null, ...more };
}

export function idOf(path: string): string {
  return createHash('sha256').update(JSON.stringify(path)).digest('hex');
}

export function newTask(path: string, op: TaskOp = 'upsert', more: Partial<NewTask> = {}): NewTask {
  const entry = { path, size: 1, modifiedAt: 1000, fingerprint: 'first' };
  return {
    objectId: idOf(path),
    path,
    op,
    entry: op === 'delete' ? null : entry,
    fromObjectId: null,
    priority: 0,
    ...more,
  };
}

/** Returns a task for the object of `newTask` after a change. */
export function changedTask(path: string): NewTask {
  const entry = { path, size: 2, modifiedAt: 2000, fingerprint: 'second' };
  return newTask(path, 'upsert', { entry });
}

export function newMove(path: string, from: string): NewTask {
  return newTask(path, 'move', { fromObjectId: idOf(from) });
}

export function newObject(path: string, more: Partial<ObjectRecord> = {}): ObjectRecord {
  return {
    id: idOf(path),
    connectorId: 'c1',
    path,
    kind: 'text',
    mediaType: 'text/plain',
    size: 1,
    modifiedAt: 1000,
    revision: 'r1',
    identity: null,
    contentHash: null,
    title: null,
    searchStatus: 'indexed',
    indexable: true,
    reason: null,
    chunks: 1,
    stated: null,
    ...more,
  };
}

/** Registers a connector and queues a job for it. */
export async function queueJob(store: MetadataStore, id = 'j1', connectorId = 'c1'): Promise<void> {
  await store.sources.register(newConnector(connectorId));
  await store.jobs.create(newJob(id, connectorId));
}

/** Registers a connector, queues a job for it and claims the job. */
export async function startJob(
  store: MetadataStore,
  { id = 'j1', connectorId = 'c1', worker = 'w1', leaseMs = longLeaseMs } = {},
): Promise<JobRecord> {
  await queueJob(store, id, connectorId);
  const job = await store.jobs.claim(worker, leaseMs);
  expect(job?.id === id, `the job ${id} was not claimed`);
  return job;
}

/** Lists objects as stored and adds tasks. Returns false when the lease is lost. */
export async function addToListing(
  store: MetadataStore,
  part: { readonly unchanged?: readonly string[]; readonly tasks?: readonly NewTask[] },
  { id = 'j1', worker = 'w1' } = {},
): Promise<boolean> {
  const { unchanged = [], tasks = [] } = part;
  if (unchanged.length > 0) {
    const known = new Map(unchanged.map((path) => [path, newObject(path).revision]));
    const found = await store.listings.compare(id, worker, known);
    if (found === null) return false;
    expectEqual(found, { changed: [], added: [] }, 'differences from the stored objects');
  }
  return tasks.length === 0 || store.listings.addTasks(id, worker, tasks);
}

interface ClaimOptions {
  readonly id?: string;
  readonly worker?: string;
  /** One limit, or one for each number of deaths. */
  readonly limit?: number | readonly number[];
  readonly leaseMs?: number;
}

export function claim(
  store: MetadataStore,
  { id = 'j1', worker = 'w1', limit = 1000, leaseMs = longLeaseMs }: ClaimOptions = {},
): Promise<TaskRecord[]> {
  return store.tasks.claim(id, worker, typeof limit === 'number' ? [limit] : limit, leaseMs);
}

/** Returns the result of a task that wrote its object. */
export function writtenResult(task: TaskRecord, more: Partial<ObjectRecord> = {}): TaskResult {
  return {
    taskId: task.id,
    outcome: 'added',
    put: [newObject(task.path, more)],
  };
}

/** The outcomes of a cancelled job and of a job with an unreachable source. */
export const cancelled = {
  status: 'cancelled',
  problem: { code: 'cancelled', detail: 'It was cancelled' },
} as const;
export const unhealthy = {
  status: 'failed',
  problem: { code: 'connector_unhealthy', detail: 'There is no folder `docs`.' },
} as const;

/** Runs a whole sync that results in objects with these paths. */
export async function indexPaths(
  store: MetadataStore,
  paths: readonly string[],
  { id = 'j0', connectorId = 'c1' } = {},
): Promise<void> {
  await startJob(store, { id, connectorId });
  await addToListing(store, { tasks: paths.map((path) => newTask(path)) }, { id });
  const tasks = await claim(store, { id, limit: paths.length });
  await store.tasks.complete(
    'w1',
    tasks.map((task) => writtenResult(task, { connectorId })),
  );
  await store.jobs.finish(id, 'w1', { status: 'succeeded', problem: null });
}

export async function pathsOf(store: MetadataStore, connectorId = 'c1'): Promise<string[]> {
  const objects = await store.objects.list(connectorId, { prefix: '', after: null, limit: 10_000 });
  return objects.map(({ path }) => path);
}

/** Returns the counts of the job `j1` during its listing. */
export async function countsOf(
  store: MetadataStore,
): Promise<{ total: number | undefined; skipped: number | undefined; open: number }> {
  const job: JobRecord | null = await store.jobs.get('j1');
  const open = await store.tasks.countOpen('j1');
  return { total: job?.total, skipped: job?.unchanged, open };
}

/** Claims everything and returns the operations by path. */
export async function opsOf(store: MetadataStore, worker = 'w1'): Promise<Record<string, string>> {
  const tasks = await claim(store, { worker });
  return Object.fromEntries(tasks.map(({ path, op }) => [path, op]));
}

/** Polls until there is a result, for events that only time brings about. */
export async function pollUntil<T>(ask: () => Promise<T | null>, what: string): Promise<T> {
  for (let asked = 0; asked < maxPolls; asked++) {
    const answer = await ask();
    if (answer !== null) return answer;
    await delay(pollMs);
  }
  throw new Error(`${what}: did not happen in ${maxPolls} polls`);
}

/** Waits for claimable tasks and claims them. */
export async function waitForTasks(
  store: MetadataStore,
  { id = 'j1', worker = 'w2' } = {},
): Promise<TaskRecord[]> {
  return pollUntil(async () => {
    const tasks = await claim(store, { id, worker });
    return tasks.length === 0 ? null : tasks;
  }, 'claiming tasks whose lease expired');
}

/** Waits until another worker can claim the job after its lease has expired. */
export function waitForTakeover(store: MetadataStore, worker = 'w2'): Promise<JobRecord> {
  return pollUntil(
    () => store.jobs.claim(worker, longLeaseMs),
    'claiming a job whose lease expired',
  );
}
