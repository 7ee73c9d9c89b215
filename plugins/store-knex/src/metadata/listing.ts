import type { MetadataStore, NewTask } from '@trove/core';

import type { Row, Session } from '../database/types.js';
import { list, number, rows } from '../database/values.js';
import { lockHeldJob } from './end-job.js';
import type { LockedJob } from './end-job.js';
import type { Scope } from './scope.js';

const taskTypes = {
  object_id: 'text',
  path: 'text',
  op: 'text',
  entry: 'text',
  from_object_id: 'text',
  priority: 'real',
} as const;
const taskColumns = Object.keys(taskTypes).join(', ');

/** What a listing works on: its job, locked, and the number of the connector. */
interface Listing {
  readonly session: Session;
  readonly scope: Scope;
  readonly job: LockedJob;
  readonly connector: number;
}

export function listingMethods(
  scope: Scope,
): Pick<MetadataStore, 'recordListing' | 'finishListing'> {
  return {
    recordListing: (jobId, worker, part) =>
      withListing(scope, jobId, worker, async (listing) => {
        const unchanged = await meetUnchanged(listing, part.unchanged);
        const added = await addTasks(listing, part.tasks);
        await count(listing, {
          total: unchanged + added.total,
          skipped: unchanged + added.skipped,
          open: added.open,
        });
      }),
    finishListing: (jobId, worker, complete) =>
      withListing(scope, jobId, worker, async (listing) => {
        if (listing.job.listed) return;
        await settleMoves(listing);
        const deletes = complete ? await addDeletes(listing) : 0;
        await count(listing, { total: deletes, skipped: 0, open: deletes });
        await listing.session.run('update trove_jobs set listed = 1 where seq = :job', {
          job: listing.job.seq,
        });
      }),
  };
}

/** Runs `work` in a transaction; false when the worker does not hold the job. */
function withListing(
  scope: Scope,
  jobId: string,
  worker: string,
  work: (listing: Listing) => Promise<void>,
): Promise<boolean> {
  return scope.db.write(async (session) => {
    const job = await lockHeldJob(session, scope, jobId, worker);
    if (job === null) return false;
    const [row] = await session.all(
      'select seq from trove_connectors where namespace = :namespace and id = :id',
      { namespace: scope.namespace, id: job.connectorId },
    );
    if (row === undefined) return false;
    await work({ session, scope, job, connector: number(row, 'seq') });
    return true;
  });
}

/** Marks objects as met by this attempt at listing; returns how many were not met before and have no task. */
async function meetUnchanged(listing: Listing, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { session, scope, job, connector } = listing;
  return session.change(
    `update trove_objects set met_job = :job, met_attempt = :attempt
      where connector = :connector
        and ${scope.db.dialect.among('id', 'ids', 'text')}
        and (met_job is distinct from :job or met_attempt is distinct from :attempt)
        and not exists (select 1 from trove_tasks t
          where t.job = :job and t.object_id = trove_objects.id)`,
    { connector, job: job.seq, attempt: job.attempt, ids: list(ids) },
  );
}

interface Counts {
  readonly total: number;
  readonly skipped: number;
  readonly open: number;
}

/**
 * Adds tasks, one for each object. The last word on an object counts: a task that says something else than the one
 * that is there takes its place, even if that one is finished, since a source that reports changes says each once.
 */
async function addTasks(listing: Listing, tasks: readonly NewTask[]): Promise<Counts> {
  if (tasks.length === 0) return { total: 0, skipped: 0, open: 0 };
  const { session, scope, job } = listing;
  const distinct = [...new Map(tasks.map((task) => [task.objectId, task])).values()];
  const bound = { job: job.seq, tasks: rows(distinct.map(rowOf)) };
  const given = scope.db.dialect.rows('tasks', taskTypes);
  const replaced = await session.all(
    `select t.id, t.outcome from ${given} r cross join trove_tasks t
      where t.job = :job and t.object_id = r.object_id
        and (t.op is distinct from r.op or t.entry is distinct from r.entry)`,
    bound,
  );
  const reopened = await reopen(listing, replaced);
  const written = await session.change(
    `insert into trove_tasks (job, ${taskColumns})
      select cast(:job as bigint), ${taskColumns} from ${given} r where true order by r.n
      on conflict (job, object_id) do update set
        path = excluded.path, op = excluded.op, entry = excluded.entry,
        from_object_id = excluded.from_object_id, priority = excluded.priority,
        attempt = 0, deaths = 0, due_at = 0, worker = null, lease_until = null, outcome = null
      where trove_tasks.op is distinct from excluded.op
        or trove_tasks.entry is distinct from excluded.entry`,
    bound,
  );
  const added = written - replaced.length;
  const counted = await uncountUnchanged(listing, distinct);
  return { total: added - counted, skipped: -counted, open: added + reopened };
}

