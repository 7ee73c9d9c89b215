import type { Entry } from '@trove/core';
import type { TaskQueue, TaskOutcome, TaskRecord, TaskResult } from '@trove/core/store';

import type { Row, StoreSession } from '../database/types.js';
import {
  jsonOrNull,
  list,
  number,
  numberOrNull,
  oneOf,
  rows,
  text,
  textOrNull,
} from '../database/values.js';
import { lockJobs, type LockedJob } from './end-job.js';
import { deleteObjects, putObjects } from './objects.js';
import { recordFailures } from './failures.js';
import { deleteRecords } from './records.js';
import type { StoreScope } from './scope.js';
import { deleteSummaries } from './summaries.js';

const ops = ['upsert', 'delete', 'move', 'records'] as const;
/** The outcomes of finished tasks, which are also columns of the job. */
export const outcomes: readonly TaskOutcome[] = [
  'added',
  'changed',
  'removed',
  'unchanged',
  'left_out',
  'failed',
];
export const failedColumns = 'object_id, path, op, entry, from_object_id, priority';
const endTypes = { id: 'bigint', outcome: 'text', wait: 'bigint' } as const;

export class SqlTasks implements TaskQueue {
  readonly #scope: StoreScope;

  constructor(scope: StoreScope) {
    this.#scope = scope;
  }

