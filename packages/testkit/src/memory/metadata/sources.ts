import type {
  ConnectorStats,
  ConnectorRegistry,
  ObjectRecord,
  SearchStatus,
} from '@trove/core/store';

import {
  addMissing,
  cancelled,
  compareText,
  generationsOf,
  endJob,
  isLive,
  type Metadata,
} from './data.js';

export function memorySources(data: Metadata): ConnectorRegistry {
  const all = () => [...data.connectors.values()];
  return {
    register: async (connector) => {
      const known = all().find(({ rootUri }) => rootUri === connector.rootUri);
      if (known !== undefined) return structuredClone(known);
      const added = {
        tree: null,
        ...structuredClone(connector),
        status: 'active' as const,
        state: null,
        registeredAt: Date.now(),
        lastSyncedAt: null,
        isComplete: false,
        problem: null,
      };
      data.connectors.set(connector.id, added);
      for (const each of generationsOf(data)) addMissing(each);
      return structuredClone(added);
    },
    get: async (id) => structuredClone(data.connectors.get(id) ?? null),
    list: async () =>
      structuredClone(all().sort((left, right) => compareText(left.rootUri, right.rootUri))),
    beginRemoval: async (id) => {
      const there = generationsOf(data).flatMap(({ connectors }) => connectors.get(id) ?? []);
      const begun = there.filter(({ status }) => status !== 'removing');
      for (const connector of begun) connector.status = 'removing';
      return begun.length > 0;
    },
    reportProblem: async (id, problem) => {
      const connector = data.connectors.get(id);
      if (connector === undefined) return;
      connector.problem = problem;
      if (connector.status === 'active') connector.status = 'error';
    },
    delete: async (id) => {
      for (const each of generationsOf(data)) {
        for (const job of each.jobs.values()) {
          if (job.connectorId === id && isLive(job)) endJob(job, cancelled);
        }
        each.objects.delete(id);
        each.records.delete(id);
        each.summaries.delete(id);
        each.again.delete(id);
        each.connectors.delete(id);
      }
    },
    stats: async (connectorId) =>
      all()
        .filter(({ id }) => connectorId === undefined || id === connectorId)
        .map(({ id }) => ({
          ...statsOf(id, [...(data.objects.get(id)?.values() ?? [])]),
          summaries: data.summaries.get(id)?.size ?? 0,
        })),
  };
}

function statsOf(
  connectorId: string,
  objects: readonly ObjectRecord[],
): Omit<ConnectorStats, 'summaries'> {
  const bySearchStatus: Partial<Record<SearchStatus, number>> = {};
  for (const { searchStatus } of objects) {
    bySearchStatus[searchStatus] = (bySearchStatus[searchStatus] ?? 0) + 1;
  }
  return {
    connectorId,
    objects: objects.length,
    chunks: objects.reduce((sum, { chunks }) => sum + chunks, 0),
    bySearchStatus,
  };
}
