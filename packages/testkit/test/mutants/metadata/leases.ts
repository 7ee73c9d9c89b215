import type { Metadata } from '../../../src/memory/metadata/data.js';
import { tasksOf, sharing, type Mutants } from './support.js';

export const leaseMutants: Mutants = {
  'claim-oldest-job': (good, data) => ({
    jobs: {
      claim: async (worker, leaseMs) => {
        const jobs = [...data.jobs];
        setAll(
          data.jobs,
          [...jobs].sort(([left], [right]) => (left < right ? -1 : 1)),
        );
        const claimed = await good.jobs.claim(worker, leaseMs);
        setAll(data.jobs, jobs);
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
  'claim-job-once': (good) => ({ jobs: { claim: sharing(good.jobs.claim) } }),
  'job-lease-runs-out': (good, data) => ({
    jobs: {
      claim: async (worker, leaseMs) => {
        const job = await good.jobs.claim(worker, leaseMs);
        const stored = data.jobs.get(job?.id ?? '');
        if (stored?.attempt !== undefined && stored.attempt > 1) stored.startedAt = Date.now() + 1;
        return job && stored ? { ...job, startedAt: stored.startedAt } : job;
      },
    },
  }),
  'lost-job-cannot-compare': (good, data) => ({
    listings: {
      compare: (id, worker, revisions) =>
        good.listings.compare(id, newer(data, id, worker), revisions),
    },
  }),
  'lost-job-cannot-add': (good, data) => ({
    listings: {
      addTasks: (id, worker, tasks) => good.listings.addTasks(id, newer(data, id, worker), tasks),
    },
  }),
  'lost-job-cannot-finish-listing': (good, data) => ({
    listings: {
      finish: (id, worker, end) => good.listings.finish(id, newer(data, id, worker), end),
    },
  }),
  'lost-job-cannot-finish': (good, data) => ({
    jobs: {
      finish: (id, worker, outcome) => good.jobs.finish(id, newer(data, id, worker), outcome),
    },
  }),
  'expired-lease-is-lost': (good, data) => ({
    listings: {
      addTasks: (id, worker, tasks) =>
        forgiving(data, id, () => good.listings.addTasks(id, worker, tasks)),
    },
  }),
  'expired-lease-is-not-renewed': (good, data) => ({
    leases: {
      renew: async (worker, leaseMs) => {
        for (const job of data.jobs.values()) {
          if (job.worker === worker) job.leaseUntil = Date.now() + leaseMs;
        }
        return good.leases.renew(worker, leaseMs);
      },
    },
  }),
  'renewal-keeps-jobs': (good, data) => ({
    leases: {
      renew: async (worker, leaseMs) => {
        const before = [...data.jobs.values()].map((job) => [job, job.leaseUntil] as const);
        const ids = await good.leases.renew(worker, leaseMs);
        for (const [job, leaseUntil] of before) job.leaseUntil = leaseUntil;
        return ids;
      },
    },
  }),
  'renewal-keeps-tasks': (good, data) => ({
    leases: {
      renew: async (worker, leaseMs) => {
        const before = tasksOf(data).map((task) => [task, task.leaseUntil] as const);
        const ids = await good.leases.renew(worker, leaseMs);
        for (const [task, leaseUntil] of before) task.leaseUntil = leaseUntil;
        return ids;
      },
    },
  }),
  'release-worker': (good, data) => ({
    leases: {
      release: async (worker, options) => {
        const held = tasksOf(data).filter((task) => task.worker === worker);
        const holdsJob = [...data.jobs.values()].some((job) => job.worker === worker);
        await good.leases.release(worker, options);
        for (const task of holdsJob ? held : []) task.worker = worker;
      },
    },
  }),
  'release-is-no-attempt': (good, data) => ({
    leases: {
      release: async (worker, options) => {
        const held = tasksOf(data).filter((task) => task.worker === worker);
        await good.leases.release(worker, options);
        for (const task of options?.died === true ? [] : held) task.attempt += 1;
      },
    },
  }),
  'died-with': (good, data) => ({
    leases: {
      release: async (worker, options) => {
        const held = tasksOf(data).filter((task) => task.worker === worker);
        await good.leases.release(worker, options);
        for (const task of options?.died === true ? held : []) task.deaths -= 1;
      },
    },
  }),
  'deaths-of-a-job': (good, data) => ({
    // Counts the deaths of who led the job, and of nobody else.
    leases: {
      release: async (worker, options) => {
        const before = [...data.jobs.values()].map((job) => ({ job, ...job }));
        await good.leases.release(worker, options);
        for (const { job, worker: leader, deaths } of before) {
          if (leader !== worker) job.deaths = deaths;
        }
      },
    },
  }),
  'progress-forgets-deaths': (good, data) => ({
    listings: {
      finish: async (id, worker, end) => {
        const deaths = data.jobs.get(id)?.deaths ?? 0;
        const ended = await good.listings.finish(id, worker, end);
        const job = data.jobs.get(id);
        if (job !== undefined) job.deaths = deaths;
        return ended;
      },
    },
  }),
  'lease-holders': (_good, data) => ({
    leases: { holders: async () => [...data.jobs.values()].flatMap((job) => job.worker ?? []) },
  }),
};

function setAll<K, V>(map: Map<K, V>, entries: readonly (readonly [K, V])[]): void {
  map.clear();
  for (const [key, value] of entries) map.set(key, value);
}

/** The worker that holds the job now, for one that held it before. */
function newer(data: Metadata, id: string, worker: string): string {
  const job = data.jobs.get(id);
  return job !== undefined && job.attempt > 1 && worker === 'w1' ? (job.worker ?? worker) : worker;
}

async function forgiving<T>(data: Metadata, id: string, call: () => Promise<T>): Promise<T> {
  const job = data.jobs.get(id);
  if (job?.status === 'running') job.leaseUntil = Infinity;
  return call();
}
