import type { NewTask } from '@trove/core/store';
import type { MetadataDatabase } from '@trove/test-support/metadata-database.js';

import { connectorRow, jobNumber, jobRow, json, type Mutants } from './support.js';

export const listingMutants: Mutants = {
  'compare-listing': (good, database) => ({
    // Treats an object without a revision as unchanged if the listing has no revision either.
    listings: {
      compare: async (id, worker, revisions) => {
        const found = await good.listings.compare(id, worker, revisions);
        const rows = await database.query('select path from trove_objects where revision is null');
        const none = new Set(rows.map((row) => row['path']));
        const isSame = (path: string) => none.has(path) && revisions.get(path) === null;
        return found && { ...found, changed: found.changed.filter((path) => !isSame(path)) };
      },
    },
  }),
  'listing-counts': (good, database) => ({
    // Does not count tasks that were added while another one existed.
    listings: {
      addTasks: async (id, worker, added) => {
        const before = await tasksOf(database, id);
        const held = await good.listings.addTasks(id, worker, added);
        if (before.length === 1 && (await tasksOf(database, id)).length === 3)
          await database.query('update trove_jobs set total = total - 1 where id = ?', id);
        return held;
      },
    },
  }),
  'listing-continues': (good, database) => ({
    // Keeps everything that was listed.
    jobs: {
      claim: async (worker, leaseMs) => {
        await database.query('update trove_listed_parts set is_kept = 1');
        return good.jobs.claim(worker, leaseMs);
      },
    },
  }),
  'one-task-per-object': (good, database) => {
    // Counts a finished task again when its object is listed again.
    let again = 0;
    return {
      listings: {
        compare: async (id, worker, revisions) => {
          const finished = (await tasksOf(database, id)).filter((row) => row['outcome'] !== null);
          again += finished.filter((row) => revisions.has(String(row['path']))).length;
          return good.listings.compare(id, worker, revisions);
        },
        finish: async (id, worker, end) => {
          const ended = await good.listings.finish(id, worker, end);
          await database.query('update trove_jobs set total = total + ? where id = ?', again, id);
          return ended;
        },
      },
    };
  },
  'last-listing-wins': (good, database) => ({
    listings: {
      addTasks: async (id, worker, added) => {
        const rows = await tasksOf(database, id);
        const open = rows.filter((row) => row['outcome'] === null && row['worker'] === null);
        const known = new Set(open.map((row) => row['object_id']));
        const tasks = added.filter(({ objectId }) => !known.has(objectId));
        return good.listings.addTasks(id, worker, tasks);
      },
    },
  }),
  'finished-task-repeats': (good, database) => ({
    listings: {
      addTasks: async (id, worker, added) => {
        const rows = (await tasksOf(database, id)).filter((row) => row['outcome'] !== null);
        const done = new Set(rows.map((row) => row['object_id']));
        const tasks = added.filter(({ objectId, op }) => op === 'records' || !done.has(objectId));
        return good.listings.addTasks(id, worker, tasks);
      },
    },
  }),
  'records-task-repeats': (good, database) => ({
    listings: {
      addTasks: async (id, worker, added) => {
        const rows = (await tasksOf(database, id)).filter((row) => row['op'] === 'records');
        const known = new Set(rows.map((row) => row['object_id']));
        const tasks = added.filter(({ objectId, op }) => op !== 'records' || !known.has(objectId));
        return good.listings.addTasks(id, worker, tasks);
      },
    },
  }),
  'replaced-task-is-lost': (good, database) => ({
    // Gives the new task the lease of the old one.
    listings: {
      addTasks: async (id, worker, added) => {
        const begun = (await tasksOf(database, id)).filter((row) => row['worker'] !== null);
        const held = await good.listings.addTasks(id, worker, added);
        for (const task of begun)
          await database.query(
            `update trove_tasks set worker = ?, lease_until = ?
              where job = ? and object_id = ? and id <> ?`,
            ...['worker', 'lease_until', 'job', 'object_id', 'id'].map((column) => task[column]),
          );
        return held;
      },
    },
  }),
  'replaced-task-has-another-id': (good, database) => ({
    listings: {
      addTasks: async (id, worker, added) => {
        const begun = (await tasksOf(database, id)).filter((row) => row['worker'] === worker);
        const held = await good.listings.addTasks(id, worker, added);
        for (const task of begun)
          await database.query(
            'update trove_tasks set id = ? where job = ? and object_id = ?',
            task['id'],
            task['job'],
            task['object_id'],
          );
        return held;
      },
    },
  }),
  'there-again': (good, database) => ({
    listings: {
      compare: async (id, worker, revisions) => {
        const found = await good.listings.compare(id, worker, revisions);
        const deletes = (await tasksOf(database, id)).filter((row) => row['op'] === 'delete');
        const gone = new Set(deletes.map((row) => row['path']));
        return found && { ...found, changed: found.changed.filter((path) => !gone.has(path)) };
      },
    },
  }),
  'listing-restarts': (good, database) => ({
    jobs: {
      claim: async (worker, leaseMs) => {
        const before = await database.query('select id, total, unchanged, attempt from trove_jobs');
        const job = await good.jobs.claim(worker, leaseMs);
        const old = before.find((row) => row['id'] === job?.id);
        if (job === null || old === undefined || old['attempt'] === 0) return job;
        const [total, unchanged] = [Number(old['total']), Number(old['unchanged'])];
        await database.query(
          'update trove_jobs set total = ?, unchanged = ? where id = ?',
          total,
          unchanged,
          job.id,
        );
        return { ...job, total, unchanged };
      },
    },
  }),
  'listing-stays-complete': (good, database) => ({
    jobs: {
      claim: async (worker, leaseMs) => {
        await database.query(`update trove_jobs set listed = 0 where status = 'queued'`);
        return good.jobs.claim(worker, leaseMs);
      },
    },
  }),
  'complete-listing-deletes': (good, database) => ({
    listings: {
      finish: async (id, worker, end) => {
        const ended = await good.listings.finish(id, worker, end);
        await database.query(
          `delete from trove_tasks where id =
            (select min(id) from trove_tasks where job = ${jobNumber} and op = 'delete')`,
          id,
        );
        return ended;
      },
    },
  }),
  'incomplete-listing-deletes-nothing': (good) => ({
    listings: {
      finish: (id, worker, end) => good.listings.finish(id, worker, { ...end, complete: true }),
    },
  }),
  'interrupted-listing-ignored': (good, database) => ({
    listings: {
      finish: async (id, worker, end) => {
        const job = await jobRow(database, id);
        const objects = await database.query('select id from trove_objects');
        if (Number(job?.['attempt']) > 1)
          await database.query(
            'insert into trove_listed_parts (job, ids, left_out) values (?, ?, 0)',
            job?.['seq'],
            json(objects.map((row) => row['id'])),
          );
        return good.listings.finish(id, worker, end);
      },
    },
  }),
  'moves-wait': (good, database) => ({
    tasks: {
      claim: async (id, worker, atMost, leaseMs) => {
        const listed = (await jobRow(database, id))?.['listed'] ?? 0;
        await database.query('update trove_jobs set listed = 1 where id = ?', id);
        const tasks = await good.tasks.claim(id, worker, atMost, leaseMs);
        await database.query('update trove_jobs set listed = ? where id = ?', listed, id);
        return tasks;
      },
    },
  }),
  'moved-and-removed': (good, database) => ({
    listings: {
      finish: async (id, worker, end) => {
        const tasks = await tasksOf(database, id);
        const deletions = tasks.filter((row) => row['op'] === 'delete');
        const removed = new Set(deletions.map((row) => row['object_id']));
        const isBoth = tasks.some((row) => removed.has(row['from_object_id']));
        const finished = await good.listings.finish(id, worker, end);
        if (isBoth)
          await database.query(
            `update trove_tasks set op = 'upsert', from_object_id = null
              where op = 'move' and job = ${jobNumber}`,
            id,
          );
        return finished;
      },
    },
  }),
  'moved-is-not-deleted': (good, database) => ({
    listings: {
      finish: async (id, worker, end) => {
        const ended = await good.listings.finish(id, worker, end);
        const moves = (await tasksOf(database, id)).filter((row) => row['op'] === 'move');
        const tasks = moves.map((row) => ({
          objectId: String(row['from_object_id']),
          path: 'old',
          op: 'delete' as const,
          entry: null,
          fromObjectId: null,
          priority: 0,
        }));
        await good.listings.addTasks(id, worker, tasks);
        return ended;
      },
    },
  }),
  'copy-is-not-a-move': (good, database) => ({
    listings: {
      finish: async (id, worker, end) => {
        const moves = (await tasksOf(database, id)).filter((row) => row['op'] === 'move');
        const ended = await good.listings.finish(id, worker, end);
        for (const move of moves)
          await database.query(
            `update trove_tasks set op = 'move', from_object_id = ? where id = ?`,
            move['from_object_id'],
            move['id'],
          );
        return ended;
      },
    },
  }),
  'left-out-is-counted': (good, database) => ({
    listings: {
      finish: async (id, worker, end) => {
        const ended = await good.listings.finish(id, worker, end);
        if (end.complete) return ended;
        await database.query(
          'update trove_jobs set unchanged = unchanged + left_out, left_out = 0 where id = ?',
          id,
        );
        return ended;
      },
    },
  }),
  'listing-problem': (good) => ({
    listings: {
      finish: (id, worker, { problem: _problem, ...end }) => good.listings.finish(id, worker, end),
    },
  }),
  'listing-warnings': (good) => ({
    listings: {
      finish: (id, worker, { warnings: _notes, ...end }) => good.listings.finish(id, worker, end),
    },
  }),
  'failed-tasks-repeat': (good, database) => ({
    listings: {
      finish: async (id, worker, end) => {
        if (!end.complete) await database.query('delete from trove_failed_tasks');
        return good.listings.finish(id, worker, end);
      },
    },
  }),
  'failed-and-gone-dropped': (good, database) => ({
    listings: {
      finish: async (id, worker, end) => {
        const connector = (await connectorRow(database, id))?.['seq'] ?? null;
        const again = await database.query(
          'select * from trove_failed_tasks where connector = ?',
          connector,
        );
        if (end.complete) await good.listings.addTasks(id, worker, again.map(newTaskOf));
        return good.listings.finish(id, worker, end);
      },
    },
  }),
  'moves-once': (good, database) => ({
    listings: {
      finish: async (id, worker, end) => {
        const moves = (await tasksOf(database, id)).filter((row) => row['op'] === 'move');
        const ended = await good.listings.finish(id, worker, end);
        await database.query(
          `update trove_tasks set op = 'move' where id in (select value from json_each(?))`,
          json(moves.map((row) => row['id'])),
        );
        return ended;
      },
    },
  }),
};

type Row = Awaited<ReturnType<MetadataDatabase['query']>>[number];

function tasksOf(database: MetadataDatabase, jobId: string): Promise<Row[]> {
  return database.query(`select * from trove_tasks where job = ${jobNumber} order by id`, jobId);
}

function newTaskOf(row: Row): NewTask {
  const entry = row['entry'] as string | null;
  return {
    objectId: String(row['object_id']),
    path: String(row['path']),
    op: row['op'] as NewTask['op'],
    entry: entry === null ? null : (JSON.parse(entry) as NewTask['entry']),
    fromObjectId: row['from_object_id'] as string | null,
    priority: Number(row['priority']),
  };
}
