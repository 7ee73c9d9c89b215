import type { MetadataStore, ObjectRecord } from '@trove/core';

import { compareText } from './data.js';
import type { Metadata } from './data.js';

type Methods = 'objectsByPath' | 'objectsByIdentity' | 'objectsAfter' | 'markStale';

export function objectMethods(data: Metadata): Pick<MetadataStore, Methods> {
  const objects = (connectorId: string): ObjectRecord[] => [
    ...(data.objects.get(connectorId)?.values() ?? []),
  ];
  return {
    objectsByPath: async (connectorId, paths) => {
      const wanted = new Set(paths);
      return objects(connectorId).filter(({ path }) => wanted.has(path));
    },
    objectsByIdentity: async (connectorId, identities) => {
      const wanted = new Set<string | null>(identities);
      return objects(connectorId).filter(
        ({ identity }) => identity !== null && wanted.has(identity),
      );
    },
    objectsAfter: async (connectorId, { prefix, after, limit }) =>
      objects(connectorId)
        .filter(({ path }) => path.startsWith(prefix))
        .filter(({ path }) => after === null || compareText(path, after) > 0)
        .sort((left, right) => compareText(left.path, right.path))
        .slice(0, limit),
    markStale: async (connectorId, objectIds) => {
      const known = data.objects.get(connectorId);
      for (const id of objectIds) {
        const object = known?.get(id);
        if (object !== undefined) known?.set(id, { ...object, revision: null, contentHash: null });
      }
    },
  };
}
