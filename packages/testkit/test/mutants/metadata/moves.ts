import type { Mutants } from './support.js';

export const moveMutants: Mutants = {
  'find-by-root': (good) => ({
    sources: { findByRoot: () => good.sources.list() },
  }),
  'move-connector': (good, database) => ({
    // Leaves the former jobs at the former root.
    jobs: {
      create: async (job) => {
        const before = await good.sources.get(job.connectorId);
        const created = await good.jobs.create(job);
        await database.query(
          'update trove_jobs set target = ? where connector_id = ? and id <> ?',
          before?.rootUri ?? null,
          job.connectorId,
          job.id,
        );
        return created;
      },
    },
  }),
  'move-connector-twice': (_good, database) => ({
    // Also forgets roots of a move that began later.
    sources: {
      endMove: async ({ id }) => {
        await database.query(`update trove_connectors set moved_from = '[]' where id = ?`, id);
      },
    },
  }),
  'list-moved': (good) => ({
    // Also lists connectors that never moved.
    sources: { listMoved: () => good.sources.list() },
  }),
  'move-connector-refused': (good) => ({
    // Queues the job of a refused move.
    jobs: {
      create: ({ rootUri, ...job }) => {
        if (rootUri === undefined) return good.jobs.create(job);
        return good.jobs.create({ ...job, rootUri }).catch(async (error: unknown) => {
          await good.jobs.create(job);
          throw error;
        });
      },
    },
  }),
};
