import { heldJob, summariesOf } from '../../../src/memory/metadata/data.js';
import type { Mutants } from './support.js';

export const summaryMutants: Mutants = {
  'summaries-keep-everything': (good) => ({
    summaries: {
      put: (id, worker, change) =>
        good.summaries.put(id, worker, {
          ...change,
          put: change.put.map((record) => ({ ...record, text: record.text.trim() })),
        }),
    },
  }),
  'summaries-of-one-connector': (good, data) => ({
    summaries: {
      findByPath: async (_id, paths) => {
        const stores = [...data.summaries.keys()].map((id) => good.summaries.findByPath(id, paths));
        return (await Promise.all(stores)).flat();
      },
    },
  }),
  'summaries-in-order': (good) => ({
    summaries: {
      list: async (id, { after, limit }) => {
        const all = await good.summaries.list(id, { after: null, limit: Infinity });
        return all
          .filter(({ path }) => after === null || path > after)
          .sort((left, right) => (left.path < right.path ? -1 : 1))
          .slice(0, limit);
      },
    },
  }),
  'summaries-counted': (good, data) => ({
    summaries: {
      put: async (id, worker, change) => {
        const held = await good.summaries.put(id, worker, change);
        const job = data.jobs.get(id);
        if (held && job !== undefined) job.modelUsage = change.use;
        return held;
      },
    },
  }),
  'summaries-in-stats': (good) => ({
    sources: {
      stats: async (id) =>
        (await good.sources.stats(id)).map((stats) => ({
          ...stats,
          summaries: Math.min(stats.summaries, 2),
        })),
    },
  }),
  'summaries-go-with-objects': (good, data) => ({
    tasks: {
      complete: async (worker, results) => {
        const kept = [...data.summaries].map(([id, records]) => [id, new Map(records)] as const);
        const done = await good.tasks.complete(worker, results);
        for (const [id, records] of kept) data.summaries.set(id, records);
        return done;
      },
    },
  }),
  'summaries-go-with-the-connector': (good, data) => ({
    sources: {
      delete: async (id) => {
        const kept = summariesOf(data, id);
        await good.sources.delete(id);
        data.summaries.set(id, kept);
      },
    },
  }),
  'summaries-need-the-lease': (good, data) => ({
    summaries: {
      put: async (id, worker, change) => {
        const job = data.jobs.get(id);
        const isLost = job !== undefined && heldJob(data, id, worker) === null;
        if (isLost) {
          for (const record of change.put)
            summariesOf(data, job.connectorId).set(record.id, record);
        }
        return good.summaries.put(id, worker, change);
      },
    },
  }),
  'end-adds-to-the-job': (good, data) => ({
    jobs: {
      finish: async (id, worker, outcome) => {
        const job = data.jobs.get(id);
        if (outcome.failures !== undefined) job?.failures.clear();
        return good.jobs.finish(id, worker, outcome);
      },
    },
  }),
};