/** Takes the outcomes of tasks that will be done again out of the counts; returns how many were finished. */
async function reopen({ session, scope, job }: Listing, replaced: readonly Row[]): Promise<number> {
  const finished = replaced.filter((row) => row['outcome'] !== null);
  if (finished.length === 0) return 0;
  const having = (outcome: string) => finished.filter((row) => row['outcome'] === outcome).length;
  await session.run(
    `delete from trove_failures where job = :job
      and ${scope.db.dialect.among('task', 'ids', 'bigint')}`,
    { job: job.seq, ids: list(finished.map((row) => number(row, 'id'))) },
  );
  await session.run(
    `update trove_jobs set succeeded_objects = succeeded_objects - :succeeded,
        failed_objects = failed_objects - :failed, skipped_objects = skipped_objects - :skipped
      where seq = :job`,
    {
      job: job.seq,
      succeeded: having('succeeded'),
      failed: having('failed'),
      skipped: having('skipped'),
    },
  );
  return finished.length;
}

/** Objects that this listing called unchanged before they got a task are counted by the task from now on. */
function uncountUnchanged(listing: Listing, tasks: readonly NewTask[]): Promise<number> {
  const { session, scope, job, connector } = listing;
  return session.change(
    `update trove_objects set met_job = null, met_attempt = null
      where connector = :connector
        and ${scope.db.dialect.among('id', 'ids', 'text')}
        and met_job = :job and met_attempt = :attempt`,
    { connector, job: job.seq, attempt: job.attempt, ids: list(tasks.map((t) => t.objectId)) },
  );
}

/**
 * A move from an object that is still there is a copy, and only one move can take an object over: the others become
 * an `upsert`.
 */
async function settleMoves({ session, job, connector }: Listing): Promise<void> {
  await session.run(
    `update trove_tasks set op = 'upsert', from_object_id = null
      where job = :job and op = 'move' and (
        exists (select 1 from trove_objects o
          where o.connector = :connector and o.id = trove_tasks.from_object_id
            and o.met_job = :job and o.met_attempt = :attempt)
        or exists (select 1 from trove_tasks t
          where t.job = :job and t.object_id = trove_tasks.from_object_id)
        or exists (select 1 from trove_tasks t
          where t.job = :job and t.op = 'move'
            and t.from_object_id = trove_tasks.from_object_id and t.id < trove_tasks.id))`,
    { job: job.seq, attempt: job.attempt, connector },
  );
}

/** Adds a task for each object that was not met, unless a move takes it over. Returns how many. */
function addDeletes({ session, job, connector }: Listing): Promise<number> {
  return session.change(
    `insert into trove_tasks (job, object_id, path, op, priority)
      select cast(:job as bigint), o.id, o.path, 'delete', 0 from trove_objects o
      where o.connector = :connector
        and (o.met_job is distinct from :job or o.met_attempt is distinct from :attempt)
        and not exists (select 1 from trove_tasks t where t.job = :job and t.object_id = o.id)
        and not exists (select 1 from trove_tasks t
          where t.job = :job and t.from_object_id = o.id)
      order by o.id`,
    { job: job.seq, attempt: job.attempt, connector },
  );
}

async function count({ session, job }: Listing, counts: Counts): Promise<void> {
  await session.run(
    `update trove_jobs set total_objects = total_objects + :total,
        skipped_objects = skipped_objects + :skipped, open_tasks = open_tasks + :open
      where seq = :job`,
    { job: job.seq, total: counts.total, skipped: counts.skipped, open: counts.open },
  );
}

function rowOf(task: NewTask): (string | number | null)[] {
  return [
    task.objectId,
    task.path,
    task.op,
    task.entry === null ? null : JSON.stringify(task.entry),
    task.fromObjectId,
    task.priority,
  ];
}