  claim(
    jobId: string,
    worker: string,
    atMost: readonly number[],
    leaseMs: number,
  ): Promise<TaskRecord[]> {
    return claim(this.#scope, { jobId, worker, leaseMs: Math.round(leaseMs) }, atMost);
  }

  complete(worker: string, results: readonly TaskResult[]): Promise<number[]> {
    return complete(this.#scope, worker, results);
  }

  async checkpoint(worker: string, taskId: number, checkpoint: unknown): Promise<boolean> {
    const { db, namespace } = this.#scope;
    const { now } = db.dialect;
    const changed = await db.write((session) =>
      session.change(
        `update trove_tasks set checkpoint = :checkpoint, attempt = deaths + 1
          where id = :taskId and worker = :worker and outcome is null and lease_until > ${now}
            and job in (select seq from trove_jobs where namespace = :namespace)`,
        { taskId, worker, namespace, checkpoint: JSON.stringify(checkpoint) },
      ),
    );
    return changed === 1;
  }

  async countOpen(jobId: string): Promise<number> {
    const { db, namespace } = this.#scope;
    const [row] = await db.all(
      db.table('trove_jobs').select('open_tasks').where({ namespace, id: jobId }),
    );
    return row === undefined ? 0 : number(row, 'open_tasks');
  }
}

interface TaskClaim {
  readonly jobId: string;
  readonly worker: string;
  readonly leaseMs: number;
}

/** A due task with a worker has lost its lease. */
const deaths = '(t.deaths + case when t.worker is null then 0 else 1 end)';

/** The condition for claiming a task `t` of a job. */
function isDue({ db }: StoreScope): string {
  const { now } = db.dialect;
  // Two lookups instead of a join, so that the index yields tasks in order and the limit ends the search.
  const job = `from trove_jobs j where j.namespace = :namespace and j.id = :jobId
    and j.status = 'running' and j.cancel_requested = 0
    and coalesce(j.paused_until, 0) <= ${now}`;
  return `t.job = (select j.seq ${job}) and t.outcome is null and t.due_at <= ${now}
    and (t.worker is null or t.lease_until <= ${now})
    and (t.op not in ('move', 'delete') or (select j.listed ${job}) = 1)`;
}

async function claim(
  scope: StoreScope,
  request: TaskClaim,
  limits: readonly number[],
): Promise<TaskRecord[]> {
  const { namespace, db } = scope;
  const { jobId } = request;
  // Workers poll often and mostly in vain, which must not block writers.
  const some = await db.all(`select 1 as some from trove_tasks t where ${isDue(scope)} limit 1`, {
    namespace,
    jobId,
  });
  if (some.length === 0) return [];
  return db.write(async (session) => {
    const untried = await claimOf(session, scope, request, limits, 0);
    if (untried.length > 0) return untried;
    const [row] = await session.all(
      `select min(${deaths}) as deaths from trove_tasks t where ${isDue(scope)}`,
      { namespace, jobId },
    );
    const fewest = row === undefined ? null : numberOrNull(row, 'deaths');
    if (fewest === null) return [];
    return claimOf(session, scope, request, limits, fewest);
  });
}

async function claimOf(
  session: StoreSession,
  scope: StoreScope,
  { jobId, worker, leaseMs }: TaskClaim,
  limits: readonly number[],
  deathsOfEach: number,
): Promise<TaskRecord[]> {
  const { db, namespace } = scope;
  const limit = limits[deathsOfEach] ?? limits.at(-1) ?? 0;
  const claimed = await session.all(
    `with due as materialized (
        select t.id from trove_tasks t
        where ${isDue(scope)} and ${deaths} = :deathsOfEach
        order by t.priority, t.id limit :limit ${db.dialect.skipLocked('t')})
      update trove_tasks set worker = :worker, lease_until = ${db.dialect.now} + :leaseMs,
        attempt = attempt + 1, deaths = :deathsOfEach
      where id in (select id from due)
      returning id, object_id, path, op, entry, from_object_id, priority, deaths,
        checkpoint, attempt - 1 as attempt`,
    { namespace, jobId, worker, limit, leaseMs, deathsOfEach },
  );
  return claimed
    .map((row) => taskOf(row, jobId))
    .sort((left, right) => left.priority - right.priority || left.id - right.id);
}

interface HeldTask {
  readonly result: TaskResult;
  readonly job: number;
  readonly connector: number;
  readonly path: string;
  readonly objectId: string;
}

async function complete(
  scope: StoreScope,
  worker: string,
  results: readonly TaskResult[],
): Promise<number[]> {
  if (results.length === 0) return [];
  return scope.db.write(async (session) => {
    const held = await heldTasks(session, scope, worker, results);
    if (held.length === 0) return [];
    await endTasks(session, scope, held);
    for (const [connector, tasks] of groupBy(held, (task) => task.connector)) {
      const removed = tasks.flatMap((t) => t.result.removed ?? []);
      await deleteObjects(session, scope, connector, removed);
      await deleteRecords(session, scope, connector, removed);
      await deleteSummaries(session, scope, connector, removed);
      await putObjects(
        session,
        scope,
        connector,
        tasks.flatMap((t) => t.result.put ?? []),
      );
    }
    await recordTaskFailures(session, scope, held);
    await saveFailed(session, scope, held);
    for (const [job, tasks] of groupBy(held, (task) => task.job)) await count(session, job, tasks);
    return held.map((task) => task.result.taskId);
  });
}

/** Locks the jobs of the results and returns the tasks that the worker holds. */
async function heldTasks(
  session: StoreSession,
  scope: StoreScope,
  worker: string,
  results: readonly TaskResult[],
): Promise<HeldTask[]> {
  const { isOneOf, now, lock } = scope.db.dialect;
  const byTask = new Map(results.map((result) => [result.taskId, result]));
  const ids = list(byTask.keys());
  const concerned = await session.all(
    `select distinct job from trove_tasks where ${isOneOf('id', 'ids', 'bigint')}`,
    { ids },
  );
  const jobs = await lockJobs(session, scope, isOneOf('seq', 'jobs', 'bigint'), {
    jobs: list(concerned.map((row) => number(row, 'job'))),
  });
  const connectors = await connectorNumbers(session, scope, jobs);
  const found = await session.all(
    `select id, job, path, object_id, worker, outcome, lease_until > ${now} as leased from trove_tasks
      where ${isOneOf('id', 'ids', 'bigint')} order by id ${lock}`,
    { ids },
  );
  const rowOf = new Map(found.map((row) => [number(row, 'id'), row]));
  return [...byTask.values()].flatMap((result) => {
    const row = rowOf.get(result.taskId);
    if (row === undefined || !isHeld(row, worker)) return [];
    const connector = connectors.get(number(row, 'job'));
    if (connector === undefined) return [];
    const task = { job: number(row, 'job'), path: text(row, 'path') };
    return [{ ...task, result, connector, objectId: text(row, 'object_id') }];
  });
}

function isHeld(row: Row, worker: string): boolean {
  // SQLite has no booleans and returns 1.
  return row['worker'] === worker && row['outcome'] === null && Boolean(row['leased']);
}

/** Returns the connector number of each job, by job number. */
async function connectorNumbers(
  session: StoreSession,
  { db, namespace }: StoreScope,
  jobs: readonly LockedJob[],
): Promise<Map<number, number>> {
  const numbers = new Map<number, number>();
  for (const job of jobs) {
    const [row] = await session.all(
      db.table('trove_connectors').select('seq').where({ namespace, id: job.connectorId }),
    );
    if (row !== undefined) numbers.set(job.seq, number(row, 'seq'));
  }
  return numbers;
}

async function endTasks(
  session: StoreSession,
  { db }: StoreScope,
  held: readonly HeldTask[],
): Promise<void> {
  const ends = held.map(({ result }) =>
    result.outcome === 'retry'
      ? [result.taskId, null, Math.round(result.retryAfterMs ?? 0)]
      : [result.taskId, result.outcome, 0],
  );
  await session.run(
    `update trove_tasks set outcome = r.outcome, due_at = ${db.dialect.now} + r.wait,
        worker = null, lease_until = null
      from ${db.dialect.rows('ends', endTypes)} r
      where trove_tasks.id = r.id and ${db.dialect.isOneOf('trove_tasks.id', 'ids', 'bigint')}`,
    { ends: rows(ends), ids: list(held.map(({ result }) => result.taskId)) },
  );
}

async function recordTaskFailures(
  session: StoreSession,
  { db }: StoreScope,
  held: readonly HeldTask[],
): Promise<void> {
  const failed = held.filter(({ result }) => result.outcome === 'failed');
  for (const [job, tasks] of groupBy(failed, (task) => task.job)) {
    const failures = tasks.map(({ result: { taskId, failure }, path }) => ({
      task: taskId,
      path,
      code: failure?.code ?? 'internal_error',
      error: failure?.error ?? '',
    }));
    await recordFailures(session, db, job, failures);
  }
}

/** Saves failed tasks for the next sync, until their objects succeed. */
async function saveFailed(
  session: StoreSession,
  { db }: StoreScope,
  held: readonly HeldTask[],
): Promise<void> {
  const ended = held.filter(({ result }) => result.outcome !== 'retry');
  for (const [connector, tasks] of groupBy(ended, (task) => task.connector)) {
    await session.run(
      `delete from trove_failed_tasks
        where connector = :connector and ${db.dialect.isOneOf('object_id', 'ids', 'text')}`,
      { connector, ids: list(tasks.map(({ objectId }) => objectId)) },
    );
    const failed = tasks.filter(({ result }) => result.outcome === 'failed');
    if (failed.length === 0) continue;
    await session.run(
      `insert into trove_failed_tasks (connector, ${failedColumns})
        select cast(:connector as bigint), ${failedColumns} from trove_tasks
        where ${db.dialect.isOneOf('id', 'ids', 'bigint')}`,
      { connector, ids: list(failed.map(({ result }) => result.taskId)) },
    );
  }
}

async function count(
  session: StoreSession,
  job: number,
  tasks: readonly HeldTask[],
): Promise<void> {
  const counted = outcomes.map((outcome) => `${outcome} = ${outcome} + :${outcome}`).join(', ');
  const having = outcomes.map((outcome): [string, number] => [
    outcome,
    tasks.filter(({ result }) => result.outcome === outcome).length,
  ]);
  const chunks = tasks.reduce((sum, { result }) => sum + chunksOf(result), 0);
  await session.run(
    `update trove_jobs set ${counted}, chunks = chunks + :chunks,
        chunks_without_vector = chunks_without_vector + :bare,
        deaths = case when :done > 0 then 0 else deaths end, open_tasks = open_tasks - :ended
      where seq = :job`,
    {
      job,
      ...Object.fromEntries(having),
      done: having.reduce((sum, [as, ended]) => (as === 'failed' ? sum : sum + ended), 0),
      ended: having.reduce((sum, [, ended]) => sum + ended, 0),
      chunks,
      bare: tasks.reduce((sum, { result }) => sum + (result.chunksWithoutVector ?? 0), 0),
    },
  );
}

function chunksOf({ chunks, put = [] }: TaskResult): number {
  return chunks ?? put.reduce((sum, record) => sum + record.chunks, 0);
}

function groupBy(
  tasks: readonly HeldTask[],
  key: (task: HeldTask) => number,
): Map<number, HeldTask[]> {
  const groups = new Map<number, HeldTask[]>();
  for (const task of tasks) {
    const group = groups.get(key(task));
    if (group === undefined) groups.set(key(task), [task]);
    else group.push(task);
  }
  return groups;
}

function taskOf(row: Row, jobId: string): TaskRecord {
  const entry = textOrNull(row, 'entry');
  return {
    id: number(row, 'id'),
    jobId,
    objectId: text(row, 'object_id'),
    path: text(row, 'path'),
    op: oneOf(row, 'op', ops),
    entry: entry === null ? null : entryOf(entry),
    fromObjectId: textOrNull(row, 'from_object_id'),
    priority: number(row, 'priority'),
    attempt: number(row, 'attempt'),
    deaths: number(row, 'deaths'),
    checkpoint: jsonOrNull(row, 'checkpoint'),
  };
}

function entryOf(json: string): Entry | null {
  const value: unknown = JSON.parse(json);
  return isEntry(value) ? value : null;
}

/** The store wrote the value itself, so its shape needs no closer check. */
function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'path' in value;
}
