import { setImmediate } from 'node:timers/promises';

import type { Mutants } from './support.js';

export const graphMutants: Mutants = {
  'graph-current-once-switched': (good) => ({
    switchGraph: (name, generation, content) =>
      good.switchGraph(name, generation, { ...content, passages: content.passages | 0 }),
  }),
  'graphs-in-order': (good) => ({
    graphs: async () =>
      (await good.graphs()).sort((left, right) => left.name.localeCompare(right.name, 'en')),
  }),
  'graph-one-change-at-a-time': (good, data) => ({
    stageGraph: async (name, generation, leaseMs) => {
      const staged = [...data.generations.values()].find(
        (each) => each.graph === name && each.status === 'staged',
      );
      const wasFree = staged === undefined;
      await setImmediate();
      for (const each of data.generations.values()) {
        if (wasFree && each.graph === name && each.status === 'staged') each.leaseUntil = 0;
      }
      return good.stageGraph(name, generation, leaseMs);
    },
  }),
  'graph-names-what-is-staged': (_good, data) => ({
    stagedGeneration: async (name) =>
      [...data.generations.values()].find((each) => each.graph === name && each.status === 'staged')
        ?.generation ?? null,
  }),
  'graph-lease-runs-out': (good, data) => ({
    emptyGraph: async (name, generation) => {
      const isLost = data.generations.get(generation)?.status === 'obsolete';
      return isLost || good.emptyGraph(name, generation);
    },
  }),
  'graph-expired-lease-is-lost': (good, data) => ({
    switchGraph: (name, generation, content) => {
      const staged = data.generations.get(generation);
      if (staged?.status === 'staged') staged.leaseUntil = Infinity;
      return good.switchGraph(name, generation, content);
    },
  }),
  'graph-renewal': (_good, data) => ({
    renewGraph: async (_name, generation) => {
      const staged = data.generations.get(generation);
      return staged?.status === 'staged' && staged.leaseUntil > Date.now();
    },
  }),
  'graph-predecessor-is-obsolete': (good, data) => ({
    forgetGeneration: async (generation) => {
      const found = data.generations.get(generation);
      if (found?.status === 'current') data.generations.delete(generation);
      return good.forgetGeneration(generation);
    },
  }),
  'graph-expired-is-obsolete': (good, data) => ({
    forgetGeneration: async (generation) => {
      if (data.generations.get(generation)?.status === 'staged') return;
      await good.forgetGeneration(generation);
    },
  }),
  'graph-abandoned': (good, data) => ({
    abandonGraph: async (name, generation) => {
      await good.abandonGraph(name, generation);
      data.generations.delete(generation);
    },
  }),
  'graph-emptied': (good) => ({
    emptyGraph: async (name, generation) => {
      const emptied = await good.emptyGraph(name, generation);
      await good.abandonGraph(name, generation);
      return emptied;
    },
  }),
};
