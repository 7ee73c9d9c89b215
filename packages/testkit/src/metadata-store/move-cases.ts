import { expect, expectEqual } from '../expect.js';
import {
  changedTask,
  claim,
  countsOf,
  indexPaths,
  addToListing,
  newMove,
  newTask,
  opsOf,
  pathsOf,
  startJob,
  writtenResult,
} from './setup.js';
import type { MetadataStoreCase } from './subject.js';

/** Requirements on objects that a listing found at another path. */
export const moveCases: readonly MetadataStoreCase[] = [
  {
    id: 'moves-wait',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'hands out moves and deletions only after the listing',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['old', 'gone']);
      await startJob(store);
      await addToListing(store, { tasks: [newMove('new', 'old'), newTask('gone', 'delete')] });
      expectEqual(await claim(store), [], 'tasks during the listing');
      await store.listings.finish('j1', 'w1', { complete: false });
      expectEqual(await opsOf(store), { new: 'move', gone: 'delete' }, 'the tasks after it');
    },
  },
  {
    id: 'moved-and-removed',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'drops the deletion of an object that a move takes over',
    run: async ({ open }) => {
      for (const order of ['before', 'after']) {
        const store = await open();
        const id = `j-${order}`;
        const [from, to] = [`old-${order}`, `new-${order}`];
        await indexPaths(store, [from, 'gone'], { id: `j0-${order}` });
        await startJob(store, { id });
        const deletions = [newTask(from, 'delete'), newTask('gone', 'delete')];
        const parts = [[newMove(to, from)], deletions];
        if (order === 'before') parts.reverse();
        for (const tasks of parts) await addToListing(store, { tasks }, { id });
        await store.listings.finish(id, 'w1', { complete: false });
        const { total } = (await store.jobs.get(id)) ?? {};
        expectEqual([total, await store.tasks.countOpen(id)], [2, 2], `the counts, ${order}`);
        const tasks = await claim(store, { id });
        const ops = Object.fromEntries(tasks.map(({ path, op }) => [path, op]));
        expectEqual(ops, { [to]: 'move', gone: 'delete' }, `the tasks, removed ${order} the move`);
        await store.jobs.finish(id, 'w1', { status: 'succeeded', problem: null });
      }
    },
  },
  {
    id: 'moved-is-not-deleted',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'keeps an object that a move takes over although it was not listed',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['old', 'gone']);
      await startJob(store);
      await addToListing(store, { tasks: [newMove('new', 'old')] });
      await store.listings.finish('j1', 'w1', { complete: true });
      expectEqual(await countsOf(store), { total: 2, skipped: 0, open: 2 }, 'the counts');
      const tasks = await claim(store);
      const ops = Object.fromEntries(tasks.map(({ path, op }) => [path, op]));
      expectEqual(ops, { gone: 'delete', new: 'move' }, 'the tasks');
      const move = tasks.find(({ op }) => op === 'move');
      expect(move !== undefined, 'no move');
      const removed = move.fromObjectId === null ? [] : [move.fromObjectId];
      await store.tasks.complete('w1', [{ ...writtenResult(move), removed }]);
      expectEqual(await pathsOf(store), ['gone', 'new'], 'the objects');
    },
  },
  {
    id: 'copy-is-not-a-move',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'turns a move from a listed object into an upsert',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['same', 'changed']);
      await startJob(store);
      await addToListing(store, {
        tasks: [newMove('copy-1', 'same'), newMove('copy-2', 'changed')],
      });
      await addToListing(store, { unchanged: ['same'], tasks: [changedTask('changed')] });
      await store.listings.finish('j1', 'w1', { complete: true });
      const tasks = await claim(store);
      const found = tasks.map(({ path, op, fromObjectId }) => [path, [op, fromObjectId]]);
      expectEqual(
        Object.fromEntries(found),
        { changed: ['upsert', null], 'copy-1': ['upsert', null], 'copy-2': ['upsert', null] },
        'the tasks',
      );
    },
  },
  {
    id: 'moves-once',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'lets only the first of several moves take an object over',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['old']);
      await startJob(store);
      await addToListing(store, { tasks: [newMove('first', 'old'), newMove('second', 'old')] });
      await store.listings.finish('j1', 'w1', { complete: true });
      expectEqual(await opsOf(store), { first: 'move', second: 'upsert' }, 'the tasks');
    },
  },
];
