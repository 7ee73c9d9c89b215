import {
  all as everything,
  isHeld,
  jobRow,
  keepingRows,
  survivingRows,
  type Mutants,
} from './support.js';

export const recordMutants: Mutants = {
  'records-compared': (good) => ({
    records: {
      compare: async (connector, object, versions) => {
        const found = await good.records.compare(connector, object, versions);
        return { ...found, changed: found.changed.filter(({ version }) => version !== null) };
      },
    },
  }),
  'records-of-one-object': (_good, database) => ({
    records: {
      totals: async () => {
        const [row] = await database.query(
          `select count(*) as records, coalesce(sum(chunks), 0) as chunks,
            coalesce(sum(is_truncated), 0) as truncated, coalesce(max(n), 0) as last from trove_records`,
        );
        const count = (name: string): number => Number(row?.[name]);
        const [records, chunks] = [count('records'), count('chunks')];
        return { records, chunks, truncated: count('truncated'), last: count('last') };
      },
    },
  }),
  'records-in-pages': (good) => ({
    records: {
      list: async (connector, { after, limit, ...which }) => {
        const all = await good.records.list(connector, {
          ...which,
          after: null,
          limit: everything,
        });
        return all.filter(({ key }) => after === null || key > after.key).slice(0, limit);
      },
    },
  }),
  'records-keep-their-number': (good, database) => ({
    records: {
      put: async (job, worker, object, update) => {
        const held = await good.records.put(job, worker, object, update);
        for (const { key } of held ? update.put : [])
          await database.query(
            `update trove_records set n = (select max(n) + 1 from trove_records)
              where object_id = ? and key = ?`,
            object,
            key,
          );
        return held;
      },
    },
  }),
  'record-numbers-are-unique': (good) => ({
    records: {
      list: async (connector, options) => {
        const found = await good.records.list(connector, options);
        const first = (objectId: string): number =>
          found.findIndex((record) => record.objectId === objectId);
        return found.map((record, at) => ({ ...record, number: at - first(record.objectId) + 1 }));
      },
    },
  }),
  'records-in-a-time-range': (good) => ({
    records: {
      list: (connector, { times, ...options }) =>
        good.records.list(connector, {
          ...options,
          ...(times === undefined ? {} : { times: { from: times.from, to: times.to + 0.5 } }),
        }),
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
  'records-counted': (good, database) => ({
    records: {
      put: async (id, worker, object, update) => {
        const before = await jobRow(database, id);
        const held = await good.records.put(id, worker, object, update);
        await database.query(
          'update trove_jobs set chunks = ? where id = ?',
          before?.['chunks'],
          id,
        );
        return held;
      },
    },
  }),
  'records-truncated': (good) => ({
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
  'invalidated-threads': (good) => ({
    records: {
      invalidatedThreads: async (connector, object, options) => {
        const found = await good.records.invalidatedThreads(connector, object, options);
        return found.filter((thread) => thread !== 't5');
      },
    },
  }),
  'records-need-the-lease': (good, database) => ({
    records: {
      put: async (id, worker, object, update) => {
        const before = await database.query('select n, version from trove_records');
        const held = await good.records.put(id, worker, object, update);
        // The versions stay.
        for (const { n, version } of held ? [] : before)
          await database.query('update trove_records set version = ? where n = ?', version, n);
        return held;
      },
    },
  }),
  'records-of-a-held-task': (good, database) => ({
    records: {
      put: async (id, worker, object, update) => {
        const leader = (await isHeld(database, id, worker)) ? worker : 'nobody';
        return good.records.put(id, leader, object, update);
      },
    },
  }),
  'records-invalidated': () => ({ records: { invalidate: async () => undefined } }),
  'records-go-with-objects': (good, database) => ({
    tasks: {
      complete: (worker, results) =>
        keepingRows(database, 'trove_records', () => good.tasks.complete(worker, results)),
    },
  }),
  'records-go-with-the-connector': (good, database) =>
    survivingRows(good, database, 'trove_records'),
  'paused-jobs-wait': (good, database) => ({
    jobs: {
      pause: async (id, ms) => {
        await database.query('update trove_jobs set paused_until = null where id = ?', id);
        await good.jobs.pause(id, ms);
      },
    },
  }),
  'paused-from-the-start': (good) => ({
    jobs: { create: ({ pauseMs: _, ...job }) => good.jobs.create(job) },
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
