import { setImmediate } from 'node:timers/promises';

import type { Mutants } from './support.js';

export const graphMutants: Mutants = {
  'graph-current-once-switched': (good) => ({
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
  'graph-one-change-at-a-time': (good, data) => ({
    graphs: {
      stage: async (name, generation, leaseMs) => {
        const staged = [...data.generations.values()].find(
          (each) => each.graph === name && each.status === 'staged',
        );
        const wasFree = staged === undefined;
        await setImmediate();
        for (const each of data.generations.values()) {
          if (wasFree && each.graph === name && each.status === 'staged') each.leaseUntil = 0;
        }
        return good.graphs.stage(name, generation, leaseMs);
      },
    },
  }),
  'graph-names-what-is-staged': (_good, data) => ({
    graphs: {
      stagedGeneration: async (name) =>
        [...data.generations.values()].find(
          (each) => each.graph === name && each.status === 'staged',
        )?.generation ?? null,
    },
  }),
  'graph-lease-runs-out': (good, data) => ({
    graphs: {
      empty: async (name, generation) => {
        const isLost = data.generations.get(generation)?.status === 'obsolete';
        return isLost || good.graphs.empty(name, generation);
      },
    },
  }),
  'graph-expired-lease-is-lost': (good, data) => ({
    graphs: {
      promote: (name, generation, content) => {
        const staged = data.generations.get(generation);
        if (staged?.status === 'staged') staged.leaseUntil = Infinity;
        return good.graphs.promote(name, generation, content);
      },
    },
  }),
  'graph-renewal': (_good, data) => ({
    graphs: {
      renew: async (_name, generation) => {
        const staged = data.generations.get(generation);
        return staged?.status === 'staged' && staged.leaseUntil > Date.now();
      },
    },
  }),
  'graph-predecessor-is-obsolete': (good, data) => ({
    graphs: {
      deleteGeneration: async (generation) => {
        const found = data.generations.get(generation);
        if (found?.status === 'current') data.generations.delete(generation);
        return good.graphs.deleteGeneration(generation);
      },
    },
  }),
  'graph-expired-is-obsolete': (good, data) => ({
    graphs: {
      deleteGeneration: async (generation) => {
        if (data.generations.get(generation)?.status === 'staged') return;
        await good.graphs.deleteGeneration(generation);
      },
    },
  }),
  'graph-abandoned': (good, data) => ({
    graphs: {
      abandon: async (name, generation) => {
        await good.graphs.abandon(name, generation);
        data.generations.delete(generation);
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
