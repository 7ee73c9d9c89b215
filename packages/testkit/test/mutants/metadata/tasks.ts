import type { TaskRecord } from '@trove/core/store';

import { json, never, sharing, type Mutants } from './support.js';

const among = 'id in (select value from json_each(?))';

export const taskMutants: Mutants = {
  'claim-in-order': (good) => ({
    tasks: {
      claim: async (id, worker, atMost, leaseMs) =>
        (await good.tasks.claim(id, worker, atMost, leaseMs)).sort(byId),
    },
  }),
  'task-keeps-everything': (good) => ({
    tasks: {
      claim: async (id, worker, atMost, leaseMs) => {
        const tasks = await good.tasks.claim(id, worker, atMost, leaseMs);
        return tasks.map((task) => ({ ...task, entry: task.entry && withoutSkip(task.entry) }));
      },
    },
  }),
  'claim-of-running-job': (good, database) => ({
    tasks: {
      claim: async (id, worker, atMost, leaseMs) => {
        const queued = await database.query(
          `update trove_jobs set status = 'running' where id = ? and status = 'queued' returning seq`,
          id,
        );
        const tasks = await good.tasks.claim(id, worker, atMost, leaseMs);
        for (const { seq } of queued)
          await database.query(`update trove_jobs set status = 'queued' where seq = ?`, seq);
        return tasks;
      },
    },
  }),
  'task-continues': (good, database) => ({
    // Keeps the failures before a checkpoint.
    tasks: {
      checkpoint: async (worker, taskId, checkpoint) => {
        const [row] = await database.query('select attempt from trove_tasks where id = ?', taskId);
        const held = await good.tasks.checkpoint(worker, taskId, checkpoint);
        await database.query(
          'update trove_tasks set attempt = ? where id = ?',
          row?.['attempt'],
          taskId,
        );
        return held;
      },
    },
  }),
  'claim-task-once': (good) => ({
    tasks: { claim: sharing((...args) => good.tasks.claim(...args)) },
  }),
  'task-lease-runs-out': (good, database) => ({
    tasks: {
      claim: async (id, worker, atMost, leaseMs) => {
        const rows = await database.query('select id from trove_tasks where worker is not null');
        const lost = new Set(rows.map((row) => row['id']));
        const tasks = await good.tasks.claim(id, worker, atMost, leaseMs);
        return tasks.map((task) => (lost.has(task.id) ? { ...task, attempt: 0 } : task));
      },
    },
  }),
  'lost-task-cannot-complete': (good, database) => ({
    tasks: {
      complete: async (worker, results) => {
        await database.query(
          `update trove_tasks set worker = ?
            where ${among} and outcome is null and worker = 'w2'`,
          worker,
          json(results.map(({ taskId }) => taskId)),
        );
        return good.tasks.complete(worker, results);
      },
    },
  }),
  'expired-task-cannot-complete': (good, database) => ({
    tasks: {
      complete: async (worker, results) => {
        await database.query(
          `update trove_tasks set lease_until = ? where ${among} and worker = ?`,
          never,
          json(results.map(({ taskId }) => taskId)),
          worker,
        );
        return good.tasks.complete(worker, results);
      },
    },
  }),
  'complete-tasks': (good) => ({
    tasks: {
      complete: (worker, results) =>
        good.tasks.complete(
          worker,
          results.map((result) =>
            (result.removed?.length ?? 0) > 0 && (result.put?.length ?? 0) > 1
              ? { ...result, removed: [] }
              : result,
          ),
        ),
    },
  }),
  'complete-once': (good, database) => ({
    tasks: {
      complete: async (worker, results) => {
        const [first] = results;
        const [done] = await database.query(
          `select id from trove_tasks where id = ? and outcome = 'added'`,
          first?.taskId ?? null,
        );
        if (first !== undefined && done !== undefined) return [first.taskId];
        return good.tasks.complete(worker, results);
      },
    },
  }),
  'concurrent-counts': (good, database) => ({
    // Reads the count and writes it later. Loses counts of other workers in between.
    tasks: {
      complete: async (worker, results) => {
        const jobs = await database.query('select seq, added from trove_jobs');
        const done = await good.tasks.complete(worker, results);
        const added = results.filter(({ outcome }) => outcome === 'added').length;
        for (const job of jobs)
          await database.query(
            'update trove_jobs set added = ? where seq = ?',
            Number(job['added']) + added,
            job['seq'],
          );
        return done;
      },
    },
  }),
  'retry-later': (good) => ({
    tasks: {
      complete: (worker, results) =>
        good.tasks.complete(
          worker,
          results.map((result) => ({
            ...result,
            retryAfterMs: Math.min(result.retryAfterMs ?? 0, 0),
          })),
        ),
    },
  }),
  'retry-in-time': (good) => ({
    tasks: {
      complete: (worker, results) =>
        good.tasks.complete(
          worker,
          results.map((result) =>
            result.outcome === 'retry' && result.retryAfterMs === undefined
              ? { taskId: result.taskId, outcome: 'unchanged' as const }
              : result,
          ),
        ),
    },
  }),
  'failures-in-order': (good) => ({
    jobs: {
      failures: async (id, limit) => (await good.jobs.failures(id, 100)).reverse().slice(0, limit),
    },
  }),
};

function byId(left: TaskRecord, right: TaskRecord): number {
  return left.id - right.id;
}

function withoutSkip({ skip: _skip, ...entry }: NonNullable<TaskRecord['entry']>): typeof entry {
  return entry;
}
