import type { ObjectRecord, StatedFacts } from '@trove/core/store';

import { all as everything, json, type Mutants } from './support.js';

export const objectMutants: Mutants = {
  'objects-counted-below-path': (good) => ({
    // Ignores the case of letters.
    objects: { stats: (id, path) => good.objects.stats(id, path.toLowerCase()) },
  }),
  'objects-keep-everything': (good) => ({
    tasks: {
      complete: (worker, results) =>
        good.tasks.complete(
          worker,
          results.map((result) => ({ ...result, put: (result.put ?? []).map(withWholeTime) })),
        ),
    },
  }),
  'objects-keep-stated-facts': (good) => ({
    objects: {
      findByPath: async (id, paths) =>
        (await good.objects.findByPath(id, paths)).map((record) => ({
          ...record,
          stated: record.stated === null ? null : withoutKeyFields(record.stated),
        })),
    },
  }),
  'objects-by-identity': (good) => ({
    objects: {
      findByIdentity: async (id, identities) => {
        const found = await good.objects.findByIdentity(id, identities);
        return [...new Map(found.map((record) => [record.identity, record])).values()];
      },
    },
  }),
  'objects-of-one-connector': (good) => ({
    objects: {
      findByPath: async (_id, paths) => {
        const connectors = await good.sources.list();
        const found = connectors.map(({ id }) => good.objects.findByPath(id, paths));
        const all = (await Promise.all(found)).flat();
        return [...new Map(all.map((record) => [record.path, record])).values()];
      },
    },
  }),
  'objects-in-order': (good) => ({
    objects: {
      list: async (id, { prefix, after, limit }) => {
        const all = await good.objects.list(id, { prefix, after: null, limit: everything });
        return all
          .filter(({ path }) => after === null || path > after)
          .sort((left, right) => (left.path < right.path ? -1 : 1))
          .slice(0, limit);
      },
    },
  }),
  'objects-below-prefix': (good) => ({
    objects: {
      list: async (id, { prefix, after, limit }) => {
        const all = await good.objects.list(id, { prefix: '', after, limit: everything });
        const pattern = RegExp(`^${prefix.replaceAll('_', '.').replaceAll('%', '.*')}`, 's');
        return all.filter(({ path }) => pattern.test(path)).slice(0, limit);
      },
    },
  }),
  'objects-of-types': (good) => ({
    objects: {
      list: async (id, { types, ...options }) => {
        const all = await good.objects.list(id, options);
        if (types === undefined) return all;
        return all.filter(({ mediaType, path }) => {
          const hasType = mediaType === null || types.mediaTypes.includes(mediaType);
          return hasType || types.endings.some((ending) => path.endsWith(ending));
        });
      },
    },
  }),
  'odd-characters': (good) => ({
    objects: {
      findByPath: async (id, paths) =>
        (await good.objects.findByPath(id, paths)).map((record) => ({
          ...record,
          path: record.path.replaceAll('\0', ''),
        })),
    },
  }),
  'left-out-by-reason': (good) => ({
    objects: {
      leftOut: async (id, limit) =>
        (await good.objects.leftOut(id, everything)).reverse().slice(0, limit),
    },
  }),
  'objects-invalidated': (good, database) => ({
    objects: {
      invalidate: async (id, objectIds) => {
        await good.objects.invalidate(id, objectIds);
        await database.query(
          'update trove_objects set title = null where id in (select value from json_each(?))',
          json(objectIds),
        );
      },
    },
  }),
  'long-paths': (good) => ({
    objects: {
      findByPath: async (id, paths) => {
        const all = await good.objects.list(id, { prefix: '', after: null, limit: everything });
        const keys = new Set(paths.map((path) => path.slice(0, 4096)));
        return all.filter(({ path }) => keys.has(path.slice(0, 4096)));
      },
    },
  }),
  'large-batches': (good) => ({
    listings: {
      compare: (id, worker, revisions) =>
        good.listings.compare(id, worker, new Map([...revisions].slice(0, 4000))),
    },
  }),
};

function withoutKeyFields({ keyFields: _, ...stated }: StatedFacts): StatedFacts {
  return stated;
}

function withWholeTime(record: ObjectRecord): ObjectRecord {
  return { ...record, modifiedAt: record.modifiedAt && Math.round(record.modifiedAt) };
}
