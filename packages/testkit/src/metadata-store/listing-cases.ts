import { expect, expectEqual } from '../expect.js';
import {
  changedTask,
  claim,
  countsOf,
  indexPaths,
  addToListing,
  longLeaseMs,
  newObject,
  newTask,
  oddTexts,
  opsOf,
  pathsOf,
  startJob,
  writtenResult,
} from './setup.js';
import type { MetadataStoreCase } from './subject.js';

const second = { id: 'j1', worker: 'w2' };

export const listingCases: readonly MetadataStoreCase[] = [
  {
    id: 'compare-listing',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'compares a listing by path and returns changed and new objects',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['same', 'other', 'unknown', ...oddTexts]);
      await indexPaths(store, ['elsewhere'], { id: 'j9', connectorId: 'c2' });
      await startJob(store);
      await addToListing(store, { tasks: [newTask('none')] });
      const [task] = await claim(store);
      expect(task !== undefined, 'no task');
      await store.tasks.complete('w1', [writtenResult(task, { revision: null })]);
      const { revision } = newObject('same');
      const given = new Map<string, string | null>([
        ['same', revision],
        ['other', 'another'],
        ['unknown', null],
        ['none', null],
        ['elsewhere', revision],
        ['__proto__', null],
        ...oddTexts.map((path) => [path, revision] as const),
      ]);
      const found = await store.listings.compare('j1', 'w1', given);
      expectEqual([...(found?.changed ?? [])].sort(), ['none', 'other', 'unknown'], 'changed');
      expectEqual([...(found?.added ?? [])].sort(), ['__proto__', 'elsewhere'], 'new');
      expectEqual((await store.jobs.get('j1'))?.unchanged, 1 + oddTexts.length, 'unchanged');
      const odd = new Map(oddTexts.map((text) => [`new ${text}`, text]));
      const news = await store.listings.compare('j1', 'w1', odd);
      expectEqual([...(news?.added ?? [])].sort(), [...odd.keys()].sort(), 'odd new paths');
      const nothing = await store.listings.compare('j1', 'w1', new Map());
      expectEqual(nothing, { changed: [], added: [] }, 'nothing compared');
    },
  },
  {
    id: 'listing-counts',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'counts all listed objects, and unchanged ones as skipped',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a', 'b', 'c']);
      await startJob(store);
      expectEqual(
        await addToListing(store, { unchanged: ['a', 'b'], tasks: [changedTask('c')] }),
        true,
        '1',
      );
      expectEqual(await addToListing(store, { tasks: [newTask('d'), newTask('e')] }), true, '2');
      expectEqual(await countsOf(store), { total: 5, skipped: 2, open: 3 }, 'the counts');
    },
  },
  {
    id: 'one-task-per-object',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'counts an object once and keeps one task when it is listed twice',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a']);
      await startJob(store);
      await addToListing(store, { unchanged: ['a'], tasks: [newTask('b'), newTask('b')] });
      await addToListing(store, { unchanged: ['a'], tasks: [newTask('b')] });
      const tasks = await claim(store);
      await store.tasks.complete(
        'w1',
        tasks.map((task) => writtenResult(task)),
      );
      await addToListing(store, { unchanged: ['b'], tasks: [newTask('b')] });
      await store.listings.finish('j1', 'w1', { complete: false });
      expectEqual(await countsOf(store), { total: 2, skipped: 1, open: 0 }, 'the counts');
      expectEqual(tasks.length, 1, 'tasks');
    },
  },
  {
    id: 'last-listing-wins',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'replaces the open task of an object that is listed differently',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a']);
      await startJob(store);
      await addToListing(store, { unchanged: ['a'], tasks: [newTask('b')] });
      await addToListing(store, { tasks: [newTask('a', 'delete'), changedTask('b')] });
      await store.listings.finish('j1', 'w1', { complete: false });
      expectEqual(await countsOf(store), { total: 2, skipped: 0, open: 2 }, 'the counts');
      const tasks = await claim(store);
      expectEqual(
        Object.fromEntries(tasks.map(({ path, op, entry }) => [path, [op, entry?.fingerprint]])),
        { a: ['delete', undefined], b: ['upsert', 'second'] },
        'the tasks',
      );
    },
  },
  {
    id: 'finished-task-repeats',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'repeats a finished task of an object that is listed differently',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a'), newTask('b')] });
      const [a, b] = await claim(store);
      expect(a !== undefined && b !== undefined, 'two tasks were expected');
      const failure = { code: 'internal_error', error: 'broken' };
      await store.tasks.complete('w1', [
        writtenResult(a),
        { taskId: b.id, outcome: 'failed', failure },
      ]);
      await addToListing(store, { tasks: [newTask('a', 'delete'), changedTask('b')] });
      const job = await store.jobs.get('j1');
      expectEqual([job?.total, job?.added, job?.failed], [2, 0, 0], 'total, succeeded and failed');
      expectEqual(await store.jobs.failures('j1', 9), [], 'failures');
      await store.listings.finish('j1', 'w1', { complete: false });
      const again = await claim(store);
      expectEqual(
        Object.fromEntries(again.map(({ op, attempt }) => [op, attempt])),
        { delete: 0, upsert: 0 },
        'the tasks',
      );
    },
  },
  {
    id: 'replaced-task-is-lost',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'rejects the completion of a task that was replaced',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a')] });
      const [task] = await claim(store, { worker: 'w2' });
      expect(task !== undefined, 'no task');
      await addToListing(store, { tasks: [newTask('a', 'delete')] });
      expectEqual(
        await store.tasks.complete('w2', [writtenResult(task)]),
        [],
        'completing the old task',
      );
      await store.listings.finish('j1', 'w1', { complete: false });
      expectEqual(
        (await claim(store)).map(({ op }) => op),
        ['delete'],
        'the new task',
      );
    },
  },
  {
    id: 'replaced-task-has-another-id',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'rejects the result of a replaced task, even of the same worker',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a')] });
      const [first] = await claim(store);
      expect(first !== undefined, 'no task');
      await addToListing(store, { tasks: [newTask('a', 'delete')] });
      await store.listings.finish('j1', 'w1', { complete: false });
      const [next] = await claim(store);
      expect(next?.op === 'delete', 'no other task');
      expectEqual(
        await store.tasks.complete('w1', [writtenResult(first)]),
        [],
        'completing the first task',
      );
      expectEqual(await store.tasks.countOpen('j1'), 1, 'open tasks');
      expectEqual(await pathsOf(store), [], 'objects');
    },
  },
  {
    id: 'there-again',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'treats an unchanged object with a delete task as changed',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a', 'b']);
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a', 'delete'), changedTask('b')] });
      const { revision } = newObject('a');
      const given = new Map(['a', 'b'].map((path) => [path, revision]));
      const found = await store.listings.compare('j1', 'w1', given);
      expectEqual(found, { changed: ['a'], added: [] }, 'the difference');
    },
  },
  {
    id: 'listing-restarts',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'leases'],
    title: 'restarts the count of a repeated listing and keeps finished tasks',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a', 'b', 'c']);
      await startJob(store);
      await addToListing(store, { unchanged: ['a', 'b'], tasks: [changedTask('c'), newTask('d')] });
      const [done] = await claim(store, { limit: 1 });
      expect(done !== undefined, 'no task');
      await store.tasks.complete('w1', [writtenResult(done)]);
      await store.leases.release('w1');
      const job = await store.jobs.claim('w2', longLeaseMs);
      expectEqual([job?.total, job?.unchanged], [2, 0], 'total and skipped at first');
      await addToListing(store, { unchanged: ['a', 'b', 'c'], tasks: [newTask('d')] }, second);
      await store.listings.finish('j1', 'w2', { complete: false });
      expectEqual(await countsOf(store), { total: 4, skipped: 2, open: 1 }, 'the counts');
      expectEqual((await store.jobs.get('j1'))?.added, 1, 'earlier results');
    },
  },
  {
    id: 'listing-continues',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'leases'],
    title: 'Keeps what was listed before a checkpoint, and nothing after it.',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a', 'b', 'c']);
      await startJob(store);
      expectEqual((await store.jobs.get('j1'))?.checkpoint, null, 'the checkpoint at first');
      await addToListing(store, { unchanged: ['a'] });
      const checkpoint = { token: 'page \ud800 1', pages: [1] };
      expectEqual(await store.listings.checkpoint('j1', 'w1', checkpoint), true, 'held');
      expectEqual(await store.listings.checkpoint('j1', 'w2', 'other'), false, 'not held');
      await addToListing(store, { unchanged: ['b'] });
      await store.leases.release('w1');
      const job = await store.jobs.claim('w2', longLeaseMs);
      expectEqual(job?.checkpoint, checkpoint, 'the checkpoint');
      await addToListing(store, { unchanged: ['c'] }, second);
      await store.listings.finish('j1', 'w2', { complete: true });
      expectEqual(await opsOf(store), { b: 'delete' }, 'the tasks');
      expectEqual(await countsOf(store), { total: 3, skipped: 2, open: 1 }, 'the counts');
      expectEqual((await store.jobs.get('j1'))?.checkpoint, null, 'the checkpoint at the end');
    },
  },
  {
    id: 'listing-stays-complete',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'leases'],
    title: 'keeps the counts of a listed job that is claimed again',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a', 'b']);
      await startJob(store);
      await addToListing(store, { unchanged: ['a'], tasks: [changedTask('b')] });
      await store.listings.finish('j1', 'w1', { complete: true });
      await store.leases.release('w1');
      const job = await store.jobs.claim('w2', longLeaseMs);
      expectEqual(job?.listed, true, 'listed');
      expectEqual([job?.total, job?.unchanged], [2, 1], 'total and skipped');
    },
  },
  {
    id: 'complete-listing-deletes',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'adds one delete task per object missing in a complete listing',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a', 'b', 'c', 'd']);
      await indexPaths(store, ['other'], { id: 'j9', connectorId: 'c2' });
      await startJob(store);
      await addToListing(store, { unchanged: ['a', 'b'] });
      await addToListing(store, { unchanged: ['a'], tasks: [changedTask('b')] });
      await store.listings.finish('j1', 'w1', { complete: true });
      expectEqual(
        await store.listings.finish('j1', 'w1', { complete: true }),
        true,
        'ending it again',
      );
      expectEqual((await store.jobs.get('j1'))?.listed, true, 'listed');
      expectEqual(await countsOf(store), { total: 4, skipped: 1, open: 3 }, 'the counts');
      expectEqual(await opsOf(store), { b: 'upsert', c: 'delete', d: 'delete' }, 'the tasks');
    },
  },
  {
    id: 'incomplete-listing-deletes-nothing',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'deletes nothing after an incomplete listing',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a', 'b']);
      await startJob(store);
      await addToListing(store, { tasks: [changedTask('b')] });
      await store.listings.finish('j1', 'w1', { complete: false });
      expectEqual(await opsOf(store), { b: 'upsert' }, 'the tasks');
      expectEqual(await pathsOf(store), ['a', 'b'], 'the objects');
    },
  },
  {
    id: 'interrupted-listing-ignored',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'leases'],
    title: 'deletes an object that only an interrupted listing contained',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a', 'b']);
      await startJob(store);
      await addToListing(store, { unchanged: ['a', 'b'] });
      await store.leases.release('w1');
      await store.jobs.claim('w2', longLeaseMs);
      await addToListing(store, { unchanged: ['a'] }, second);
      await store.listings.finish('j1', 'w2', { complete: true });
      expectEqual(await opsOf(store), { b: 'delete' }, 'the tasks');
    },
  },
  {
    id: 'left-out-is-counted',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'counts unchanged objects that are not indexed as left out',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a', 'b', 'c']);
      await startJob(store, { id: 'j2' });
      await addToListing(store, { tasks: [changedTask('b'), changedTask('c')] }, { id: 'j2' });
      for (const task of await claim(store, { id: 'j2' })) {
        const put = [newObject(task.path, { searchStatus: 'not_indexed', chunks: 0 })];
        await store.tasks.complete('w1', [{ taskId: task.id, outcome: 'left_out', put }]);
      }
      await store.jobs.finish('j2', 'w1', { status: 'succeeded', problem: null });
      for (const complete of [true, false]) {
        const id = `j-${complete}`;
        await startJob(store, { id });
        await addToListing(store, { unchanged: ['a', 'b', 'c'] }, { id });
        const counts = async () => {
          const job = await store.jobs.get(id);
          return [job?.total, job?.unchanged, job?.leftOut];
        };
        expectEqual(await counts(), [3, 1, 2], 'total, unchanged and left out, during the listing');
        await store.listings.finish(id, 'w1', { complete });
        expectEqual(await counts(), [3, 1, 2], 'the same counts afterwards');
        await store.jobs.finish(id, 'w1', { status: 'succeeded', problem: null });
      }
    },
  },
  {
    id: 'listing-problem',
    parts: ['sources', 'jobs', 'listings', 'leases'],
    title: 'keeps the reason for an incomplete listing for the next worker',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      const problem = { code: 'listing_incomplete', detail: 'The folder `é` could not be listed.' };
      await store.listings.finish('j1', 'w1', { complete: false, problem });
      await store.leases.release('w1');
      expectEqual(
        (await store.jobs.claim('w2', 60_000))?.problem,
        problem,
        'the claim of another worker',
      );
      await store.jobs.finish('j1', 'w2', { status: 'partial', problem });
      expectEqual((await store.jobs.get('j1'))?.problem, problem, 'the problem of the job');
      const connector = await store.sources.get('c1');
      expectEqual(
        [connector?.status, connector?.problem],
        ['active', null],
        'the problem of its source',
      );
    },
  },
  {
    id: 'listing-warnings',
    parts: ['sources', 'jobs', 'listings'],
    title: 'keeps the warnings of a listing with its job',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      const warnings = ['The rule `é*` matched nothing.', ...oddTexts];
      await store.listings.finish('j1', 'w1', { complete: true, warnings });
      expectEqual((await store.jobs.get('j1'))?.warnings, warnings, 'the warnings');
    },
  },
];
