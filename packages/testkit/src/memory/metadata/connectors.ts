import type { ConnectorStats, ConnectorRegistry, ObjectRecord, SearchStatus } from '@trove/core';

import { cancelled, compareText, endJob, isLive } from './data.js';
import type { Metadata } from './data.js';

export function connectorMethods(data: Metadata): ConnectorRegistry {
  const all = () => [...data.connectors.values()];
  return {
    registerConnector: async (connector) => {
      const known = all().find(({ rootUri }) => rootUri === connector.rootUri);
      if (known !== undefined) return structuredClone(known);
      const added = {
        tree: null,
        ...structuredClone(connector),
        status: 'active' as const,
        state: null,
        registeredAt: Date.now(),
        lastSyncedAt: null,
        problem: null,
      };
      data.connectors.set(connector.id, added);
      return structuredClone(added);
    },
    connector: async (id) => structuredClone(data.connectors.get(id) ?? null),
    connectors: async () =>
      structuredClone(all().sort((left, right) => compareText(left.rootUri, right.rootUri))),
    beginRemoval: async (id) => {
      const connector = data.connectors.get(id);
      if (connector === undefined || connector.status === 'removing') return false;
      connector.status = 'removing';
      return true;
    },
    reportProblem: async (id, problem) => {
      const connector = data.connectors.get(id);
      if (connector === undefined) return;
      connector.problem = problem;
      if (connector.status === 'active') connector.status = 'error';
    },
    deleteConnector: async (id) => {
      for (const job of data.jobs.values()) {
        if (job.connectorId === id && isLive(job)) endJob(job, cancelled);
      }
      data.objects.delete(id);
      data.records.delete(id);
      data.summaries.delete(id);
      data.again.delete(id);
      data.connectors.delete(id);
    },
    connectorStats: async (connectorId) =>
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
