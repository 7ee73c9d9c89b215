import { expect, expectEqual } from '../expect.js';
import {
  claim,
  addToListing,
  longLeaseMs,
  newConnector,
  newJob,
  newTask,
  pollUntil,
  startJob,
  shortLeaseMs,
  waitForTasks,
} from './setup.js';
import type { MetadataStoreCase } from './subject.js';

/** Requirements on jobs paused at the request of their source. */
export const pauseCases: readonly MetadataStoreCase[] = [
  {
    id: 'paused-jobs-wait',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'hands out no tasks of a job until its longest pause ends',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await startJob(store, { id: 'j2', connectorId: 'c2' });
      for (const id of ['j1', 'j2']) await addToListing(store, { tasks: [newTask('a')] }, { id });
      await store.jobs.pause('j1', longLeaseMs);
      await store.jobs.pause('j1', 1);
      await store.jobs.pause('none', 1);
      expect(
        ((await store.jobs.get('j1'))?.pausedUntil ?? 0) > Date.now() + longLeaseMs / 2,
        'the job is not paused',
      );
      expectEqual(await claim(store, { worker: 'w2' }), [], 'tasks of the paused job');
      expectEqual((await claim(store, { id: 'j2' })).length, 1, 'tasks of the other job');
      expectEqual((await store.jobs.get('j2'))?.pausedUntil, null, 'the other job');
    },
  },
  {
    id: 'paused-from-the-start',
    parts: ['sources', 'jobs'],
    title: 'hands out a job that was created with a pause only after the pause',
    run: async ({ open }) => {
      const store = await open();
      for (const id of ['c1', 'c2']) await store.sources.register(newConnector(id));
      await store.jobs.create(newJob('j1', 'c1', { pauseMs: longLeaseMs }));
      const { status, pausedUntil } = (await store.jobs.get('j1')) ?? {};
      expectEqual(status, 'queued', 'the status of the job');
      expect((pausedUntil ?? 0) > Date.now(), 'the job is not paused');
      expectEqual(await store.jobs.claim('w1', longLeaseMs), null, 'the claim during the pause');
      await store.jobs.create(newJob('j2', 'c2', { pauseMs: shortLeaseMs }));
      const claimed = await pollUntil(() => store.jobs.claim('w1', longLeaseMs), 'claiming');
      expectEqual(claimed.id, 'j2', 'the claim after the pause');
    },
  },
  {
    id: 'pauses-end',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'hands out the tasks of a job after its pause',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a')] });
      await store.jobs.pause('j1', shortLeaseMs);
      expectEqual((await waitForTasks(store)).length, 1, 'tasks after the pause');
    },
  },
];
