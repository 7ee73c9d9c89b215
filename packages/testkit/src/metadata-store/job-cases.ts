import { isTroveError } from '@trove/core';

import { expect, expectEqual, expectError } from '../expect.js';
import {
  claim,
  indexPaths,
  listed,
  LONG_MS,
  newConnector,
  newJob,
  newTask,
  queueJob,
  startJob,
  until,
  written,
} from './setup.js';
import type { MetadataStoreCase } from './subject.js';

/** What a job has before anybody worked on it. */
const untouched = {
  totalObjects: 0,
  succeededObjects: 0,
  failedObjects: 0,
  cancelledObjects: 0,
  skippedObjects: 0,
  chunks: 0,
  startedAt: null,
  finishedAt: null,
  listed: false,
  cancelRequested: false,
  attempt: 0,
};

export const jobCases: readonly MetadataStoreCase[] = [
  {
    id: 'create-job',
    title: 'A new job is queued with what was given, and its connector is syncing.',
    run: async ({ open }) => {
      const store = await open();
      await store.registerConnector(newConnector());
      const given = newJob('j1', 'c1', { trigger: 'api', full: true, since: '2026-01-01' });
      const job = await store.createJob(given);
      const { createdAt, ...rest } = job;
      expect(createdAt > 1e12, 'createdAt is not in milliseconds since 1970');
      expectEqual(
        rest,
        {
          ...given,
          target: 'file://local/c1',
          status: 'queued',
          error: null,
          ...untouched,
        },
        'the new job',
      );
      expectEqual(await store.job('j1'), job, 'the job, read again');
      expectEqual((await store.connector('c1'))?.status, 'syncing', 'the connector');
    },
  },
  {
    id: 'one-live-job',
    title:
      'Of four simultaneous jobs of a connector one is made; the others are sync_already_running.',
    run: async ({ open }) => {
      const stores = await Promise.all([open(), open(), open(), open()]);
      const [store] = stores;
      expect(store !== undefined, 'no store');
      await store.registerConnector(newConnector());
      const made = await Promise.allSettled(
        stores.map((each, index) => each.createJob(newJob(`j${index}`))),
      );
      const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      expectEqual(refused.length, 3, 'jobs refused');
      const codes = refused.map((error: unknown) => isTroveError(error) && error.code);
      expectEqual(new Set(codes), new Set(['sync_already_running']), 'how they were refused');
      expectEqual((await store.jobs({ limit: 9, offset: 0 })).length, 1, 'jobs made');
      await store.claimJob('w1', LONG_MS);
      await expectError(store.createJob(newJob('j9')), 'sync_already_running', 'while it runs');
    },
  },
  {
    id: 'jobs-newest-first',
    title: 'Jobs are listed newest first, page by page, by status and by target.',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, [], { id: 'j1' });
      await indexPaths(store, [], { id: 'j2', connectorId: 'c2' });
      await indexPaths(store, [], { id: 'j3' });
      await queueJob(store, 'j4');
      const ids = async (filter: { status?: string; target?: string }, limit = 9, offset = 0) =>
        (await store.jobs({ ...filter, limit, offset })).map(({ id }) => id);
      expectEqual(await ids({}), ['j4', 'j3', 'j2', 'j1'], 'all');
      expectEqual(await ids({}, 2, 1), ['j3', 'j2'], 'a page');
      expectEqual(await ids({ status: 'succeeded' }, 2), ['j3', 'j2'], 'those that succeeded');
      const target = 'file://local/c1';
      expectEqual(await ids({ target }), ['j4', 'j3', 'j1'], 'those of one source');
      expectEqual(await ids({ target, status: 'queued' }), ['j4'], 'both');
      expectEqual(await ids({ status: 'unheard-of' }), [], 'an unknown status');
    },
  },
  {
    id: 'job-counts',
    title: 'Jobs are counted by status, of all connectors or of one.',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, [], { id: 'j1' });
      await indexPaths(store, [], { id: 'j2', connectorId: 'c2' });
      await queueJob(store, 'j3');
      expectEqual(await store.jobCounts(), { succeeded: 2, queued: 1 }, 'of all');
      expectEqual(await store.jobCounts('c2'), { succeeded: 1 }, 'of one');
    },
  },
  {
    id: 'finish-job',
    title: 'A job that ends cancels and counts what is open, and frees its connector.',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await listed(store, { tasks: ['a', 'b', 'c'].map((path) => newTask(path)) });
      const [task] = await claim(store, { limit: 1 });
      expect(task !== undefined, 'no task');
      await store.completeTasks('w1', [written(task)]);
      await claim(store, { limit: 1 });
      const end = { status: 'cancelled', error: 'cancelled' } as const;
      expectEqual(await store.finishJob('j1', 'w1', end), true, 'ending it');
      const job = await store.job('j1');
      expectEqual([job?.status, job?.error], ['cancelled', 'cancelled'], 'status and error');
      expectEqual([job?.succeededObjects, job?.cancelledObjects], [1, 2], 'done and cancelled');
      expect(typeof job?.finishedAt === 'number', 'finishedAt is missing');
      expectEqual(await store.openTasks('j1'), 0, 'open tasks');
      expectEqual(await store.runningJobs(), [], 'running jobs');
      expectEqual((await store.connector('c1'))?.status, 'active', 'the connector');
      expectEqual(await store.finishJob('j1', 'w1', end), false, 'ending it again');
    },
  },
  {
    id: 'failed-is-error',
    title: 'After a job that failed its connector is in error, until the next one.',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      const error = 'connector_unhealthy';
      await store.finishJob('j1', 'w1', { status: 'failed', error });
      expectEqual((await store.connector('c1'))?.status, 'error', 'after the failure');
      expectEqual((await store.job('j1'))?.error, error, 'the error of the job');
      await startJob(store, { id: 'j2' });
      await store.finishJob('j2', 'w1', { status: 'partial', error: null });
      expectEqual((await store.connector('c1'))?.status, 'active', 'after the next one');
    },
  },
  {
    id: 'state-only-after-success',
    title: 'A connector keeps the state of jobs that succeeded, and of no others.',
    run: async ({ open }) => {
      const store = await open();
      const end = async (id: string, outcome: Parameters<typeof store.finishJob>[2]) => {
        await startJob(store, { id });
        await store.finishJob(id, 'w1', outcome);
        return (await store.connector('c1'))?.state;
      };
      const first = { cursor: ['é', 1, null] };
      expectEqual(await end('j1', { status: 'succeeded', error: null, state: first }), first, '1');
      for (const status of ['partial', 'failed', 'cancelled'] as const) {
        expectEqual(await end(status, { status, error: null, state: 'other' }), first, status);
      }
      expectEqual(await end('j5', { status: 'succeeded', error: null }), first, 'without state');
      expectEqual(await end('j6', { status: 'succeeded', error: null, state: null }), null, 'null');
    },
  },
  {
    id: 'last-synced',
    title: 'A connector knows when its last sync succeeded, wholly or in part.',
    run: async ({ open }) => {
      const store = await open();
      const end = async (id: string, status: 'succeeded' | 'partial' | 'failed' | 'cancelled') => {
        await startJob(store, { id });
        await store.finishJob(id, 'w1', { status, error: null });
        return (await store.connector('c1'))?.lastSyncedAt;
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
    title: 'Cancelling a queued job ends it and frees its connector.',
    run: async ({ open }) => {
      const store = await open();
      await queueJob(store);
      expectEqual((await store.cancelJob('j1'))?.status, 'cancelled', 'the answer');
      const job = await store.job('j1');
      expectEqual(job?.status, 'cancelled', 'the status');
      expect(typeof job?.finishedAt === 'number', 'finishedAt is missing');
      expectEqual((await store.connector('c1'))?.status, 'active', 'the connector');
      expectEqual(await store.claimJob('w1', LONG_MS), null, 'claiming it');
      await store.createJob(newJob('j2'));
    },
  },
  {
    id: 'cancel-running',
    title: 'Cancelling a running job asks it to stop; it ends when its worker says so.',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      const asked = await store.cancelJob('j1');
      expectEqual([asked?.status, asked?.cancelRequested], ['running', true], 'the answer');
      expectEqual((await store.job('j1'))?.cancelRequested, true, 'the job');
      const end = { status: 'cancelled', error: 'cancelled' } as const;
      expectEqual(await store.finishJob('j1', 'w1', end), true, 'ending it');
    },
  },
  {
    id: 'cancel-stops-claims',
    title: 'A job that was asked to stop gives out no more tasks.',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await listed(store, { tasks: [newTask('a'), newTask('b')] });
      const [task] = await claim(store, { limit: 1 });
      await store.cancelJob('j1');
      expectEqual(await claim(store), [], 'claiming after the request');
      expect(task !== undefined, 'no task');
      expectEqual(await store.completeTasks('w1', [written(task)]), [task.id], 'the one begun');
    },
  },
  {
    id: 'cancel-finished',
    title: 'Cancelling a job that has ended changes nothing.',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a'], { id: 'j1' });
      const before = await store.job('j1');
      expectEqual(await store.cancelJob('j1'), before, 'the answer');
      expectEqual(await store.job('j1'), before, 'the job');
    },
  },
  {
    id: 'prune-jobs',
    title: 'Jobs that ended longer ago than asked are deleted with their failures, and no others.',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await listed(store, { tasks: [newTask('a')] });
      const [task] = await claim(store);
      expect(task !== undefined, 'no task');
      const failure = { code: 'internal_error', error: 'broken' };
      await store.completeTasks('w1', [{ taskId: task.id, outcome: 'failed', failure }]);
      await store.finishJob('j1', 'w1', { status: 'partial', error: null });
      await queueJob(store, 'j2');
      await queueJob(store, 'j3', 'c2');
      await store.claimJob('w1', LONG_MS);
      expectEqual(await store.pruneJobs(LONG_MS), 0, 'jobs that ended long ago');
      const pruned = await until(async () => (await store.pruneJobs(1)) || null, 'pruning');
      expectEqual(pruned, 1, 'jobs that ended a moment ago');
      expectEqual((await store.jobs({ limit: 9, offset: 0 })).length, 2, 'jobs left');
      expectEqual(await store.failures('j1', 9), [], 'its failures');
    },
  },
];
