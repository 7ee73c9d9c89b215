import { isQueued, type Mutants } from './support.js';

export const jobMutants: Mutants = {
  'create-job': (good) => ({
    jobs: { create: async (job) => ({ ...(await good.jobs.create(job)), full: false }) },
  }),
  'one-live-job': (good, data) => ({
    // Looks whether one is live, and writes only then: what came between is not seen.
    jobs: {
      create: async (job) => {
        const live = [...data.jobs.values()].filter(({ status }) => status === 'queued');
        await Promise.resolve();
        const hidden = live.length === 0 ? [...data.jobs.values()].filter(isQueued) : [];
        for (const each of hidden) each.status = 'cancelled';
        try {
          return await good.jobs.create(job);
        } finally {
          for (const each of hidden) each.status = 'queued';
        }
      },
    },
  }),
  'jobs-newest-first': (good) => ({
    jobs: {
      list: async (filter) => {
        const all = await good.jobs.list({ ...filter, limit: Infinity, offset: 0 });
        return all.reverse().slice(filter.offset, filter.offset + filter.limit);
      },
    },
  }),
  'job-counts': (good) => ({ jobs: { counts: () => good.jobs.counts() } }),
  'finish-job': (good, data) => ({
    jobs: {
      finish: async (id, worker, outcome) => {
        const ended = await good.jobs.finish(id, worker, outcome);
        const job = data.jobs.get(id);
        if (ended && job !== undefined) job.cancelled = 0;
        return ended;
      },
    },
  }),
  'failed-is-error': (good, data) => ({
    jobs: {
      finish: async (id, worker, outcome) => {
        const ended = await good.jobs.finish(id, worker, outcome);
        const connector = data.connectors.get(data.jobs.get(id)?.connectorId ?? '');
        if (connector?.status === 'error') connector.status = 'active';
        return ended;
      },
    },
  }),
  'report-problem': (good, data) => ({
    sources: {
      reportProblem: async (id, problem) => {
        await good.sources.reportProblem(id, problem);
        const connector = data.connectors.get(id);
        if (connector !== undefined) connector.status = 'error';
      },
    },
  }),
  'state-only-after-success': (good, data) => ({
    jobs: {
      finish: async (id, worker, outcome) => {
        const state = data.jobs.get(id)?.state;
        const ended = await good.jobs.finish(id, worker, outcome);
        const connector = data.connectors.get(data.jobs.get(id)?.connectorId ?? '');
        if (ended && connector && state !== undefined) connector.state = state;
        return ended;
      },
    },
  }),
  'last-synced': (good, data) => ({
    jobs: {
      finish: async (id, worker, outcome) => {
        const ended = await good.jobs.finish(id, worker, outcome);
        const connector = data.connectors.get(data.jobs.get(id)?.connectorId ?? '');
        if (ended && connector) connector.lastSyncedAt = Date.now();
        return ended;
      },
    },
  }),
  'cancel-queued': (good, data) => ({
    jobs: {
      cancel: async (id) => {
        const job = data.jobs.get(id);
        if (job?.status === 'queued') job.cancelRequested = true;
        return job?.status === 'queued' ? good.jobs.get(id) : good.jobs.cancel(id);
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
  'cancel-wins': (good, data) => ({
    jobs: {
      finish: async (id, worker, outcome) => {
        const job = data.jobs.get(id);
        if (job !== undefined) job.cancelRequested = false;
        return good.jobs.finish(id, worker, outcome);
      },
    },
  }),
  'cancel-stops-claims': (good, data) => ({
    tasks: {
      claim: async (id, worker, atMost, leaseMs) => {
        const job = data.jobs.get(id);
        if (job === undefined) return [];
        const { cancelRequested } = job;
        job.cancelRequested = false;
        const tasks = await good.tasks.claim(id, worker, atMost, leaseMs);
        job.cancelRequested = cancelRequested;
        return tasks;
      },
    },
  }),
  'cancel-finished': (good, data) => ({
    jobs: {
      cancel: async (id) => {
        const job = data.jobs.get(id);
        if (job?.status === 'succeeded') job.cancelRequested = true;
        return good.jobs.cancel(id);
      },
    },
  }),
  'prune-jobs': (good, data) => ({
    jobs: {
      prune: async (olderThanMs) => {
        const pruned = await good.jobs.prune(olderThanMs);
        for (const job of data.jobs.values()) if (job.status === 'queued') data.jobs.delete(job.id);
        return pruned;
      },
    },
  }),
};
