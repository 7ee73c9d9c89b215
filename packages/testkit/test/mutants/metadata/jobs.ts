import { isQueued, type Mutants } from './support.js';

export const jobMutants: Mutants = {
  'create-job': (good) => ({
    createJob: async (job) => ({ ...(await good.createJob(job)), full: false }),
  }),
  'one-live-job': (good, data) => ({
    // Looks whether one is live, and writes only then: what came between is not seen.
    createJob: async (job) => {
      const live = [...data.jobs.values()].filter(({ status }) => status === 'queued');
      await Promise.resolve();
      const hidden = live.length === 0 ? [...data.jobs.values()].filter(isQueued) : [];
      for (const each of hidden) each.status = 'cancelled';
      try {
        return await good.createJob(job);
      } finally {
        for (const each of hidden) each.status = 'queued';
      }
    },
  }),
  'jobs-newest-first': (good) => ({
    jobs: async (filter) => {
      const all = await good.jobs({ ...filter, limit: Infinity, offset: 0 });
      return all.reverse().slice(filter.offset, filter.offset + filter.limit);
    },
  }),
  'job-counts': (good) => ({ jobCounts: () => good.jobCounts() }),
  'finish-job': (good, data) => ({
    finishJob: async (id, worker, outcome) => {
      const ended = await good.finishJob(id, worker, outcome);
      const job = data.jobs.get(id);
      if (ended && job !== undefined) job.cancelled = 0;
      return ended;
    },
  }),
  'failed-is-error': (good, data) => ({
    finishJob: async (id, worker, outcome) => {
      const ended = await good.finishJob(id, worker, outcome);
      const connector = data.connectors.get(data.jobs.get(id)?.connectorId ?? '');
      if (connector?.status === 'error') connector.status = 'active';
      return ended;
    },
  }),
  'report-problem': (good, data) => ({
    reportProblem: async (id, problem) => {
      await good.reportProblem(id, problem);
      const connector = data.connectors.get(id);
      if (connector !== undefined) connector.status = 'error';
    },
  }),
  'state-only-after-success': (good, data) => ({
    finishJob: async (id, worker, outcome) => {
      const state = data.jobs.get(id)?.state;
      const ended = await good.finishJob(id, worker, outcome);
      const connector = data.connectors.get(data.jobs.get(id)?.connectorId ?? '');
      if (ended && connector && state !== undefined) connector.state = state;
      return ended;
    },
  }),
  'last-synced': (good, data) => ({
    finishJob: async (id, worker, outcome) => {
      const ended = await good.finishJob(id, worker, outcome);
      const connector = data.connectors.get(data.jobs.get(id)?.connectorId ?? '');
      if (ended && connector) connector.lastSyncedAt = Date.now();
      return ended;
    },
  }),
  'cancel-queued': (good, data) => ({
    cancelJob: async (id) => {
      const job = data.jobs.get(id);
      if (job?.status === 'queued') job.cancelRequested = true;
      return job?.status === 'queued' ? good.job(id) : good.cancelJob(id);
    },
  }),
  'cancel-running': (good) => ({
    cancelJob: async (id) => {
      const asked = await good.cancelJob(id);
      return asked && { ...asked, cancelRequested: false };
    },
  }),
  'cancel-wins': (good, data) => ({
    finishJob: async (id, worker, outcome) => {
      const job = data.jobs.get(id);
      if (job !== undefined) job.cancelRequested = false;
      return good.finishJob(id, worker, outcome);
    },
  }),
  'cancel-stops-claims': (good, data) => ({
    claimTasks: async (id, worker, atMost, leaseMs) => {
      const job = data.jobs.get(id);
      if (job === undefined) return [];
      const { cancelRequested } = job;
      job.cancelRequested = false;
      const tasks = await good.claimTasks(id, worker, atMost, leaseMs);
      job.cancelRequested = cancelRequested;
      return tasks;
    },
  }),
  'cancel-finished': (good, data) => ({
    cancelJob: async (id) => {
      const job = data.jobs.get(id);
      if (job?.status === 'succeeded') job.cancelRequested = true;
      return good.cancelJob(id);
    },
  }),
  'prune-jobs': (good, data) => ({
    pruneJobs: async (olderThanMs) => {
      const pruned = await good.pruneJobs(olderThanMs);
      for (const job of data.jobs.values()) if (job.status === 'queued') data.jobs.delete(job.id);
      return pruned;
    },
  }),
};
