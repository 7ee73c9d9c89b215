import type { ListingDifference, ListingEnd, JobListings, NewTask } from '@trove/core/store';

import type { Row, StoreSession } from '../database/types.js';
import { list, members, number, rows, texts } from '../database/values.js';
import { lockHeldJob, type LockedJob } from './end-job.js';
import { allPartsSeen, digestOf, markKnownPart, saveParts } from './known-parts.js';
import { connectorNumber, type StoreScope } from './scope.js';
import { outcomes, failedColumns } from './tasks.js';

const taskTypes = {
  object_id: 'text',
  path: 'text',
  op: 'text',
  entry: 'text',
  from_object_id: 'text',
  priority: 'real',
} as const;
const taskColumns = Object.keys(taskTypes).join(', ');

/** A listing with its locked job. */
interface ListingRun {
  readonly session: StoreSession;
  readonly scope: StoreScope;
  readonly job: LockedJob;
}

export class SqlListings implements JobListings {
  readonly #scope: StoreScope;

  constructor(scope: StoreScope) {
    this.#scope = scope;
  }

  compare(
    jobId: string,
    worker: string,
    revisions: ReadonlyMap<string, string | null>,
  ): Promise<ListingDifference | null> {
    return withListing(this.#scope, jobId, worker, null, (listing) => compare(listing, revisions));
  }

  addTasks(jobId: string, worker: string, tasks: readonly NewTask[]): Promise<boolean> {
    return withListing(this.#scope, jobId, worker, false, async (listing) => {
      const added = await addTasks(listing, tasks);
      await count(listing, { ...added, ...noneSeen });
      return true;
    });
  }

  checkpoint(jobId: string, worker: string, checkpoint: unknown): Promise<boolean> {
    return withListing(this.#scope, jobId, worker, false, async ({ session, job }) => {
      if (job.listed) return true;
      await session.run(
        'update trove_listed_parts set is_kept = 1 where job = :job and is_kept = 0',
        {
          job: job.seq,
        },
      );
      await session.run(
        'update trove_jobs set checkpoint = :checkpoint, deaths = 0 where seq = :job',
        {
          job: job.seq,
          checkpoint: JSON.stringify(checkpoint),
        },
      );
      return true;
    });
  }

  finish(jobId: string, worker: string, end: ListingEnd): Promise<boolean> {
    return withListing(this.#scope, jobId, worker, false, async (listing) => {
      if (listing.job.listed) return true;
      const again = await addFailedTasks(listing, end.complete);
      await settleMoves(listing);
      const taken = await dropDeletesOfMoved(listing);
      const deletes = end.complete ? await settleParts(listing) : 0;
      const seen = end.complete ? await countUntouched(listing) : await countSeen(listing);
      await settle(listing, seen, again + deletes - taken, end);
      return true;
    });
  }
}

/** Runs `work` in a transaction. Returns `lost` when the worker does not hold the job. */
function withListing<T, L>(
  scope: StoreScope,
  jobId: string,
  worker: string,
  lost: L,
  work: (listing: ListingRun) => Promise<T>,
): Promise<T | L> {
  return scope.db.write(async (session) => {
    const job = await lockHeldJob(session, scope, jobId, worker);
    return job === null ? lost : work({ session, scope, job });
  });
}

/**
 * Returns the differences and records the unchanged objects in one row. One statement does both, so that their ids do
 * not travel to this process and back.
 */
async function compare(
  listing: ListingRun,
  revisions: ReadonlyMap<string, string | null>,
): Promise<ListingDifference> {
  const { session, scope, job } = listing;
  const digest = digestOf(revisions);
  const leftOutOfKnown = await markKnownPart(listing, digest);
  if (leftOutOfKnown !== null) {
    await countSame(listing, revisions.size, leftOutOfKnown);
    return { changed: [], added: [] };
  }
  const { key, jsonArrayWhere, members: membersTable } = scope.db.dialect;
  const isSame = 'o.revision = e.value and d.id is null';
  const [found] = await session.all(
    `insert into trove_listed_parts (job, ids, left_out, changed, added, digest)
      select cast(:job as bigint), ${jsonArrayWhere('o.id', isSame)},
        count(*) filter (where ${isSame} and o.search_status = 'not_indexed'),
        ${jsonArrayWhere('e.key', `o.id is not null and (${isSame}) is not true`)},
        ${jsonArrayWhere('e.key', 'o.id is null')},
        case when count(*) filter (where ${isSame}) = count(*) then cast(:digest as text) end
      from ${membersTable(':revisions', 'e')} left join trove_objects o
        on o.connector = ${connectorNumber}
          and ${key('o.path')} = ${key('e.key')} and o.path = e.key
      left join trove_tasks d on d.job = :job and d.object_id = o.id and d.op = 'delete'
      returning left_out, changed, added`,
    {
      job: job.seq,
      revisions: members(revisions),
      digest,
      namespace: scope.namespace,
      connectorId: job.connectorId,
    },
  );
  if (found === undefined) throw new TypeError('The database compared nothing.');
  const changed = texts(found, 'changed');
  const added = texts(found, 'added');
  const same = revisions.size - changed.length - added.length;
  if (same > 0) await countSame(listing, same, number(found, 'left_out'));
  return { changed, added };
}

