import { setTimeout as delay } from 'node:timers/promises';

import {
  all as everything,
  connectorRow,
  insisting,
  jobRow,
  raceMs,
  type Mutants,
} from './support.js';

export const jobMutants: Mutants = {
  'create-job': (good) => ({
    jobs: { create: async (job) => ({ ...(await good.jobs.create(job)), full: false }) },
  }),
  'one-live-job': (good, database) => ({
    // Checks for a live job first and writes later. Misses a job that was created in between.
    jobs: {
      create: async (job) => {
        const live = `status in ('queued', 'running')`;
        const seen = await database.query(`select seq from trove_jobs where ${live}`);
        await delay(raceMs);
        if (seen.length > 0) return good.jobs.create(job);
        return insisting(
          () => good.jobs.create(job),
          () => database.query(`update trove_jobs set status = 'cancelled' where ${live}`),
        );
      },
    },
  }),
  'jobs-newest-first': (good) => ({
    jobs: {
      list: async (filter) => {
        const all = await good.jobs.list({ ...filter, limit: everything, offset: 0 });
        return all.reverse().slice(filter.offset, filter.offset + filter.limit);
      },
    },
  }),
  'job-counts': (good) => ({ jobs: { counts: () => good.jobs.counts() } }),
  'finish-job': (good, database) => ({
    jobs: {
      finish: async (id, worker, outcome) => {
        const ended = await good.jobs.finish(id, worker, outcome);
        if (ended) await database.query('update trove_jobs set cancelled = 0 where id = ?', id);
        return ended;
      },
    },
  }),
  'failed-is-error': (good, database) => ({
    jobs: {
      finish: async (id, worker, outcome) => {
        const ended = await good.jobs.finish(id, worker, outcome);
        await database.query(
          `update trove_connectors set status = 'active' where seq = ? and status = 'error'`,
          (await connectorRow(database, id))?.['seq'] ?? null,
        );
        return ended;
      },
    },
  }),
  'report-problem': (good, database) => ({
    sources: {
      reportProblem: async (id, problem) => {
        await good.sources.reportProblem(id, problem);
        await database.query(`update trove_connectors set status = 'error' where id = ?`, id);
      },
    },
  }),
  'state-only-after-success': (good, database) => ({
    jobs: {
      finish: async (id, worker, outcome) => {
        const state = (await jobRow(database, id))?.['state'] ?? null;
        const ended = await good.jobs.finish(id, worker, outcome);
        await database.query(
          'update trove_connectors set state = coalesce(?, state) where seq = ?',
          state,
          (await connectorRow(database, id))?.['seq'] ?? null,
        );
        return ended;
      },
    },
  }),
  'last-synced': (good, database) => ({
    jobs: {
      finish: async (id, worker, outcome) => {
        const ended = await good.jobs.finish(id, worker, outcome);
        await database.query(
          'update trove_connectors set last_synced_at = ? where seq = ?',
          Date.now(),
          (await connectorRow(database, id))?.['seq'] ?? null,
        );
        return ended;
      },
    },
  }),
  'cancel-queued': (good, database) => ({
    jobs: {
      cancel: async (id) => {
        const asked = await database.query(
          `update trove_jobs set cancel_requested = 1 where id = ? and status = 'queued'
            returning id`,
          id,
        );
        return asked.length > 0 ? good.jobs.get(id) : good.jobs.cancel(id);
      },
    },
  }),
  'cancel-running': (good) => ({
    jobs: {
      cancel: async (id) => {
        const asked = await good.jobs.cancel(id);
        return asked && { ...asked, cancelRequested: false };
      },
    },
  }),
  'cancel-wins': (good, database) => ({
    jobs: {
      finish: async (id, worker, outcome) => {
        await database.query('update trove_jobs set cancel_requested = 0 where id = ?', id);
        return good.jobs.finish(id, worker, outcome);
      },
    },
  }),
  'cancel-stops-claims': (good, database) => ({
    tasks: {
      claim: async (id, worker, atMost, leaseMs) => {
        const asked = (await jobRow(database, id))?.['cancel_requested'] ?? null;
        await database.query('update trove_jobs set cancel_requested = 0 where id = ?', id);
        const tasks = await good.tasks.claim(id, worker, atMost, leaseMs);
        await database.query('update trove_jobs set cancel_requested = ? where id = ?', asked, id);
        return tasks;
      },
    },
  }),
  'cancel-finished': (good, database) => ({
    jobs: {
      cancel: async (id) => {
        await database.query(
          `update trove_jobs set cancel_requested = 1 where id = ? and status = 'succeeded'`,
          id,
        );
        return good.jobs.cancel(id);
      },
    },
  }),
  'prune-jobs': (good, database) => ({
    jobs: {
      prune: async (olderThanMs) => {
        const pruned = await good.jobs.prune(olderThanMs);
        await database.query(`delete from trove_jobs where status = 'queued'`);
        return pruned;
      },
    },
  }),
};
