import type { MetadataStore } from '@trove/core/store';

import { generationsOf, emptyMetadata, type Metadata } from '../../../src/memory/metadata/data.js';
import { openMetadata } from '../../../src/memory/metadata/open.js';
import type { Mutants } from './support.js';

export const editionMutants: Mutants = {
  // What a later edition is asked for is answered from the first.
  'generations-apart': (_good, data) => ({
    objects: { list: (...asked) => openMetadata(first(data)).objects.list(...asked) },
  }),
  'generations-known': (good) => ({
    generations: {
      listOthers: async () =>
        (await good.generations.listOthers()).map((each) => ({ ...each, dimension: 8 })),
    },
  }),
  'edition-gets-sources': (good, data) => ({
    sources: {
      list: async () => {
        const all = await good.sources.list();
        const isLater = data.siblings.length > 1 && data.edition.number === 1;
        return isLater ? all.filter(({ id }) => id !== 'c2') : all;
      },
    },
  }),
  'edition-of-a-source': (good, data) => ({
    sources: {
      get: async (id) => {
        const known = await good.sources.get(id);
        const state = first(data).connectors.get(id)?.state;
        return known && { ...known, state: known.state ?? state };
      },
    },
  }),
  'complete-stays': (good, data) => ({
    jobs: {
      finish: async (id, worker, outcome) => {
        const connector = data.connectors.get(data.jobs.get(id)?.connectorId ?? '');
        if (connector !== undefined && outcome.isComplete === false) connector.isComplete = false;
        return good.jobs.finish(id, worker, outcome);
      },
    },
  }),
  'edition-config': (good, data) => ({
    jobs: {
      create: async (job) => {
        const before = generationsOf(data)
          .filter((each) => each !== data)
          .flatMap(({ connectors }) => [...connectors.values()].map((each) => [each, each.state]));
        const created = await good.jobs.create(job);
        for (const [each, state] of before) Object.assign(each ?? {}, { state });
        return created;
      },
    },
  }),
  'edition-jobs': (_good, data) => ({
    jobs: { counts: async (connectorId) => own(data).jobs.counts(connectorId) },
  }),
  'edition-cancels': (good, data) => ({
    jobs: {
      cancel: async (id) => {
        const of = generationsOf(data).find(({ jobs }) => jobs.has(id));
        return of === undefined ? good.jobs.cancel(id) : openMetadata(of).jobs.cancel(id);
      },
    },
  }),
  'edition-removal': (good, data) => ({
    sources: {
      beginRemoval: async (id) => {
        const begun = await good.sources.beginRemoval(id);
        for (const each of generationsOf(data)) {
          const connector = each === data ? undefined : each.connectors.get(id);
          if (begun && connector !== undefined) connector.status = 'active';
        }
        return begun;
      },
    },
  }),
  'edition-reader': (good) => ({
    generations: {
      reader: async (number) => ({
        ...(await good.generations.reader(number)),
        sources: good.sources,
      }),
    },
  }),
  'edition-dropped': (good, data) => ({
    generations: {
      drop: async (number, unusedMs) => {
        const jobs = data.siblings.flatMap((each) => [...each.jobs.keys()]);
        const isDropped = await good.generations.drop(number, unusedMs);
        if (isDropped) for (const id of jobs) if (id === 'j1') data.jobs.delete(id);
        return isDropped;
      },
    },
  }),
  'edition-dropped-drops-none': (good, { edition }) => ({
    generations: {
      drop: async (number, unusedMs) => {
        const { state } = edition;
        edition.state = 'used';
        try {
          return await good.generations.drop(number, unusedMs);
        } finally {
          edition.state = state;
        }
      },
    },
  }),
  'edition-begun-again': (_good, data) => ({
    generations: {
      delete: async (number) => {
        for (const { edition } of data.siblings)
          if (edition.number === number) edition.state = 'forgotten';
      },
    },
  }),
  'edition-own-kept': (good, data) => ({
    generations: {
      drop: async (number, unusedMs) => {
        if (number !== data.edition.number) return good.generations.drop(number, unusedMs);
        data.objects.clear();
        return true;
      },
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