function countSame(listing: ListingRun, same: number, leftOut: number): Promise<void> {
  return count(listing, { total: same, unchanged: same - leftOut, leftOut, open: 0 });
}

/** A subselect of the ids that this listing found unchanged. An id that was listed twice appears twice. */
function seenIds({ scope }: ListingRun): string {
  return `select e.value from trove_listed_parts m cross join ${scope.db.dialect.elements('m.ids', 'e')}
    where m.job = :job`;
}

/** Numbers of objects that this listing found unchanged. */
interface SeenCounts {
  readonly unchanged: number;
  readonly leftOut: number;
}

const noneSeen: SeenCounts = { unchanged: 0, leftOut: 0 };

/** Counts the objects that this listing found unchanged. Each counts once, and objects with a task do not count. */
async function countSeen(listing: ListingRun): Promise<SeenCounts> {
  const { session, scope, job } = listing;
  const [row] = await session.all(
    `select count(*) as seen, count(*) filter (where o.search_status = 'not_indexed') as left_out
      from (select distinct seen.value as id from (${seenIds(listing)}) seen) seen
      cross join trove_objects o
      left join trove_tasks t on t.job = :job and t.object_id = seen.id
      where t.id is null and o.connector = ${connectorNumber} and o.id = seen.id`,
    { job: job.seq, namespace: scope.namespace, connectorId: job.connectorId },
  );
  return seenCountsOf(row);
}

function seenCountsOf(row: Row | undefined): SeenCounts {
  if (row === undefined) return noneSeen;
  const leftOut = number(row, 'left_out');
  return { unchanged: number(row, 'seen') - leftOut, leftOut };
}

/** Counts the objects without a task. Equals `countSeen` if every object that was not listed has a task. */
async function countUntouched({ session, scope, job }: ListingRun): Promise<SeenCounts> {
  const all = `select count(*) from trove_objects where connector = ${connectorNumber}`;
  const [row] = await session.all(
    `select (${all}) - count(*) as seen,
        (${all} and search_status = 'not_indexed')
          - count(*) filter (where o.search_status = 'not_indexed') as left_out
      from (
        select object_id as id from trove_tasks where job = :job
        union select from_object_id from trove_tasks where job = :job
      ) touched
      cross join trove_objects o
      where o.connector = ${connectorNumber} and o.id = touched.id`,
    { job: job.seq, namespace: scope.namespace, connectorId: job.connectorId },
  );
  return seenCountsOf(row);
}

interface AddedTasks {
  readonly total: number;
  readonly open: number;
}

/**
 * Adds tasks, one per object. The latest task wins, even over a finished one, because a source reports each change only
 * once. A task that follows records includes the changes before it.
 */
async function addTasks(listing: ListingRun, tasks: readonly NewTask[]): Promise<AddedTasks> {
  if (tasks.length === 0) return { total: 0, open: 0 };
  const { session, scope, job } = listing;
  const distinct = [...new Map(tasks.map((task) => [task.objectId, task])).values()];
  const bound = { job: job.seq, tasks: rows(distinct.map(rowOf)) };
  const taskTable = scope.db.dialect.rows('tasks', taskTypes);
  const replaced = await session.all(
    `select t.id, t.outcome from ${taskTable} r cross join trove_tasks t
      where t.job = :job and t.object_id = r.object_id
        and (t.op = 'records' or t.op is distinct from r.op or t.entry is distinct from r.entry)`,
    bound,
  );
  const reopened = await reopen(listing, replaced);
  if (replaced.length > 0) {
    // The new task gets a new number, so that a worker's result for the old one does not complete it.
    await session.run(
      `delete from trove_tasks where ${scope.db.dialect.isOneOf('id', 'ids', 'bigint')}`,
      { ids: list(replaced.map((row) => number(row, 'id'))) },
    );
  }
  const written = await session.change(
    `insert into trove_tasks (job, ${taskColumns})
      select cast(:job as bigint), ${taskColumns} from ${taskTable} r where true order by r.n
      on conflict (job, object_id) do nothing`,
    bound,
  );
  const added = written - replaced.length;
  return { total: added, open: added + reopened };
}

/** Subtracts the outcomes of tasks that will run again. Returns how many were finished. */
async function reopen(
  { session, scope, job }: ListingRun,
  replaced: readonly Row[],
): Promise<number> {
  const finished = replaced.filter((row) => row['outcome'] !== null);
  if (finished.length === 0) return 0;
  const having = (outcome: string) => finished.filter((row) => row['outcome'] === outcome).length;
  await session.run(
    `delete from trove_failures where job = :job
      and ${scope.db.dialect.isOneOf('task', 'ids', 'bigint')}`,
    { job: job.seq, ids: list(finished.map((row) => number(row, 'id'))) },
  );
  await session.run(
    `update trove_jobs set ${outcomes.map((each) => `${each} = ${each} - :${each}`).join(', ')}
      where seq = :job`,
    { job: job.seq, ...Object.fromEntries(outcomes.map((each) => [each, having(each)])) },
  );
  return finished.length;
}

