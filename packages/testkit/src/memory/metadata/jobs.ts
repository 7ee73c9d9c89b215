import { TroveError } from '@trove/core';
import type {
  JobOutcome,
  JobRecord,
  JobStatus,
  JobQueue,
  NewJob,
  TaskOutcome,
} from '@trove/core/store';

import {
  cancelled,
  generationsOf,
  endingOf,
  endJob,
  heldJob,
  isLive,
  jobRecord,
  type Metadata,
  type StoredJob,
} from './data.js';

export function memoryJobs(data: Metadata): JobQueue {
  const own = () => [...data.jobs.values()];
  const all = () =>
    generationsOf(data)
      .flatMap(({ jobs }) => [...jobs.values()])
      .sort((one, other) => one.createdAt - other.createdAt);
  const find = (id: string) => all().find((job) => job.id === id);
  return {
    create: async (job) => create(data, job),
    get: async (id) => {
      const job = find(id);
      return job === undefined ? null : jobRecord(job);
    },
    list: async ({ status, target, limit, offset }) =>
      all()
        .filter((job) => status === undefined || job.status === status)
        .filter((job) => target === undefined || job.target === target)
        .reverse()
        .slice(offset, offset + limit)
        .map(jobRecord),
    counts: async (connectorId) => {
      const counts: Partial<Record<JobStatus, number>> = {};
      for (const job of all()) {
        if (connectorId !== undefined && job.connectorId !== connectorId) continue;
        counts[job.status] = (counts[job.status] ?? 0) + 1;
      }
      return counts;
    },
    failures: async (jobId, limit) => [...(find(jobId)?.failures.values() ?? [])].slice(0, limit),
    running: async () =>
      own()
        .filter(({ status }) => status === 'running')
        .map(jobRecord),
    claim: async (worker, leaseMs) => {
      const now = Date.now();
      const job = [...data.jobs.values()].find(
        ({ status, leaseUntil }) =>
          status === 'queued' || (status === 'running' && leaseUntil <= now),
      );
      if (job === undefined) return null;
      if (job.status === 'running' && job.worker !== worker) job.deaths += 1;
      job.status = 'running';
      job.worker = worker;
      job.leaseUntil = now + leaseMs;
      job.attempt += 1;
      job.startedAt ??= now;
      if (!job.listed) restartListing(job);
      return jobRecord(job);
    },
    pause: async (jobId, ms) => {
      const job = data.jobs.get(jobId);
      if (job?.status !== 'running') return;
      job.pausedUntil = Math.max(job.pausedUntil ?? 0, Date.now() + ms);
    },
    cancel: async (id) => cancel(data, id),
    finish: async (jobId, worker, outcome) => {
      const job = heldJob(data, jobId, worker);
      if (job === null) return false;
      const ending = endingOf(job, outcome);
      endJob(job, ending);
      settleConnector(data, job, ending);
      return true;
    },
    prune: async (olderThanMs) => {
      const before = Date.now() - olderThanMs;
      const old = all().filter(({ finishedAt }) => finishedAt !== null && finishedAt < before);
      for (const { id } of old) for (const { jobs } of data.siblings) jobs.delete(id);
      return old.length;
    },
  };
}

function create(
  data: Metadata,
  { id, connectorId, opKind, trigger, full, since, paths = null, config, tree }: NewJob,
): JobRecord {
  const connector = data.connectors.get(connectorId);
  if (connector === undefined) throw new TroveError('not_found', 'The source is not registered.');
  const target = connector.rootUri;
  if (connector.status === 'removing') {
    throw new TroveError('connector_removing', `${target} is being removed.`);
  }
  if ([...data.jobs.values()].some((job) => job.connectorId === connectorId && isLive(job))) {
    throw new TroveError('sync_already_running', `A sync of ${target} is already in flight.`);
  }
  const { tree: current } = connector;
  if (tree !== undefined && current !== tree.from && current !== tree.to) {
    throw new TroveError(
      'sync_already_running',
      `Other files of ${target} have arrived meanwhile.`,
    );
  }
  const job: StoredJob = {
    id,
    connectorId,
    target,
    opKind,
    trigger,
    full,
    since,
    paths,
    status: 'queued',
    problem: null,
    total: 0,
    added: 0,
    changed: 0,
    removed: 0,
    unchanged: 0,
    leftOut: 0,
    failed: 0,
    cancelled: 0,
    chunks: 0,
    chunksWithoutVector: 0,
    summarizing: false,
    pausedUntil: null,
    summaries: 0,
    summariesMissing: 0,
    modelUsage: { calls: 0, inputTokens: 0, outputTokens: 0 },
    createdAt: Date.now(),
    startedAt: null,
    finishedAt: null,
    listed: false,
    cancelRequested: false,
    attempt: 0,
    deaths: 0,
    warnings: [],
    leftOutReasons: [],
    state: undefined,
    worker: null,
    leaseUntil: 0,
    tasks: new Map(),
    met: new Set(),
    failures: new Map(),
  };
  data.jobs.set(id, job);
  connector.status = 'syncing';
  for (const { connectors } of generationsOf(data)) {
    const each = connectors.get(connectorId);
    if (each === undefined) continue;
    if (config !== undefined) {
      each.config = structuredClone(config);
      each.state = null;
    }
    if (tree !== undefined) each.tree = tree.to;
  }
  return jobRecord(job);
}

/** Listed objects will be counted when they are listed again; only tasks are already known. */
function restartListing(job: StoredJob): void {
  job.met.clear();
  const ended = (as: TaskOutcome) =>
    [...job.tasks.values()].filter(({ outcome }) => outcome === as).length;
  job.total = job.tasks.size;
  job.unchanged = ended('unchanged');
  job.leftOut = ended('left_out');
}

function cancel(data: Metadata, id: string): JobRecord | null {
  const of = generationsOf(data).find(({ jobs }) => jobs.has(id));
  const job = of?.jobs.get(id);
  if (of === undefined || job === undefined) return null;
  if (job.status === 'running' && of === data) job.cancelRequested = true;
  else if (isLive(job)) {
    endJob(job, cancelled);
    settleConnector(of, job, cancelled);
  }
  return jobRecord(job);
}

/** Updates the connector after a sync. One that is being removed stays so. */
function settleConnector(
  data: Metadata,
  { connectorId, state }: StoredJob,
  { status, problem, isComplete = false }: JobOutcome,
): void {
  const connector = data.connectors.get(connectorId);
  if (connector === undefined) return;
  if (status === 'succeeded' || status === 'partial') {
    connector.lastSyncedAt = Date.now();
    connector.problem = null;
    connector.isComplete ||= isComplete;
    if (state !== undefined) connector.state = state;
  } else if (status === 'failed') connector.problem = problem;
  if (connector.status !== 'removing') {
    connector.status = connector.problem === null ? 'active' : 'error';
  }
}
