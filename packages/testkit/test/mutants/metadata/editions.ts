import type { MetadataStore } from '@trove/core/store';

import { editionsOf, emptyMetadata, type Metadata } from '../../../src/memory/metadata/data.js';
import { openMetadata } from '../../../src/memory/metadata/open.js';
import type { Mutants } from './support.js';

export const editionMutants: Mutants = {
  // What a later edition is asked for is answered from the first.
  'editions-apart': (_good, data) => ({
    objectsAfter: (...asked) => openMetadata(first(data)).objectsAfter(...asked),
  }),
  'editions-known': (good) => ({
    otherEditions: async () =>
      (await good.otherEditions()).map((each) => ({ ...each, dimension: 8 })),
  }),
  'edition-gets-sources': (good, data) => ({
    connectors: async () => {
      const all = await good.connectors();
      const isLater = data.siblings.length > 1 && data.edition.number === 1;
      return isLater ? all.filter(({ id }) => id !== 'c2') : all;
    },
  }),
  'edition-of-a-source': (good, data) => ({
    connector: async (id) => {
      const known = await good.connector(id);
      const state = first(data).connectors.get(id)?.state;
      return known && { ...known, state: known.state ?? state };
    },
  }),
  'complete-stays': (good, data) => ({
    finishJob: async (id, worker, outcome) => {
      const connector = data.connectors.get(data.jobs.get(id)?.connectorId ?? '');
      if (connector !== undefined && outcome.isComplete === false) connector.isComplete = false;
      return good.finishJob(id, worker, outcome);
    },
  }),
  'edition-config': (good, data) => ({
    createJob: async (job) => {
      const before = editionsOf(data)
        .filter((each) => each !== data)
        .flatMap(({ connectors }) => [...connectors.values()].map((each) => [each, each.state]));
      const created = await good.createJob(job);
      for (const [each, state] of before) Object.assign(each ?? {}, { state });
      return created;
    },
  }),
  'edition-jobs': (_good, data) => ({
    jobCounts: async (connectorId) => own(data).jobCounts(connectorId),
  }),
  'edition-cancels': (good, data) => ({
    cancelJob: async (id) => {
      const of = editionsOf(data).find(({ jobs }) => jobs.has(id));
      return of === undefined ? good.cancelJob(id) : openMetadata(of).cancelJob(id);
    },
  }),
  'edition-removal': (good, data) => ({
    beginRemoval: async (id) => {
      const begun = await good.beginRemoval(id);
      for (const each of editionsOf(data)) {
        const connector = each === data ? undefined : each.connectors.get(id);
        if (begun && connector !== undefined) connector.status = 'active';
      }
      return begun;
    },
  }),
  'edition-reader': (good) => ({
    edition: async (number) => ({
      ...(await good.edition(number)),
      connectorStats: good.connectorStats,
    }),
  }),
  'edition-dropped': (good, data) => ({
    dropEdition: async (number, unusedMs) => {
      const jobs = data.siblings.flatMap((each) => [...each.jobs.keys()]);
      const isDropped = await good.dropEdition(number, unusedMs);
      if (isDropped) for (const id of jobs) if (id === 'j1') data.jobs.delete(id);
      return isDropped;
    },
  }),
  'edition-dropped-drops-none': (good, { edition }) => ({
    dropEdition: async (number, unusedMs) => {
      const { state } = edition;
      edition.state = 'used';
      try {
        return await good.dropEdition(number, unusedMs);
      } finally {
        edition.state = state;
      }
    },
  }),
  'edition-begun-again': (_good, data) => ({
    forgetEdition: async (number) => {
      for (const { edition } of data.siblings)
        if (edition.number === number) edition.state = 'forgotten';
    },
  }),
  'edition-own-kept': (good, data) => ({
    dropEdition: async (number, unusedMs) => {
      if (number !== data.edition.number) return good.dropEdition(number, unusedMs);
      data.objects.clear();
      return true;
    },
  }),
};

function first(data: Metadata): Metadata {
  return data.siblings[0] ?? data;
}

/** A store that knows of no other edition. */
function own(data: Metadata): MetadataStore {
  const { jobs, connectors } = data;
  return openMetadata({ ...emptyMetadata(), jobs, connectors, siblings: [data] });
}
