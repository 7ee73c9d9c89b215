import type { LeftOut, ObjectCatalog, ObjectRecord } from '@trove/core/store';

import { compareText, rememberedOf, type Metadata } from './data.js';

export function memoryObjects(data: Metadata): ObjectCatalog {
  const objects = (connectorId: string): ObjectRecord[] => [
    ...(data.objects.get(connectorId)?.values() ?? []),
  ];
  const reasonsOf = (
    status: ObjectRecord['searchStatus'],
    connectorId: string,
    limit: number,
  ): LeftOut[] => {
    const again = rememberedOf(data, connectorId);
    const byReason = new Map<string, LeftOut>();
    for (const { id, path, reason, searchStatus } of objects(connectorId)) {
      if (searchStatus !== status || again.has(id)) continue;
      if (status === 'indexed' && reason === null) continue;
      const known = byReason.get(reason ?? '') ?? { reason: reason ?? '', objects: 0, path };
      const first = compareText(path, known.path) < 0 ? path : known.path;
      byReason.set(known.reason, { ...known, objects: known.objects + 1, path: first });
    }
    return [...byReason.values()]
      .sort((a, b) => b.objects - a.objects || compareText(a.reason, b.reason))
      .slice(0, limit);
  };
  return {
    findByPath: async (connectorId, paths) => {
      const wanted = new Set(paths);
      return objects(connectorId).filter(({ path }) => wanted.has(path));
    },
    findByIdentity: async (connectorId, identities) => {
      const wanted = new Set<string | null>(identities);
      return objects(connectorId).filter(
        ({ identity }) => identity !== null && wanted.has(identity),
      );
    },
    list: async (connectorId, { prefix, after, limit }) =>
      objects(connectorId)
        .filter(({ path }) => path.startsWith(prefix))
        .filter(({ path }) => after === null || compareText(path, after) > 0)
        .sort((left, right) => compareText(left.path, right.path))
        .slice(0, limit),
    leftOut: async (connectorId, limit) => reasonsOf('not_indexed', connectorId, limit),
    warnings: async (connectorId, limit) => reasonsOf('indexed', connectorId, limit),
    invalidate: async (connectorId, objectIds) => {
      const known = data.objects.get(connectorId);
      for (const id of objectIds) {
        const object = known?.get(id);
        if (object !== undefined) known?.set(id, { ...object, revision: null, contentHash: null });
      }
    },
  };
}
