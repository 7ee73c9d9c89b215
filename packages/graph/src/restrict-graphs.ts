import { TroveError } from '@trove/core';
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

async function refuse(): Promise<never> {
  throw new TroveError('forbidden', 'Changing a graph needs the right `admin`');
}
