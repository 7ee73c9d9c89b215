import {
  all as everything,
  isHeld,
  jobNumber,
  keepingRows,
  survivingRows,
  type Mutants,
} from './support.js';

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
  'summaries-of-one-connector': (good) => ({
    summaries: {
      findByPath: async (_id, paths) => {
        const connectors = await good.sources.list();
        const found = connectors.map(({ id }) => good.summaries.findByPath(id, paths));
        return (await Promise.all(found)).flat();
      },
    },
  }),
  'summaries-in-order': (good) => ({
    summaries: {
      list: async (id, { after, limit }) => {
        const all = await good.summaries.list(id, { after: null, limit: everything });
        return all
          .filter(({ path }) => after === null || path > after)
          .sort((left, right) => (left.path < right.path ? -1 : 1))
          .slice(0, limit);
      },
    },
  }),
  'summaries-counted': (good, database) => ({
    summaries: {
      put: async (id, worker, change) => {
        const held = await good.summaries.put(id, worker, change);
        const { calls, inputTokens, outputTokens } = change.modelUsage;
        await database.query(
          `update trove_jobs set model_calls = ?, model_input_tokens = ?, model_output_tokens = ?
            where id = ?`,
          calls,
          inputTokens,
          outputTokens,
          id,
        );
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
  'summaries-go-with-objects': (good, database) => ({
    tasks: {
      complete: (worker, results) =>
        keepingRows(database, 'trove_summaries', () => good.tasks.complete(worker, results)),
    },
  }),
  'summaries-go-with-the-connector': (good, database) =>
    survivingRows(good, database, 'trove_summaries'),
  'summaries-need-the-lease': (good, database) => ({
    summaries: {
      put: async (id, worker, change) => {
        const isLost = !(await isHeld(database, id, worker));
        for (const record of isLost ? change.put : [])
          await database.query(
            `insert or replace into trove_summaries (connector, id, path, kind, summary, revision)
              select c.seq, ?, ?, ?, ?, ? from trove_connectors c
              join trove_jobs j on j.connector_id = c.id where j.id = ?`,
            record.id,
            record.path,
            record.kind,
            record.text,
            record.revision,
            id,
          );
        return good.summaries.put(id, worker, change);
      },
    },
  }),
  'end-adds-to-the-job': (good, database) => ({
    jobs: {
      finish: async (id, worker, outcome) => {
        if (outcome.failures !== undefined)
          await database.query(`delete from trove_failures where job = ${jobNumber}`, id);
        return good.jobs.finish(id, worker, outcome);
      },
    },
  }),
};
