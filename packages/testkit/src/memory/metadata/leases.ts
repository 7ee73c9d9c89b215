import type { WorkerLeases } from '@trove/core/store';

import { openTasks, type Metadata, type StoredJob } from './data.js';

export function memoryLeases(data: Metadata): WorkerLeases {
  const running = () => [...data.jobs.values()].filter((job) => job.status === 'running');
  const tasks = () => [...data.jobs.values()].flatMap((job) => [...job.tasks.values()]);
  return {
    renew: async (worker, leaseMs) => {
      const now = Date.now();
      const isHeld = (lease: Lease) => lease.worker === worker && lease.leaseUntil > now;
      const jobs = running().filter(isHeld);
      for (const lease of [...jobs, ...tasks().filter(isHeld)]) lease.leaseUntil = now + leaseMs;
      return jobs.map(({ id }) => id);
    },
    release: async (worker, { died } = { died: false }) => {
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
    holders: async () => {
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
