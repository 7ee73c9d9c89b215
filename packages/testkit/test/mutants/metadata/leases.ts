import type { MetadataDatabase } from '@trove/test-support/metadata-database.js';

import { jobRow, never, sharing, type Mutants } from './support.js';

export const leaseMutants: Mutants = {
  // Claims the job with the lowest id instead of the oldest one.
  'claim-oldest-job': (good, database) => ({
    jobs: {
      claim: async (worker, leaseMs) => {
        const later = await database.query(
          `update trove_jobs set status = 'cancelled' where status = 'queued'
            and id > (select min(id) from trove_jobs where status = 'queued') returning seq`,
        );
        const claimed = await good.jobs.claim(worker, leaseMs);
        for (const { seq } of later)
          await database.query(`update trove_jobs set status = 'queued' where seq = ?`, seq);
        return claimed;
      },
    },
  }),
  'running-jobs': (good) => ({
    jobs: {
      running: async () =>
        (await good.jobs.running()).sort((left, right) => (left.id < right.id ? -1 : 1)),
    },
  }),
  'claim-job-once': (good) => ({
    jobs: { claim: sharing((...args) => good.jobs.claim(...args)) },
  }),
  'job-lease-runs-out': (good, database) => ({
    jobs: {
      claim: async (worker, leaseMs) => {
        const job = await good.jobs.claim(worker, leaseMs);
        if (job === null || job.attempt === 1) return job;
        const startedAt = Date.now() + 1;
        await database.query(
          'update trove_jobs set started_at = ? where id = ?',
          startedAt,
          job.id,
        );
        return { ...job, startedAt };
      },
    },
  }),
  'lost-job-cannot-compare': (good, database) => ({
    listings: {
      compare: async (id, worker, revisions) =>
        good.listings.compare(id, await newer(database, id, worker), revisions),
    },
  }),
  'lost-job-cannot-add': (good, database) => ({
    listings: {
      addTasks: async (id, worker, tasks) =>
        good.listings.addTasks(id, await newer(database, id, worker), tasks),
    },
  }),
  'lost-job-cannot-finish-listing': (good, database) => ({
    listings: {
      finish: async (id, worker, end) =>
        good.listings.finish(id, await newer(database, id, worker), end),
    },
  }),
  'lost-job-cannot-finish': (good, database) => ({
    jobs: {
      finish: async (id, worker, outcome) =>
        good.jobs.finish(id, await newer(database, id, worker), outcome),
    },
  }),
  'expired-lease-is-lost': (good, database) => ({
    listings: {
      addTasks: async (id, worker, tasks) => {
        await database.query(
          `update trove_jobs set lease_until = ? where id = ? and status = 'running'`,
          never,
          id,
        );
        return good.listings.addTasks(id, worker, tasks);
      },
    },
  }),
  'expired-lease-is-not-renewed': (good, database) => ({
    leases: {
      renew: async (worker, leaseMs) => {
        await database.query(
          'update trove_jobs set lease_until = ? where worker = ?',
          Date.now() + leaseMs,
          worker,
        );
        return good.leases.renew(worker, leaseMs);
      },
    },
  }),
  'renewal-keeps-jobs': (good, database) => ({
    leases: {
      renew: async (worker, leaseMs) => {
        const before = await database.query('select seq, lease_until from trove_jobs');
        const ids = await good.leases.renew(worker, leaseMs);
        for (const { seq, lease_until: until } of before)
          await database.query('update trove_jobs set lease_until = ? where seq = ?', until, seq);
        return ids;
      },
    },
  }),
  'renewal-keeps-tasks': (good, database) => ({
    leases: {
      renew: async (worker, leaseMs) => {
        const before = await database.query('select id, lease_until from trove_tasks');
        const ids = await good.leases.renew(worker, leaseMs);
        for (const { id, lease_until: until } of before)
          await database.query('update trove_tasks set lease_until = ? where id = ?', until, id);
        return ids;
      },
    },
  }),
  'release-worker': (good, database) => ({
    leases: {
      release: async (worker, options) => {
        const held = await tasksHeldBy(database, worker);
        await good.leases.release(worker, options);
        for (const { id, lease_until: until } of held)
          await database.query(
            'update trove_tasks set worker = ?, lease_until = ? where id = ?',
            worker,
            until,
            id,
          );
      },
    },
  }),
  'release-is-no-attempt': (good, database) => ({
    leases: {
      release: async (worker, options) => {
        const held = await tasksHeldBy(database, worker);
        await good.leases.release(worker, options);
        for (const { id } of options?.died === true ? [] : held)
          await database.query('update trove_tasks set attempt = attempt + 1 where id = ?', id);
      },
    },
  }),
  'deaths-of-tasks': (good, database) => ({
    leases: {
      release: async (worker, options) => {
        const held = await tasksHeldBy(database, worker);
        await good.leases.release(worker, options);
        for (const { id } of options?.died === true ? held : [])
          await database.query('update trove_tasks set deaths = deaths - 1 where id = ?', id);
      },
    },
  }),
  'deaths-of-a-job': (good, database) => ({
    // Counts only deaths of the worker that leads the job.
    leases: {
      release: async (worker, options) => {
        const before = await database.query(
          'select seq, deaths from trove_jobs where worker is not ?',
          worker,
        );
        await good.leases.release(worker, options);
        for (const { seq, deaths } of before)
          await database.query('update trove_jobs set deaths = ? where seq = ?', deaths, seq);
      },
    },
  }),
  'progress-forgets-deaths': (good, database) => ({
    listings: {
      finish: async (id, worker, end) => {
        const deaths = (await jobRow(database, id))?.['deaths'] ?? 0;
        const ended = await good.listings.finish(id, worker, end);
        await database.query('update trove_jobs set deaths = ? where id = ?', deaths, id);
        return ended;
      },
    },
  }),
  'lease-holders': (_good, database) => ({
    leases: {
      holders: async () => {
        const rows = await database.query('select worker from trove_jobs where worker is not null');
        return rows.map((row) => String(row['worker']));
      },
    },
  }),
};

/** The worker that holds the job now, for one that held it before. */
async function newer(database: MetadataDatabase, id: string, worker: string): Promise<string> {
  const holder = (await jobRow(database, id))?.['worker'];
  return typeof holder === 'string' ? holder : worker;
}

function tasksHeldBy(
  database: MetadataDatabase,
  worker: string,
): ReturnType<MetadataDatabase['query']> {
  return database.query('select id, lease_until from trove_tasks where worker = ?', worker);
}
