import { setTimeout as delay } from 'node:timers/promises';

import type { MetadataDatabase } from '@trove/test-support/metadata-database.js';

import { insisting, never, raceMs, type Mutants } from './support.js';

export const graphMutants: Mutants = {
  'graph-promoted': (good) => ({
    graphs: {
      promote: (name, generation, content) =>
        good.graphs.promote(name, generation, { ...content, passages: content.passages | 0 }),
    },
  }),
  'graphs-in-order': (good) => ({
    graphs: {
      list: async () =>
        (await good.graphs.list()).sort((left, right) => left.name.localeCompare(right.name, 'en')),
    },
  }),
  // Checks the graph first and writes later. Misses a change that began in between.
  'graph-one-change-at-a-time': (good, database) => ({
    graphs: {
      stage: async (name, generation, leaseMs) => {
        const staged = await database.query(
          `select seq from trove_graph_generations where graph = ? and status = 'staged'`,
          name,
        );
        await delay(raceMs);
        if (staged.length > 0) return good.graphs.stage(name, generation, leaseMs);
        return insisting(
          () => good.graphs.stage(name, generation, leaseMs),
          () =>
            database.query(
              `update trove_graph_generations set lease_until = 0 where graph = ? and status = 'staged'`,
              name,
            ),
        );
      },
    },
  }),
  'graph-staged-generation': (_good, database) => ({
    graphs: {
      stagedGeneration: async (name) => {
        const [row] = await database.query(
          `select generation from trove_graph_generations where graph = ? and status = 'staged'`,
          name,
        );
        return row === undefined ? null : String(row['generation']);
      },
    },
  }),
  'graph-lease-runs-out': (good, database) => ({
    graphs: {
      empty: async (name, generation) => {
        const isLost = (await statusOf(database, generation)) === 'obsolete';
        return isLost || good.graphs.empty(name, generation);
      },
    },
  }),
  'graph-expired-lease-is-lost': (good, database) => ({
    graphs: {
      promote: async (name, generation, content) => {
        await database.query(
          `update trove_graph_generations set lease_until = ? where generation = ? and status = 'staged'`,
          never,
          generation,
        );
        return good.graphs.promote(name, generation, content);
      },
    },
  }),
  'graph-renewal': (good) => ({
    graphs: {
      renew: async (name, generation) => (await good.graphs.stagedGeneration(name)) === generation,
    },
  }),
  'graph-predecessor-is-obsolete': (good, database) => ({
    graphs: {
      deleteGeneration: async (generation) => {
        await database.query(
          `delete from trove_graph_generations where generation = ? and status = 'current'`,
          generation,
        );
        return good.graphs.deleteGeneration(generation);
      },
    },
  }),
  'graph-expired-is-obsolete': (good, database) => ({
    graphs: {
      deleteGeneration: async (generation) => {
        if ((await statusOf(database, generation)) === 'staged') return;
        await good.graphs.deleteGeneration(generation);
      },
    },
  }),
  'graph-abandoned': (good, database) => ({
    graphs: {
      abandon: async (name, generation) => {
        await good.graphs.abandon(name, generation);
        await database.query(
          'delete from trove_graph_generations where generation = ?',
          generation,
        );
      },
    },
  }),
  'graph-emptied': (good) => ({
    graphs: {
      empty: async (name, generation) => {
        const emptied = await good.graphs.empty(name, generation);
        await good.graphs.abandon(name, generation);
        return emptied;
      },
    },
  }),
};

async function statusOf(database: MetadataDatabase, generation: string): Promise<unknown> {
  const [row] = await database.query(
    'select status from trove_graph_generations where generation = ?',
    generation,
  );
  return row?.['status'];
}
