import { TroveError } from '@trove/core';
import type { GraphCatalog } from '@trove/core/store';
import type { Graphs } from './graphs.js';

/** Returns graphs that cannot be changed. Changes throw `forbidden`. */
export function readOnlyGraphs(graphs: Graphs): Graphs {
  return {
    ...graphs,
    deleteGraph: refuse,
    addDocuments: refuse,
    upsertDocuments: refuse,
    deleteDocuments: refuse,
    importSources: refuse,
    upload: refuse,
  };
}

/** A catalogue without graphs, for callers that see none. */
export const noGraphs: GraphCatalog = {
  list: () => Promise.resolve([]),
  get: () => Promise.resolve(null),
  stagedGeneration: () => Promise.resolve(null),
  obsoleteGenerations: () => Promise.resolve([]),
  stage: refuse,
  renew: refuse,
  promote: refuse,
  empty: refuse,
  abandon: refuse,
  deleteGeneration: refuse,
};

async function refuse(): Promise<never> {
  throw new TroveError('forbidden', 'Changing a graph needs the right `admin`');
}
