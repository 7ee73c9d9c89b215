import type { TaskRecord } from '@trove/core/store';

import { isQueued, tasksOf, sharing, type Mutants } from './support.js';

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
  'claim-of-running-job': (good, data) => ({
    tasks: {
      claim: async (id, worker, atMost, leaseMs) => {
        const job = data.jobs.get(id);
        if (job === undefined || !isQueued(job))
          return good.tasks.claim(id, worker, atMost, leaseMs);
        job.status = 'running';
        const tasks = await good.tasks.claim(id, worker, atMost, leaseMs);
        job.status = 'queued';
        return tasks;
      },
    },
  }),
  'claim-task-once': (good, data) => {
    const shared = sharing(good.tasks.claim);
    return {
      // Only while nothing is completed in between, as that would be found by its counts, too.
      tasks: {
        claim: (id, worker, atMost, leaseMs) => {
          const claimed = tasksOf(data).some((task) => task.outcome !== null);
          const share = !claimed && worker !== 'w0' && worker !== 'w1';
          return share
            ? shared(id, worker, atMost, leaseMs)
            : good.tasks.claim(id, worker, atMost, leaseMs);
        },
      },
    };
  },
  'task-lease-runs-out': (good, data) => ({
    tasks: {
      claim: async (id, worker, atMost, leaseMs) => {
        const lost = new Set(
          tasksOf(data).flatMap((task) => (task.worker === null ? [] : [task.id])),
        );
        const tasks = await good.tasks.claim(id, worker, atMost, leaseMs);
        return tasks.map((task) => (lost.has(task.id) ? { ...task, attempt: 0 } : task));
      },
    },
  }),
  'lost-task-cannot-complete': (good, data) => ({
    tasks: {
      complete: (worker, results) => {
        const ids = new Set(results.map(({ taskId }) => taskId));
        const lost = tasksOf(data).filter(
          (task) => ids.has(task.id) && task.outcome === null && task.worker === 'w2',
        );
        for (const task of lost) task.worker = worker;
        return good.tasks.complete(worker, results);
      },
    },
  }),
  'expired-task-cannot-complete': (good, data) => ({
    tasks: {
      complete: (worker, results) => {
        const ids = new Set(results.map(({ taskId }) => taskId));
        for (const task of tasksOf(data)) {
          if (ids.has(task.id) && task.worker === worker) task.leaseUntil = Infinity;
        }
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
  'complete-once': (good, data) => ({
    tasks: {
      complete: async (worker, results) => {
        const [first] = results;
        const done = tasksOf(data).find(({ id }) => id === first?.taskId);
        if (results.length === 1 && done?.outcome === 'added') return [done.id];
        return good.tasks.complete(worker, results);
      },
    },
  }),
  'concurrent-counts': (good, data) => ({
    // Reads the count, waits, and writes it back: what others counted meanwhile is lost.
    tasks: {
      complete: async (worker, results) => {
        const jobs = [...data.jobs.values()].map((job) => ({ job, before: job.added }));
        await Promise.resolve();
        const done = await good.tasks.complete(worker, results);
        const succeeded = results.filter(({ outcome }) => outcome === 'added').length;
        for (const { job, before } of jobs) {
          const mine = job.added - before;
          if (done.length === succeeded && mine > succeeded) job.added = before + succeeded;
        }
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
      failures: async (id, limit) =>
        (await good.jobs.failures(id, Infinity)).reverse().slice(0, limit),
    },
  }),
};

function byId(left: TaskRecord, right: TaskRecord): number {
  return left.id - right.id;
}

function withoutSkip({ skip: _skip, ...entry }: NonNullable<TaskRecord['entry']>): typeof entry {
  return entry;
}
