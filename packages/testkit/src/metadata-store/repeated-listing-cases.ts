import type { JobRecord, ListingDifference, MetadataStore } from '@trove/core/store';

import { expect, expectEqual } from '../expect.js';
import {
  changedTask,
  claim,
  idOf,
  indexPaths,
  newObject,
  startJob,
  writtenResult,
} from './setup.js';
import type { MetadataStoreCase } from './subject.js';

const nothing: ListingDifference = { changed: [], added: [] };
const succeeded = { status: 'succeeded', problem: null } as const;

/** A store may recognize parts of the last listing, but not after a change. */
export const repeatedListingCases: readonly MetadataStoreCase[] = [
  {
    id: 'missing-beside-known-parts',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'counts unchanged objects in repeated listings and deletes missing ones',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a', 'b', 'c']);
      for (const id of ['j1', 'j2', 'j3']) {
        const job = await listAgain(store, id, [['a', 'b'], ['c']]);
        expectEqual([job?.total, job?.unchanged], [3, 3], 'the counts');
        expectEqual(await store.tasks.countOpen(id), 0, 'tasks');
        await store.jobs.finish(id, 'w1', succeeded);
      }
      const job = await listAgain(store, 'j4', [['a', 'b']]);
      expectEqual([job?.total, job?.unchanged], [3, 2], 'the counts without one object');
      const tasks = await claim(store, { id: 'j4' });
      const found = tasks.map(({ path, op }) => `${op} ${path}`);
      expectEqual(found, ['delete c'], 'the tasks');
    },
  },
  {
    id: 'changed-since-listing',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'compares with the writes of tasks since the last listing',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a', 'b']);
      await listAgain(store, 'j1', [['a', 'b']]);
      await store.jobs.finish('j1', 'w1', succeeded);
      await startJob(store, { id: 'j2' });
      await store.listings.addTasks('j2', 'w1', [changedTask('a')]);
      const [task] = await claim(store, { id: 'j2' });
      expect(task !== undefined, 'no task');
      await store.tasks.complete('w1', [writtenResult(task, { revision: 'r2' })]);
      await store.jobs.finish('j2', 'w1', succeeded);
      await startJob(store, { id: 'j3' });
      expectEqual(
        await compareAll(store, 'j3', ['a', 'b']),
        { ...nothing, changed: ['a'] },
        'told',
      );
    },
  },
  {
    id: 'odd-paths-distinct',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'distinguishes paths that differ in a lone surrogate',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['half \ud800']);
      await listAgain(store, 'j1', [['half \ud800']]);
      await store.jobs.finish('j1', 'w1', succeeded);
      await startJob(store, { id: 'j2' });
      const added = ['half \ud801'];
      expectEqual(await compareAll(store, 'j2', added), { ...nothing, added }, 'told');
    },
  },
  {
    id: 'invalidated-since-listing',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'treats an invalidated object as changed, whenever it was listed',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a']);
      await listAgain(store, 'j1', [['a']]);
      await store.jobs.finish('j1', 'w1', succeeded);
      await store.objects.invalidate('c1', [idOf('a')]);
      await startJob(store, { id: 'j2' });
      expectEqual(await compareAll(store, 'j2', ['a']), { ...nothing, changed: ['a'] }, 'told');
      await store.jobs.finish('j2', 'w1', succeeded);
      await indexPaths(store, ['a'], { id: 'j3' });
      await startJob(store, { id: 'j4' });
      expectEqual(await compareAll(store, 'j4', ['a']), nothing, 'the unchanged objects');
      await store.objects.invalidate('c1', [idOf('a')]);
      await store.listings.finish('j4', 'w1', { complete: true });
      await store.jobs.finish('j4', 'w1', succeeded);
      await startJob(store, { id: 'j5' });
      expectEqual(
        await compareAll(store, 'j5', ['a']),
        { ...nothing, changed: ['a'] },
        'told later',
      );
    },
  },
];

/** Runs a full listing of objects as stored. */
async function listAgain(
  store: MetadataStore,
  id: string,
  parts: readonly (readonly string[])[],
): Promise<JobRecord | null> {
  await startJob(store, { id });
  for (const part of parts) expectEqual(await compareAll(store, id, part), nothing, 'what differs');
  await store.listings.finish(id, 'w1', { complete: true });
  return store.jobs.get(id);
}

function compareAll(
  store: MetadataStore,
  id: string,
  paths: readonly string[],
): Promise<ListingDifference | null> {
  const revisions = new Map(paths.map((path) => [path, newObject(path).revision]));
  return store.listings.compare(id, 'w1', revisions);
}
