import type { JobQueue, TaskOutcome } from '@trove/core/store';

import { jobRecord, openTasks, type Metadata, type StoredJob } from './data.js';

/** Of the queue of jobs: who holds what, and for how long. */
export type LeaseMethod =
  | 'claimJob'
  | 'pauseJob'
  | 'renewLeases'
  | 'releaseWorker'
  | 'leaseHolders';

export function leaseMethods(data: Metadata): Pick<JobQueue, LeaseMethod> {
  const running = () => [...data.jobs.values()].filter((job) => job.status === 'running');
  const tasks = () => [...data.jobs.values()].flatMap((job) => [...job.tasks.values()]);
  return {
    claimJob: async (worker, leaseMs) => {
      const now = Date.now();
      const job = [...data.jobs.values()].find(
        ({ status, leaseUntil }) =>
          status === 'queued' || (status === 'running' && leaseUntil <= now),
      );
      if (job === undefined) return null;
      if (job.status === 'running' && job.worker !== worker) job.deaths += 1;
      job.status = 'running';
      job.worker = worker;
      job.leaseUntil = now + leaseMs;
      job.attempt += 1;
      job.startedAt ??= now;
      if (!job.listed) restartListing(job);
      return jobRecord(job);
    },
    pauseJob: async (jobId, ms) => {
      const job = data.jobs.get(jobId);
      if (job?.status !== 'running') return;
      job.pausedUntil = Math.max(job.pausedUntil ?? 0, Date.now() + ms);
    },
    renewLeases: async (worker, leaseMs) => {
      const now = Date.now();
      const isHeld = (lease: Lease) => lease.worker === worker && lease.leaseUntil > now;
      const jobs = running().filter(isHeld);
      for (const lease of [...jobs, ...tasks().filter(isHeld)]) lease.leaseUntil = now + leaseMs;
      return jobs.map(({ id }) => id);
    },
    releaseWorker: async (worker, { died } = { died: false }) => {
      const isConcerned = (job: StoredJob) =>
        job.worker === worker || openTasks(job).some((task) => task.worker === worker);
      if (died) for (const job of [...data.jobs.values()].filter(isConcerned)) job.deaths += 1;
      for (const job of running().filter((candidate) => candidate.worker === worker)) {
        job.status = 'queued';
        job.worker = null;
      }
      for (const task of tasks().filter((candidate) => candidate.worker === worker)) {
        task.worker = null;
        if (died) task.deaths += 1;
        else task.attempt -= 1;
      }
    },
    leaseHolders: async () => {
      const now = Date.now();
      const holders = [...running(), ...tasks()]
        .filter(({ leaseUntil }) => leaseUntil > now)
        .flatMap(({ worker }) => (worker === null ? [] : [worker]));
      return [...new Set(holders)].sort();
    },
  };
}

interface Lease {
  worker: string | null;
  leaseUntil: number;
}

/** Listed objects will be counted when they are listed again; only tasks are already known. */
function restartListing(job: StoredJob): void {
  job.met.clear();
  const ended = (as: TaskOutcome) =>
    [...job.tasks.values()].filter(({ outcome }) => outcome === as).length;
  job.total = job.tasks.size;
  job.unchanged = ended('unchanged');
  job.leftOut = ended('left_out');
}
