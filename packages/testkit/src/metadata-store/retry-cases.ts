import type { NewTask } from '@trove/core/store';

import { expectEqual } from '../expect.js';
import { changedTask, claim, indexPaths, addToListing, newTask, startJob } from './setup.js';
import type { MetadataStoreCase } from './subject.js';

/** Failed tasks are repeated by the next sync. */
export const retryCases: readonly MetadataStoreCase[] = [
  {
    id: 'failed-tasks-repeat',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'repeats a failed task at each sync until it succeeds or is replaced',
    run: async ({ open }) => {
      const store = await open();
      const sync = async (id: string, outcome: 'failed' | 'added', tasks: NewTask[] = []) => {
        await startJob(store, { id });
        await addToListing(store, { tasks }, { id });
        await store.listings.finish(id, 'w1', { complete: false });
        const given = await claim(store, { id });
        await store.tasks.complete(
          'w1',
          given.map((task) => ({ taskId: task.id, outcome })),
        );
        await store.jobs.finish(id, 'w1', { status: 'partial', problem: null });
        const { total, failed } = (await store.jobs.get(id)) ?? {};
        expectEqual([total, failed], [given.length, outcome === 'failed' ? given.length : 0], id);
        return given
          .map(
            ({
              id: _id,
              jobId: _job,
              attempt: _attempt,
              deaths: _deaths,
              checkpoint: _checkpoint,
              ...task
            }) => task,
          )
          .sort((left, right) => (left.path < right.path ? -1 : 1));
      };
      const [a, b] = [newTask('a', 'upsert', { priority: 2 }), newTask('b', 'delete')];
      await sync('j1', 'failed', [a, b]);
      expectEqual(await sync('j2', 'failed'), [a, b], 'the tasks of the next sync');
      const other = changedTask('a');
      expectEqual(await sync('j3', 'added', [other]), [other, b], 'when a new task replaces one');
      expectEqual(await sync('j4', 'added'), [], 'after they succeeded');
    },
  },
  {
    id: 'failed-and-gone-dropped',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'repeats only failed tasks of objects in a complete listing',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['met', 'gone']);
      await startJob(store);
      await addToListing(store, { tasks: ['met', 'gone', 'new'].map((path) => changedTask(path)) });
      const failed = await claim(store);
      await store.tasks.complete(
        'w1',
        failed.map(({ id: taskId }) => ({ taskId, outcome: 'failed' as const })),
      );
      await store.jobs.finish('j1', 'w1', { status: 'partial', problem: null });
      await startJob(store, { id: 'j2' });
      await addToListing(store, { unchanged: ['met'] }, { id: 'j2' });
      await store.listings.finish('j2', 'w1', { complete: true });
      const tasks = await claim(store, { id: 'j2' });
      const ops = Object.fromEntries(tasks.map(({ path, op }) => [path, op]));
      expectEqual(ops, { met: 'upsert', gone: 'delete' }, 'the tasks');
      expectEqual((await store.jobs.get('j2'))?.total, 2, 'the total');
    },
  },
];
