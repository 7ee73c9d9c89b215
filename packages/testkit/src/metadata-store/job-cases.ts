import { isTroveError } from '@trove/core';
import type { JobOutcome } from '@trove/core/store';

import { expect, expectEqual, expectError } from '../expect.js';
import {
  cancelled,
  claim,
  indexPaths,
  addToListing,
  longLeaseMs,
  newConnector,
  newJob,
  newTask,
  queueJob,
  startJob,
  unhealthy,
  pollUntil,
  writtenResult,
} from './setup.js';
import type { MetadataStoreCase } from './subject.js';

/** A job's values before its first claim. */
const untouched = {
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
  startedAt: null,
  finishedAt: null,
  listed: false,
  checkpoint: null,
  cancelRequested: false,
  attempt: 0,
  deaths: 0,
  warnings: [],
  leftOutReasons: [],
};

export const jobCases: readonly MetadataStoreCase[] = [
  {
    id: 'create-job',
    parts: ['sources', 'jobs'],
    title: 'queues a new job as given and sets its connector to syncing',
    run: async ({ open }) => {
      const store = await open();
      await store.sources.register(newConnector());
      const given = newJob('j1', 'c1', {
        trigger: 'api',
        full: true,
        since: '2026-01-01',
        paths: ['a "b".md', 'c'],
      });
      const job = await store.jobs.create(given);
      const { createdAt, ...rest } = job;
      expect(createdAt > 1e12, 'createdAt is not in milliseconds since 1970');
      expectEqual(
        rest,
        {
          ...given,
          target: 'file://local/c1',
          status: 'queued',
          ...untouched,
        },
        'the new job',
      );
      expectEqual(await store.jobs.get('j1'), job, 'the job, read again');
      await store.sources.register(newConnector('c2'));
      const other = await store.jobs.create(newJob('j2', 'c2'));
      expectEqual(other.paths, null, 'the paths of a job without any');
      expectEqual((await store.sources.get('c1'))?.status, 'syncing', 'the connector');
    },
  },
  {
    id: 'one-live-job',
    parts: ['sources', 'jobs'],
    title: 'creates one of four concurrent jobs and rejects the others',
    run: async ({ open }) => {
      const stores = await Promise.all([open(), open(), open(), open()]);
      const [store] = stores;
      expect(store !== undefined, 'no store');
      await store.sources.register(newConnector());
      const made = await Promise.allSettled(
        stores.map((each, index) => each.jobs.create(newJob(`j${index}`))),
      );
      const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      expectEqual(refused.length, 3, 'jobs refused');
      const codes = refused.map((error: unknown) => isTroveError(error) && error.code);
      expectEqual(new Set(codes), new Set(['sync_already_running']), 'the errors of the others');
      expectEqual((await store.jobs.list({ limit: 9, offset: 0 })).length, 1, 'jobs made');
      await store.jobs.claim('w1', longLeaseMs);
      await expectError(store.jobs.create(newJob('j9')), 'sync_already_running', 'while it runs');
    },
  },
  {
    id: 'jobs-newest-first',
    parts: ['sources', 'jobs', 'tasks'],
    title: 'lists jobs newest first, by page, status and target',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, [], { id: 'j1' });
      await indexPaths(store, [], { id: 'j2', connectorId: 'c2' });
      await indexPaths(store, [], { id: 'j3' });
      await queueJob(store, 'j4');
      type Filter = { status?: string; target?: string; within?: string[] };
      const ids = async (filter: Filter, limit = 9, offset = 0) =>
        (await store.jobs.list({ ...filter, limit, offset })).map(({ id }) => id);
      expectEqual(await ids({}), ['j4', 'j3', 'j2', 'j1'], 'all');
      expectEqual(await ids({}, 2, 1), ['j3', 'j2'], 'a page');
      expectEqual(await ids({ status: 'succeeded' }, 2), ['j3', 'j2'], 'succeeded jobs');
      const target = 'file://local/c1';
      expectEqual(await ids({ target }), ['j4', 'j3', 'j1'], 'jobs of one source');
      expectEqual(await ids({ target, status: 'queued' }), ['j4'], 'both');
      expectEqual(await ids({ status: 'unheard-of' }), [], 'an unknown status');
      const within = ['file://local/c', 'file://local/c2', 'file://local/c1/x'];
      expectEqual(await ids({ within }), ['j2'], 'jobs within some URIs');
      expectEqual(await ids({ within: ['file://local'] }, 2), ['j4', 'j3'], 'within a folder');
      expectEqual(await ids({ within: [] }), [], 'within none');
      expectEqual(await store.jobs.counts({ within }), { succeeded: 1 }, 'counts within some URIs');
      expectEqual(await store.jobs.counts({ within: [] }), {}, 'counts within none');
    },
  },
  {
    id: 'job-counts',
    parts: ['sources', 'jobs', 'tasks'],
    title: 'counts jobs by status, of all connectors or of one',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, [], { id: 'j1' });
      await indexPaths(store, [], { id: 'j2', connectorId: 'c2' });
      await queueJob(store, 'j3');
      expectEqual(await store.jobs.counts(), { succeeded: 2, queued: 1 }, 'of all');
      expectEqual(await store.jobs.counts('c2'), { succeeded: 1 }, 'of one');
    },
  },
  {
    id: 'finish-job',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'cancels open tasks at the end of a job and frees its connector',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: ['a', 'b', 'c'].map((path) => newTask(path)) });
      const [task] = await claim(store, { limit: 1 });
      expect(task !== undefined, 'no task');
      await store.tasks.complete('w1', [writtenResult(task)]);
      await claim(store, { limit: 1 });
      const leftOutReasons = [{ reason: 'not\0a text', objects: 2, path: 'ä"' }];
      const end = { ...cancelled, leftOutReasons };
      expectEqual(await store.jobs.finish('j1', 'w1', end), true, 'ending it');
      const job = await store.jobs.get('j1');
      expectEqual(job?.leftOutReasons, leftOutReasons, 'the reasons for left-out objects');
      expectEqual({ status: job?.status, problem: job?.problem }, cancelled, 'the outcome');
      expectEqual([job?.added, job?.cancelled], [1, 2], 'done and cancelled tasks');
      expect(typeof job?.finishedAt === 'number', 'finishedAt is missing');
      expectEqual(await store.tasks.countOpen('j1'), 0, 'open tasks');
      expectEqual(await store.jobs.running(), [], 'running jobs');
      expectEqual((await store.sources.get('c1'))?.status, 'active', 'the connector');
      expectEqual(await store.jobs.finish('j1', 'w1', cancelled), false, 'ending it again');
    },
  },
  {
    id: 'failed-is-error',
    parts: ['sources', 'jobs'],
    title: 'keeps the problem of a failed job until a job succeeds',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      const state = async () => {
        const connector = await store.sources.get('c1');
        return [connector?.status, connector?.problem];
      };
      await store.jobs.finish('j1', 'w1', unhealthy);
      expectEqual(await state(), ['error', unhealthy.problem], 'after the failure');
      expectEqual(
        (await store.jobs.get('j1'))?.problem,
        unhealthy.problem,
        'the problem of the job',
      );
      await startJob(store, { id: 'j2' });
      expectEqual(await state(), ['syncing', unhealthy.problem], 'during the next job');
      await store.jobs.finish('j2', 'w1', cancelled);
      expectEqual(await state(), ['error', unhealthy.problem], 'after its cancellation');
      await startJob(store, { id: 'j3' });
      await store.jobs.finish('j3', 'w1', { status: 'partial', problem: null });
      expectEqual(await state(), ['active', null], 'after a partial success');
    },
  },
  {
    id: 'report-problem',
    parts: ['sources', 'jobs'],
    title: 'records a problem of a source that is not syncing',
    run: async ({ open }) => {
      const store = await open();
      await store.sources.register(newConnector());
      await store.sources.reportProblem('c1', unhealthy.problem);
      const idle = await store.sources.get('c1');
      expectEqual([idle?.status, idle?.problem], ['error', unhealthy.problem], 'an idle source');
      await startJob(store);
      await store.sources.reportProblem('c1', cancelled.problem);
      const busy = await store.sources.get('c1');
      expectEqual([busy?.status, busy?.problem], ['syncing', cancelled.problem], 'a busy source');
    },
  },
  {
    id: 'state-only-after-success',
    parts: ['sources', 'jobs', 'listings'],
    title: 'keeps the state of successful and partial jobs, and of no others',
    run: async ({ open }) => {
      const store = await open();
      const end = async (id: string, outcome: JobOutcome, more: { state?: unknown } = {}) => {
        await startJob(store, { id });
        await store.listings.finish(id, 'w1', { complete: true, ...more });
        await store.jobs.finish(id, 'w1', outcome);
        return (await store.sources.get('c1'))?.state;
      };
      const succeeded = { status: 'succeeded', problem: null } as const;
      const state = { cursor: ['é', 1, null] };
      expectEqual(await end('j1', succeeded, { state }), state, 'the first');
      for (const outcome of [unhealthy, cancelled]) {
        const kept = await end(outcome.status, outcome, { state: 'other' });
        expectEqual(kept, state, outcome.status);
      }
      const partial = { status: 'partial', problem: null } as const;
      expectEqual(await end('j4', partial, { state: 'next' }), 'next', 'partial');
      expectEqual(await end('j5', succeeded), 'next', 'without state');
      expectEqual(await end('j6', succeeded, { state: null }), null, 'null');
    },
  },
  {
    id: 'last-synced',
    parts: ['sources', 'jobs'],
    title: 'records the time of the last successful or partial sync',
    run: async ({ open }) => {
      const store = await open();
      const end = async (id: string, status: 'succeeded' | 'partial' | 'failed' | 'cancelled') => {
        await startJob(store, { id });
        await store.jobs.finish(id, 'w1', { status, problem: null });
        return (await store.sources.get('c1'))?.lastSyncedAt;
      };
      expectEqual(await end('j1', 'failed'), null, 'after a failure');
      expectEqual(await end('j2', 'cancelled'), null, 'after a cancellation');
      const partial = await end('j3', 'partial');
      expect(typeof partial === 'number', 'not set after a partial success');
      expectEqual(await end('j4', 'failed'), partial, 'after another failure');
    },
  },
  {
    id: 'cancel-queued',
    parts: ['sources', 'jobs'],
    title: 'ends a cancelled queued job and frees its connector',
    run: async ({ open }) => {
      const store = await open();
      await queueJob(store);
      expectEqual((await store.jobs.cancel('j1'))?.status, 'cancelled', 'the answer');
      const job = await store.jobs.get('j1');
      expectEqual(job?.status, 'cancelled', 'the status');
      expect(typeof job?.finishedAt === 'number', 'finishedAt is missing');
      expectEqual((await store.sources.get('c1'))?.status, 'active', 'the connector');
      expectEqual(await store.jobs.claim('w1', longLeaseMs), null, 'claiming it');
      await store.jobs.create(newJob('j2'));
    },
  },
  {
    id: 'cancel-running',
    parts: ['sources', 'jobs'],
    title: 'asks a cancelled running job to stop and ends it with its worker',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      const asked = await store.jobs.cancel('j1');
      expectEqual([asked?.status, asked?.cancelRequested], ['running', true], 'the answer');
      expectEqual((await store.jobs.get('j1'))?.cancelRequested, true, 'the job');
      expectEqual(await store.jobs.finish('j1', 'w1', cancelled), true, 'ending it');
    },
  },
  {
    id: 'cancel-wins',
    parts: ['sources', 'jobs'],
    title: 'ends a job with a stop request as cancelled for every outcome',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await store.jobs.cancel('j1');
      const outcome = { status: 'succeeded', problem: null, isComplete: true } as const;
      expectEqual(await store.jobs.finish('j1', 'w1', outcome), true, 'ending it');
      const job = await store.jobs.get('j1');
      expectEqual([job?.status, job?.problem?.code], ['cancelled', 'cancelled'], 'the job');
      expectEqual(
        (await store.sources.get('c1'))?.isComplete,
        false,
        'whether its source is complete',
      );
    },
  },
  {
    id: 'cancel-stops-claims',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'hands out no more tasks of a job with a stop request',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a'), newTask('b')] });
      const [task] = await claim(store, { limit: 1 });
      await store.jobs.cancel('j1');
      expectEqual(await claim(store), [], 'claiming after the request');
      expect(task !== undefined, 'no task');
      expectEqual(
        await store.tasks.complete('w1', [writtenResult(task)]),
        [task.id],
        'the claimed task',
      );
    },
  },
  {
    id: 'cancel-finished',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'changes nothing when an ended job is cancelled',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a'], { id: 'j1' });
      const before = await store.jobs.get('j1');
      expectEqual(await store.jobs.cancel('j1'), before, 'the answer');
      expectEqual(await store.jobs.get('j1'), before, 'the job');
    },
  },
  {
    id: 'prune-jobs',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'prunes jobs that ended before the given time, with their failures',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a')] });
      const [task] = await claim(store);
      expect(task !== undefined, 'no task');
      const failure = { code: 'internal_error', error: 'broken' };
      await store.tasks.complete('w1', [{ taskId: task.id, outcome: 'failed', failure }]);
      await store.jobs.finish('j1', 'w1', { status: 'partial', problem: null });
      await queueJob(store, 'j2');
      await queueJob(store, 'j3', 'c2');
      await store.jobs.claim('w1', longLeaseMs);
      expectEqual(await store.jobs.prune(longLeaseMs), 0, 'jobs that ended long ago');
      const pruned = await pollUntil(async () => (await store.jobs.prune(1)) || null, 'pruning');
      expectEqual(pruned, 1, 'jobs that ended a moment ago');
      expectEqual((await store.jobs.list({ limit: 9, offset: 0 })).length, 2, 'jobs left');
      expectEqual(await store.jobs.failures('j1', 9), [], 'its failures');
    },
  },
];
