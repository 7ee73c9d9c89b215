import type { ObjectRecord } from '@trove/core/store';

import type { Mutants } from './support.js';

export const objectMutants: Mutants = {
  'objects-keep-everything': (good) => ({
    completeTasks: (worker, results) =>
      good.completeTasks(
        worker,
        results.map((result) => ({ ...result, put: (result.put ?? []).map(withWholeTime) })),
      ),
  }),
  'objects-by-identity': (good) => ({
    objectsByIdentity: async (id, identities) => {
      const found = await good.objectsByIdentity(id, identities);
      return [...new Map(found.map((record) => [record.identity, record])).values()];
    },
  }),
  'objects-of-one-connector': (good, data) => ({
    objectsByPath: async (_id, paths) => {
      const stores = [...data.objects.keys()].map((id) => good.objectsByPath(id, paths));
      const all = (await Promise.all(stores)).flat();
      return [...new Map(all.map((record) => [record.path, record])).values()];
    },
  }),
  'objects-in-order': (good) => ({
    objectsAfter: async (id, { prefix, after, limit }) => {
      const all = await good.objectsAfter(id, { prefix, after: null, limit: Infinity });
      return all
        .filter(({ path }) => after === null || path > after)
        .sort((left, right) => (left.path < right.path ? -1 : 1))
        .slice(0, limit);
    },
  }),
  'objects-below-prefix': (good) => ({
    objectsAfter: async (id, { prefix, after, limit }) => {
      const all = await good.objectsAfter(id, { prefix: '', after, limit: Infinity });
      const pattern = RegExp(`^${prefix.replaceAll('_', '.').replaceAll('%', '.*')}`, 's');
      return all.filter(({ path }) => pattern.test(path)).slice(0, limit);
    },
  }),
  'odd-characters': (good) => ({
    objectsByPath: async (id, paths) =>
      (await good.objectsByPath(id, paths)).map((record) => ({
        ...record,
        path: record.path.replaceAll('\0', ''),
      })),
  }),
  'left-out-by-reason': (good) => ({
    leftOut: async (id, limit) => (await good.leftOut(id, Infinity)).reverse().slice(0, limit),
  }),
  'mark-stale': (good, data) => ({
    markStale: async (id, objectIds) => {
      await good.markStale(id, objectIds);
      const known = data.objects.get(id);
      for (const objectId of objectIds) {
        const object = known?.get(objectId);
        if (object !== undefined) known?.set(objectId, { ...object, title: null });
      }
    },
  }),
  'long-paths': (good) => ({
    objectsByPath: async (id, paths) => {
      const all = await good.objectsAfter(id, { prefix: '', after: null, limit: Infinity });
      const keys = new Set(paths.map((path) => path.slice(0, 4096)));
      return all.filter(({ path }) => keys.has(path.slice(0, 4096)));
    },
  }),
  'large-batches': (good) => ({
    compareListing: (id, worker, revisions) =>
      good.compareListing(id, worker, new Map([...revisions].slice(0, 4000))),
  }),
};

function withWholeTime(record: ObjectRecord): ObjectRecord {
  return { ...record, modifiedAt: record.modifiedAt && Math.round(record.modifiedAt) };
}
