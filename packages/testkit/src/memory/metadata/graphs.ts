import { TroveError } from '@trove/core';
import type { GraphRecord, GraphCatalog } from '@trove/core/store';

import { compareText, type Metadata, type StoredGeneration } from './data.js';

export function memoryGraphs({ generations }: Metadata): GraphCatalog {
  const ofGraph = (name: string, status: StoredGeneration['status']) =>
    [...generations.values()].find((each) => each.graph === name && each.status === status);
  const held = (name: string, generation: string): StoredGeneration | null => {
    const staged = ofGraph(name, 'staged');
    return staged?.generation === generation && isLeased(staged) ? staged : null;
  };
  const outdate = (old: StoredGeneration | undefined): void => {
    if (old !== undefined) old.status = 'obsolete';
  };
  const current = (): GraphRecord[] =>
    [...generations.values()].flatMap((each) => recordOf(each) ?? []);
  return {
    list: async () => current().sort((a, b) => compareText(a.name, b.name)),
    get: async (name) => current().find((each) => each.name === name) ?? null,
    stage: async (name, generation, leaseMs) => {
      const before = ofGraph(name, 'staged');
      if (before !== undefined && isLeased(before)) {
        throw new TroveError('graph_busy', `The graph ${name} is being changed`);
      }
      outdate(before);
      generations.set(generation, {
        graph: name,
        generation,
        status: 'staged',
        leaseUntil: Date.now() + leaseMs,
        content: null,
        builtAt: 0,
      });
    },
    stagedGeneration: async (name) => {
      const staged = ofGraph(name, 'staged');
      return staged !== undefined && isLeased(staged) ? staged.generation : null;
    },
    renew: async (name, generation, leaseMs) => {
      const staged = held(name, generation);
      if (staged !== null) staged.leaseUntil = Date.now() + leaseMs;
      return staged !== null;
    },
    promote: async (name, generation, content) => {
      const staged = held(name, generation);
      if (staged === null) return false;
      outdate(ofGraph(name, 'current'));
      Object.assign(staged, { status: 'current', content, builtAt: Date.now() });
      return true;
    },
    empty: async (name, generation) => {
      if (held(name, generation) === null) return false;
      outdate(ofGraph(name, 'current'));
      return true;
    },
    abandon: async (name, generation) => outdate(held(name, generation) ?? undefined),
    obsoleteGenerations: async () =>
      [...generations.values()]
        .filter(isObsolete)
        .map(({ graph, generation }) => ({ graph, generation })),
    deleteGeneration: async (generation) => {
      const found = generations.get(generation);
      if (found !== undefined && isObsolete(found)) generations.delete(generation);
    },
  };
}

function recordOf({ graph, generation, status, content, builtAt }: StoredGeneration) {
  if (status !== 'current' || content === null) return null;
  return { ...content, name: graph, generation, builtAt };
}

function isLeased({ leaseUntil }: StoredGeneration): boolean {
  return leaseUntil > Date.now();
}

function isObsolete(generation: StoredGeneration): boolean {
  return (
    generation.status === 'obsolete' || (generation.status === 'staged' && !isLeased(generation))
  );
}
