import { setTimeout as delay } from 'node:timers/promises';

import { connectorRow, raceMs, survivingRows, type Mutants } from './support.js';

export const connectorMutants: Mutants = {
  'register-keeps-everything': (good) => ({
    sources: {
      register: ({ config, ...rest }) =>
        good.sources.register({ ...rest, config: config && withScalarsOnly(config) }),
    },
  }),
  'register-twice': (good) => ({
    sources: {
      register: async (connector) => {
        const record = await good.sources.register(connector);
        return record.id === connector.id ? record : { ...record, config: connector.config };
      },
    },
  }),
  'register-at-once': (good, database) => ({
    // Checks for the connector first and writes later. Misses a connector that was registered in between.
    sources: {
      register: async (connector) => {
        const known = await database.query(
          'select id from trove_connectors where root_uri = ?',
          connector.rootUri,
        );
        await delay(raceMs);
        const record = await good.sources.register(connector);
        return known.length > 0 ? record : { ...record, id: connector.id };
      },
    },
  }),
  'connectors-in-order': (good) => ({
    sources: {
      list: async () => {
        const all = await good.sources.list();
        return all.sort((left, right) => left.rootUri.localeCompare(right.rootUri));
      },
    },
  }),
  'connectors-by-id': (good) => ({
    // Ignores the ids.
    sources: { list: () => good.sources.list() },
  }),
  'config-replaced': (good, database) => ({
    // Replaces the configuration even if no job is created.
    jobs: {
      create: async (job) => {
        if (job.config !== undefined)
          await database.query(
            'update trove_connectors set config = ? where id = ?',
            job.config && JSON.stringify(job.config),
            job.connectorId,
          );
        return good.jobs.create(job);
      },
    },
  }),
  'tree-replaced': (good, database) => ({
    jobs: {
      create: async (job) => {
        if (job.tree !== undefined)
          await database.query(
            'update trove_connectors set tree = ? where id = ? and tree is ?',
            job.tree.to,
            job.connectorId,
            job.tree.from,
          );
        return good.jobs.create(job);
      },
    },
  }),
  'tree-base-mismatch': (good) => ({
    // Assumes that the new tree was made from the current one.
    jobs: {
      create: async ({ tree, ...job }) => {
        const from = (await good.sources.get(job.connectorId))?.tree ?? null;
        return good.jobs.create(tree === undefined ? job : { ...job, tree: { ...tree, from } });
      },
    },
  }),
  'config-forgets-cursor': (good, database) => ({
    jobs: {
      create: async (job) => {
        const rows = await database.query('select seq, state from trove_connectors');
        const created = await good.jobs.create(job);
        for (const { seq, state } of rows)
          await database.query('update trove_connectors set state = ? where seq = ?', state, seq);
        return created;
      },
    },
  }),
  'unknown-ids': (good) => ({
    sources: {
      beginRemoval: async (id) =>
        (await good.sources.get(id)) === null || good.sources.beginRemoval(id),
    },
  }),
  stats: (good) => ({
    sources: {
      stats: async (id) => (await good.sources.stats(id)).filter(({ objects }) => objects > 0),
    },
  }),
  'removal-begins-once': (good) => ({
    sources: {
      beginRemoval: async (id) => {
        const connector = await good.sources.get(id);
        await good.sources.beginRemoval(id);
        return connector !== null;
      },
    },
  }),
  'no-job-while-removing': (good, database) => ({
    jobs: {
      create: async (job) => {
        await database.query(
          `update trove_connectors set status = 'active' where id = ? and status = 'removing'`,
          job.connectorId,
        );
        return good.jobs.create(job);
      },
    },
  }),
  'removing-stays': (good, database) => ({
    jobs: {
      finish: async (id, worker, outcome) => {
        const ended = await good.jobs.finish(id, worker, outcome);
        const connector = await connectorRow(database, id);
        if (connector?.['status'] === 'removing')
          await database.query(
            `update trove_connectors set status = 'active' where seq = ?`,
            connector['seq'],
          );
        return ended;
      },
    },
  }),
  'delete-connector': (good, database) => survivingRows(good, database, 'trove_objects'),
  'delete-ends-job': (good, database) => ({
    sources: {
      delete: async (id) => {
        await good.sources.delete(id);
        await database.query(
          `delete from trove_jobs where connector_id = ? and problem_code = 'cancelled'`,
          id,
        );
      },
    },
  }),
};

function withScalarsOnly(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).filter(([, value]) => typeof value !== 'object'),
  );
}
