import { heldJob, recordsOf } from '../../../src/memory/metadata/data.js';
import type { Mutants } from './support.js';

export const recordMutants: Mutants = {
  'records-compared': (good) => ({
    records: {
      compare: async (connector, object, versions) => {
        const found = await good.records.compare(connector, object, versions);
        return { ...found, changed: found.changed.filter(({ version }) => version !== null) };
      },
    },
  }),
  'records-of-one-object': (_good, data) => ({
    records: {
      totals: async () => {
        const objects = [...data.records.values()].flatMap((each) => [...each.values()]);
        const states = objects.flatMap((each) => [...each.values()]);
        const chunks = states.reduce((sum, state) => sum + state.chunks, 0);
        const last = Math.max(0, ...states.map(({ number }) => number));
        const cut = states.filter(({ isTruncated }) => isTruncated).length;
        return { records: states.length, chunks, truncated: cut, last };
      },
    },
  }),
  'records-in-pages': (good) => ({
    records: {
      list: async (connector, { after, limit, ...which }) => {
        const all = await good.records.list(connector, { ...which, after: null, limit: Infinity });
        return all.filter(({ key }) => after === null || key > after.key).slice(0, limit);
      },
    },
  }),
  'records-keep-their-number': (good, data) => ({
    records: {
      put: async (job, worker, object, update) => {
        const connector = data.jobs.get(job)?.connectorId ?? '';
        const held = await good.records.put(job, worker, object, update);
        const records = recordsOf(data, connector, object);
        for (const { key } of held ? update.put : []) {
          const record = records.get(key);
          if (record !== undefined) records.set(key, { ...record, number: data.nextRecord++ });
        }
        return held;
      },
    },
  }),
  'records-removed': (good) => ({
    records: {
      put: async (job, worker, object, update) => {
        const held = await good.records.put(job, worker, object, update);
        const { removed } = update;
        return held && good.records.put(job, worker, object, { put: [], removed });
      },
    },
  }),
  'records-counted': (good, data) => ({
    records: {
      put: async (id, worker, object, update) => {
        const job = data.jobs.get(id);
        const before = job?.chunks ?? 0;
        const held = await good.records.put(id, worker, object, update);
        if (job !== undefined) job.chunks = before;
        return held;
      },
    },
  }),
  'records-cut': (good) => ({
    records: {
      totals: async (connector, object) => ({
        ...(await good.records.totals(connector, object)),
        truncated: 0,
      }),
    },
  }),
  'threads-with-their-messages': (good) => ({
    records: {
      list: (connector, { threads: _, ...options }) => good.records.list(connector, options),
    },
  }),
  'threads-to-be-done': (good) => ({
    records: {
      invalidatedThreads: async (connector, object, options) => {
        const found = await good.records.invalidatedThreads(connector, object, options);
        return found.filter((thread) => thread !== 't5');
      },
    },
  }),
  'records-need-the-lease': (good, data) => ({
    records: {
      put: async (id, worker, object, update) => {
        const job = data.jobs.get(id);
        const records = recordsOf(data, job?.connectorId ?? '', object);
        const before = new Map(records);
        const held = await good.records.put(id, worker, object, update);
        // The versions stay.
        if (!held) for (const [key, record] of before) records.set(key, record);
        return held;
      },
    },
  }),
  'records-of-a-held-task': (good, data) => ({
    records: {
      put: (id, worker, object, update) => {
        const leader = heldJob(data, id, worker) === null ? 'nobody' : worker;
        return good.records.put(id, leader, object, update);
      },
    },
  }),
  'records-made-stale': () => ({ records: { invalidate: async () => undefined } }),
  'records-go-with-objects': (good, data) => ({
    tasks: {
      complete: async (worker, results) => {
        const kept = [...data.records].map(([id, objects]) => [id, new Map(objects)] as const);
        const done = await good.tasks.complete(worker, results);
        for (const [id, objects] of kept) data.records.set(id, objects);
        return done;
      },
    },
  }),
  'records-go-with-the-connector': (good, data) => ({
    sources: {
      delete: async (id) => {
        const kept = data.records.get(id);
        await good.sources.delete(id);
        if (kept !== undefined) data.records.set(id, kept);
      },
    },
  }),
  'paused-jobs-wait': (good, data) => ({
    jobs: {
      pause: async (id, ms) => {
        const job = data.jobs.get(id);
        if (job !== undefined) job.pausedUntil = null;
        await good.jobs.pause(id, ms);
      },
    },
  }),
  'pauses-end': (good) => ({
    jobs: { pause: (id, ms) => good.jobs.pause(id, Math.max(ms, 3_600_000)) },
  }),
  'chunks-as-counted': (good) => ({
    tasks: {
      complete: (worker, results) =>
        good.tasks.complete(
          worker,
          results.map(({ chunks: _, ...result }) => result),
        ),
    },
  }),
};
