import type { RecordCatalog, StoredRecord } from '@trove/core/store';

import { compareText, heldJob, recordsOf, type Metadata, type StoredJob } from './data.js';

export function memoryRecords(data: Metadata): RecordCatalog {
  return {
    compare: async (connectorId, objectId, versions) => {
      const known = recordsOf(data, connectorId, objectId);
      const unchanged: number[] = [];
      const changed: StoredRecord[] = [];
      const added: string[] = [];
      for (const [key, version] of versions) {
        const record = known.get(key);
        if (record === undefined) added.push(key);
        else if (version === null || record.version === version) unchanged.push(record.number);
        else changed.push(record);
      }
      return { unchanged, changed, added };
    },
    list: async (connectorId, { objectId, threads, after, limit }) => {
      const objects = [...(data.records.get(connectorId) ?? [])];
      return objects
        .filter(([id]) => objectId === null || id === objectId)
        .flatMap(([, records]) => [...records.values()])
        .filter(({ thread }) => threads === undefined || threads.some((each) => each === thread))
        .filter((record) => after === null || inOrder(after, record) < 0)
        .sort(inOrder)
        .slice(0, limit);
    },
    totals: async (connectorId, objectId) => {
      const records = [...recordsOf(data, connectorId, objectId).values()];
      const chunks = records.reduce((sum, record) => sum + record.chunks, 0);
      const last = Math.max(0, ...records.map(({ number }) => number));
      const cut = records.filter(({ isTruncated }) => isTruncated).length;
      return { records: records.length, chunks, truncated: cut, last };
    },
    invalidatedThreads: async (connectorId, objectId, { after, limit }) => {
      const records = [...recordsOf(data, connectorId, objectId).values()];
      const stale = records.filter(({ version }) => version === null);
      const threads = new Set(stale.flatMap(({ thread }) => thread ?? []));
      return [...threads]
        .filter((thread) => after === null || compareText(after, thread) < 0)
        .sort(compareText)
        .slice(0, limit);
    },
    put: async (jobId, worker, objectId, { put, removed }) => {
      const job = data.jobs.get(jobId);
      if (job === undefined) return false;
      const records = recordsOf(data, job.connectorId, objectId);
      const isHeld = heldJob(data, jobId, worker) !== null || holdsTask(job, worker, objectId);
      if (!isHeld) {
        makeStale(records, [...removed, ...put.map(({ key }) => key)]);
        return false;
      }
      for (const key of removed) records.delete(key);
      for (const state of put) {
        const number = records.get(state.key)?.number ?? data.nextRecord++;
        records.set(state.key, { ...state, objectId, number });
        job.chunks += state.chunks;
      }
      return true;
    },
    invalidate: async (connectorId, objectId, keys) =>
      makeStale(recordsOf(data, connectorId, objectId), keys),
  };
}

type Place = Pick<StoredRecord, 'objectId' | 'key'>;

function inOrder(left: Place, right: Place): number {
  return compareText(left.objectId, right.objectId) || compareText(left.key, right.key);
}

function holdsTask(job: StoredJob, worker: string, objectId: string): boolean {
  const task = job.tasks.get(objectId);
  return task?.outcome === null && task.worker === worker && task.leaseUntil > Date.now();
}

function makeStale(records: Map<string, StoredRecord>, keys: readonly string[]): void {
  for (const key of keys) {
    const record = records.get(key);
    if (record !== undefined) records.set(key, { ...record, version: null });
  }
}