/**
 * Adds the tasks that failed in earlier syncs for objects without a task. After a full listing, only listed objects
 * qualify and the other failed tasks are deleted. Returns the number of added tasks.
 */
async function addFailedTasks(listing: ListingRun, complete: boolean): Promise<number> {
  const { session, scope, job } = listing;
  const bound = { namespace: scope.namespace, connectorId: job.connectorId };
  const [some] = await session.all(
    `select 1 as some from trove_failed_tasks where connector = ${connectorNumber} limit 1`,
    bound,
  );
  if (some === undefined) return 0;
  if (complete) {
    await session.run(
      `delete from trove_failed_tasks where connector = ${connectorNumber} and object_id in (
        select object_id from trove_failed_tasks where connector = ${connectorNumber}
        except ${seenIds(listing)}
        except select object_id from trove_tasks where job = :job)`,
      { ...bound, job: job.seq },
    );
  }
  return session.change(
    `insert into trove_tasks (job, ${failedColumns})
      select cast(:job as bigint), ${failedColumns} from trove_failed_tasks
      where connector = ${connectorNumber} order by object_id
      on conflict (job, object_id) do nothing`,
    { ...bound, job: job.seq },
  );
}

/**
 * A move from an object that still exists is a copy. Only one move can take an object over, so the others become
 * `upsert`s.
 */
async function settleMoves(listing: ListingRun): Promise<void> {
  const { session, job } = listing;
  await session.run(
    `update trove_tasks set op = 'upsert', from_object_id = null
      where job = :job and op = 'move' and (
        from_object_id in (${seenIds(listing)})
        or exists (select 1 from trove_tasks t
          where t.job = :job and t.object_id = trove_tasks.from_object_id and t.op <> 'delete')
        or exists (select 1 from trove_tasks t
          where t.job = :job and t.op = 'move'
            and t.from_object_id = trove_tasks.from_object_id and t.id < trove_tasks.id))`,
    { job: job.seq },
  );
}

/** Deletes the delete tasks of objects that a move takes over. Returns their number. */
function dropDeletesOfMoved({ session, job }: ListingRun): Promise<number> {
  return session.change(
    `delete from trove_tasks where job = :job and op = 'delete' and object_id in (
        select from_object_id from trove_tasks where job = :job and op = 'move')`,
    { job: job.seq },
  );
}

/**
 * Adds tasks for objects that a full listing did not contain, or saves its parts if nothing changed. Returns the number
 * of tasks.
 */
async function settleParts(listing: ListingRun): Promise<number> {
  if (await allPartsSeen(listing)) return 0;
  const deletes = await addDeletes(listing);
  await saveParts(listing);
  return deletes;
}

/** Adds a delete task for each object that was not listed, unless a move takes it over. Returns their number. */
function addDeletes(listing: ListingRun): Promise<number> {
  const { session, scope, job } = listing;
  return session.change(
    `insert into trove_tasks (job, object_id, path, op, priority)
      select cast(:job as bigint), o.id, o.path, 'delete', 0
      from (
        select id from trove_objects where connector = ${connectorNumber}
        except ${seenIds(listing)}
        except select object_id from trove_tasks where job = :job
        except select from_object_id from trove_tasks where job = :job
      ) gone
      cross join trove_objects o
      where o.connector = ${connectorNumber} and o.id = gone.id
      order by o.id`,
    { job: job.seq, namespace: scope.namespace, connectorId: job.connectorId },
  );
}

/** Corrects double counting and ends the listing. */
async function settle(
  { session, job }: ListingRun,
  { unchanged, leftOut }: SeenCounts,
  open: number,
  { state, problem, warnings = [] }: ListingEnd,
): Promise<void> {
  await session.run(
    `update trove_jobs set listed = 1, checkpoint = null, deaths = 0, state = :state, warnings = :warnings, open_tasks = open_tasks + :open,
        problem_code = :code, problem_detail = :detail,
        total = :seen + (select count(*) from trove_tasks t where t.job = :job),
        unchanged = :unchanged + (select count(*) from trove_tasks t
          where t.job = :job and t.outcome = 'unchanged'),
        left_out = :leftOut + (select count(*) from trove_tasks t
          where t.job = :job and t.outcome = 'left_out')
      where seq = :job`,
    {
      job: job.seq,
      seen: unchanged + leftOut,
      unchanged,
      leftOut,
      open,
      state: state === undefined ? null : JSON.stringify(state),
      warnings: list(warnings),
      code: problem?.code ?? null,
      detail: problem?.detail ?? null,
    },
  );
}

async function count(
  { session, job }: ListingRun,
  { total, open, unchanged, leftOut }: AddedTasks & SeenCounts,
): Promise<void> {
  await session.run(
    `update trove_jobs set total = total + :total, unchanged = unchanged + :unchanged,
        left_out = left_out + :leftOut, open_tasks = open_tasks + :open
      where seq = :job`,
    { job: job.seq, total, unchanged, leftOut, open },
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
