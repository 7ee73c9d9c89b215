import { connectorRow, never, type Mutants } from './support.js';

export const scheduleMutants: Mutants = {
  'plan-once': (_good, database) => ({
    sources: {
      planSync: async (id, at) => {
        await database.query('update trove_connectors set next_sync_at = ? where id = ?', at, id);
      },
    },
  }),
  'list-due': (good) => ({
    // Returns planned syncs that are not due.
    sources: { listDue: () => good.sources.listDue(never) },
  }),
  'list-failing': (good) => ({
    // Also returns connectors without a failed sync.
    sources: {
      listFailing: async () =>
        (await good.sources.list()).filter(({ failingSince }) => failingSince !== null),
    },
  }),
  'list-watched': (good) => ({
    // Also returns connectors with the setting in another place.
    sources: {
      listWatched: async () =>
        (await good.sources.list()).filter(({ config }) =>
          JSON.stringify(config).includes('"watch":true'),
        ),
    },
  }),
  'generation-keeps-schedule': (good, database, generation) => ({
    sources: {
      get: async (id) => {
        const isOther = generation?.embedding === 'other/1';
        if (isOther)
          await database.query(
            `update trove_connectors set next_sync_at = null, failures = 0
              where id = ? and namespace <> 'default'`,
            id,
          );
        return good.sources.get(id);
      },
    },
  }),
  'due-sync-once': (good) => ({
    // Creates the job whatever is planned.
    jobs: {
      create: async ({ due, ...job }) => {
        const planned = (await good.sources.get(job.connectorId))?.nextSyncAt ?? null;
        return good.jobs.create(
          due === undefined || planned === null ? job : { ...job, due: { ...due, at: planned } },
        );
      },
    },
  }),
  'due-sync-waits': (good, database) => ({
    // Plans the next time even if no job is created.
    jobs: {
      create: (job) =>
        good.jobs.create(job).catch(async (error: unknown) => {
          if (job.due !== undefined)
            await database.query(
              `update trove_connectors set next_sync_at = ? where id = ? and status = 'syncing'`,
              job.due.next,
              job.connectorId,
            );
          throw error;
        }),
    },
  }),
  'config-removes-plan': (good) => ({
    jobs: {
      create: async (job) => {
        const planned = (await good.sources.get(job.connectorId))?.nextSyncAt ?? null;
        const created = await good.jobs.create(job);
        if (planned !== null && job.due === undefined)
          await good.sources.planSync(job.connectorId, planned);
        return created;
      },
    },
  }),
  'configure-keeps-cursor': (good, database) => ({
    sources: {
      configure: async (id, config) => {
        await good.sources.configure(id, config);
        await database.query('update trove_connectors set state = null where id = ?', id);
      },
    },
  }),
  'claim-except-trigger': (good) => ({
    jobs: { claim: (worker, leaseMs) => good.jobs.claim(worker, leaseMs) },
  }),
  'failures-counted': (good, database) => ({
    // Counts only the last failure.
    jobs: {
      finish: async (id, worker, outcome) => {
        const ended = await good.jobs.finish(id, worker, outcome);
        const seq = (await connectorRow(database, id))?.['seq'] ?? null;
        await database.query(
          'update trove_connectors set failures = min(failures, 1) where seq = ?',
          seq,
        );
        return ended;
      },
    },
  }),
};
