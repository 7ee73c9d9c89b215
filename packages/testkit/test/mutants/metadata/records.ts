import { heldJob, recordsOf } from '../../../src/memory/metadata/data.js';
import type { Mutants } from './support.js';

export const recordMutants: Mutants = {
  'records-compared': (good) => ({
    compareRecords: async (connector, object, versions) => {
      const found = await good.compareRecords(connector, object, versions);
      return { ...found, changed: found.changed.filter(({ version }) => version !== null) };
    },
  }),
  'records-of-one-object': (_good, data) => ({
    recordTotals: async () => {
      const objects = [...data.records.values()].flatMap((each) => [...each.values()]);
      const states = objects.flatMap((each) => [...each.values()]);
      const chunks = states.reduce((sum, state) => sum + state.chunks, 0);
      const last = Math.max(0, ...states.map(({ number }) => number));
      const cut = states.filter(({ isCut }) => isCut).length;
      return { records: states.length, chunks, cut, last };
    },
  }),
  'records-in-pages': (good) => ({
    recordsAfter: async (connector, { after, limit, ...which }) => {
      const all = await good.recordsAfter(connector, { ...which, after: null, limit: Infinity });
      return all.filter(({ key }) => after === null || key > after.key).slice(0, limit);
    },
  }),
  'records-keep-their-number': (good, data) => ({
    putRecords: async (job, worker, object, update) => {
      const connector = data.jobs.get(job)?.connectorId ?? '';
      const held = await good.putRecords(job, worker, object, update);
      const records = recordsOf(data, connector, object);
      for (const { key } of held ? update.put : []) {
        const record = records.get(key);
        if (record !== undefined) records.set(key, { ...record, number: data.nextRecord++ });
      }
      return held;
    },
  }),
  'records-removed': (good) => ({
    putRecords: async (job, worker, object, update) => {
      const held = await good.putRecords(job, worker, object, update);
      const { removed } = update;
      return held && good.putRecords(job, worker, object, { put: [], removed });
    },
  }),
  'records-counted': (good, data) => ({
    putRecords: async (id, worker, object, update) => {
      const job = data.jobs.get(id);
      const before = job?.chunks ?? 0;
      const held = await good.putRecords(id, worker, object, update);
      if (job !== undefined) job.chunks = before;
      return held;
    },
  }),
  'records-cut': (good) => ({
    recordTotals: async (connector, object) => ({
      ...(await good.recordTotals(connector, object)),
      cut: 0,
    }),
  }),
  'threads-with-their-messages': (good) => ({
    recordsAfter: (connector, { threads: _, ...options }) => good.recordsAfter(connector, options),
  }),
  'threads-to-be-done': (good) => ({
    staleThreads: async (connector, object, options) => {
      const found = await good.staleThreads(connector, object, options);
      return found.filter((thread) => thread !== 't5');
    },
  }),
  'records-need-the-lease': (good, data) => ({
    putRecords: async (id, worker, object, update) => {
      const job = data.jobs.get(id);
      const records = recordsOf(data, job?.connectorId ?? '', object);
      const before = new Map(records);
      const held = await good.putRecords(id, worker, object, update);
      // The versions stay.
      if (!held) for (const [key, record] of before) records.set(key, record);
      return held;
    },
  }),
  'records-of-a-held-task': (good, data) => ({
    putRecords: (id, worker, object, update) => {
      const leader = heldJob(data, id, worker) === null ? 'nobody' : worker;
      return good.putRecords(id, leader, object, update);
    },
  }),
  'records-made-stale': () => ({ markRecordsStale: async () => undefined }),
  'records-go-with-objects': (good, data) => ({
    completeTasks: async (worker, results) => {
      const kept = [...data.records].map(([id, objects]) => [id, new Map(objects)] as const);
      const done = await good.completeTasks(worker, results);
      for (const [id, objects] of kept) data.records.set(id, objects);
      return done;
    },
  }),
  'records-go-with-the-connector': (good, data) => ({
    deleteConnector: async (id) => {
      const kept = data.records.get(id);
      await good.deleteConnector(id);
      if (kept !== undefined) data.records.set(id, kept);
    },
  }),
  'paused-jobs-wait': (good, data) => ({
    pauseJob: async (id, ms) => {
      const job = data.jobs.get(id);
      if (job !== undefined) job.pausedUntil = null;
      await good.pauseJob(id, ms);
    },
  }),
  'pauses-end': (good) => ({ pauseJob: (id, ms) => good.pauseJob(id, Math.max(ms, 3_600_000)) }),
  'chunks-as-counted': (good) => ({
    completeTasks: (worker, results) =>
      good.completeTasks(
        worker,
        results.map(({ chunks: _, ...result }) => result),
      ),
  }),
};
