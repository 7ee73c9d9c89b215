import type { NewJob } from '@trove/core/store';

import { expect, expectEqual, expectError } from '../expect.js';
import {
  indexPaths,
  longLeaseMs,
  newConnector,
  newJob,
  newObject,
  queueJob,
  startJob,
  claim,
  addToListing,
  newTask,
  pathsOf,
} from './setup.js';
import type { MetadataStoreCase } from './subject.js';

export const connectorCases: readonly MetadataStoreCase[] = [
  {
    id: 'register-keeps-everything',
    parts: ['sources'],
    title: 'returns a registered connector as given, active and without state',
    run: async ({ open }) => {
      const store = await open();
      const config = { token: 'env:TOKEN', nested: { list: [1, null, 'é'] } };
      const before = Date.now() - longLeaseMs;
      const made = await store.sources.register(newConnector('c1', { config }));
      const { registeredAt, ...rest } = made;
      expectEqual(
        rest,
        {
          ...newConnector('c1', { config }),
          tree: null,
          status: 'active',
          state: null,
          lastSyncedAt: null,
          isComplete: false,
          problem: null,
          failures: 0,
          failingSince: null,
          lastError: null,
          nextSyncAt: null,
          movedFrom: [],
        },
        'the new connector',
      );
      expect(registeredAt > before, 'registeredAt is not in milliseconds since 1970');
      expectEqual(await store.sources.get('c1'), made, 'the connector, read again');
    },
  },
  {
    id: 'register-twice',
    parts: ['sources'],
    title: 'returns the existing connector when a root URI is registered again',
    run: async ({ open }) => {
      const store = await open();
      const first = await store.sources.register(newConnector('c1', { config: { a: 1 } }));
      const again = newConnector('c2', { rootUri: first.rootUri, config: { a: 2 } });
      expectEqual(await store.sources.register(again), first, 'the second registration');
      expectEqual(await store.sources.list(), [first], 'all connectors');
    },
  },
  {
    id: 'register-at-once',
    parts: ['sources'],
    title: 'returns the same connector to concurrent registrations of a root URI',
    run: async ({ open }) => {
      const stores = await Promise.all([open(), open(), open(), open()]);
      const records = await Promise.all(
        stores.map((store, index) =>
          store.sources.register(newConnector(`c${index}`, { rootUri: 'file://local/same' })),
        ),
      );
      expectEqual(new Set(records.map(({ id }) => id)).size, 1, 'different connectors');
    },
  },
  {
    id: 'connectors-in-order',
    parts: ['sources'],
    title: 'lists connectors by root URI',
    run: async ({ open }) => {
      const store = await open();
      for (const id of ['b', 'a', 'B', 'c']) await store.sources.register(newConnector(id));
      const ids = (await store.sources.list()).map(({ id }) => id);
      expectEqual(ids, ['B', 'a', 'b', 'c'], 'the order of connectors');
    },
  },
  {
    id: 'connectors-by-id',
    parts: ['sources'],
    title: 'lists the connectors with the given ids',
    run: async ({ open }) => {
      const store = await open();
      for (const id of ['a', 'b', 'c']) await store.sources.register(newConnector(id));
      const found = await store.sources.list(['c', 'none', 'a']);
      expectEqual(
        found.map(({ id }) => id),
        ['a', 'c'],
        'the connectors with these ids',
      );
      expectEqual(await store.sources.list([]), [], 'no ids');
    },
  },
  {
    id: 'config-replaced',
    parts: ['sources', 'jobs'],
    title: 'replaces the configuration by that of an accepted job',
    run: async ({ open }) => {
      const store = await open();
      await store.sources.register(newConnector('c1', { config: { a: 1, b: 2 } }));
      await store.jobs.create(newJob('j1', 'c1', { config: { b: 3 } }));
      expectEqual((await store.sources.get('c1'))?.config, { b: 3 }, 'the new configuration');
      const refused = store.jobs.create(newJob('j2', 'c1', { config: { c: 4 } }));
      await expectError(refused, 'sync_already_running', 'a job beside a live one');
      expectEqual((await store.sources.get('c1'))?.config, { b: 3 }, 'after a rejected job');
      for (const id of ['c2', 'c3']) {
        await store.sources.register(newConnector(id, { config: { a: 1 } }));
      }
      await store.jobs.create(newJob('j3', 'c2'));
      expectEqual((await store.sources.get('c2'))?.config, { a: 1 }, 'after a job without one');
      await store.jobs.create(newJob('j4', 'c3', { config: null }));
      expectEqual((await store.sources.get('c3'))?.config, null, 'no configuration');
    },
  },
  {
    id: 'tree-replaced',
    parts: ['sources', 'jobs'],
    title: 'replaces the stored tree with the tree of a job that is based on it',
    run: async ({ open }) => {
      const store = await open();
      const current = async (id: string) => (await store.sources.get(id))?.tree;
      expectEqual((await store.sources.register(newConnector('c1'))).tree, null, 'no tree');
      await store.jobs.create(newJob('j1', 'c1', { tree: { from: null, to: 't1' } }));
      expectEqual(await current('c1'), 't1', 'the first tree');
      const refused = store.jobs.create(newJob('j2', 'c1', { tree: { from: 't1', to: 't2' } }));
      await expectError(refused, 'sync_already_running', 'a job beside a live one');
      expectEqual(await current('c1'), 't1', 'after a rejected job');
      await store.sources.register(newConnector('c3', { tree: 't4' }));
      await store.jobs.create(newJob('j3', 'c3'));
      expectEqual(await current('c3'), 't4', 'after a job without a tree');
      await store.sources.register(newConnector('c2', { tree: 't3' }));
      expectEqual(await current('c2'), 't3', 'a tree given at registration');
      await store.jobs.create(newJob('j4', 'c2', { tree: { from: null, to: 't3' } }));
      expectEqual(await current('c2'), 't3', 'the same tree again');
    },
  },
  {
    id: 'tree-base-mismatch',
    parts: ['sources', 'jobs'],
    title: 'rejects a job whose tree is based on another than the current one',
    run: async ({ open }) => {
      const store = await open();
      await store.sources.register(newConnector('c1', { tree: 't2' }));
      for (const from of ['t1', null]) {
        const late = store.jobs.create(newJob('j1', 'c1', { tree: { from, to: 't3' } }));
        await expectError(late, 'sync_already_running', 'a tree based on another');
      }
      expectEqual((await store.sources.get('c1'))?.tree, 't2', 'the tree');
      expectEqual(await store.jobs.get('j1'), null, 'the rejected job');
    },
  },
  {
    id: 'config-forgets-cursor',
    parts: ['sources', 'jobs', 'listings'],
    title: 'resets the cursor for a new configuration, and keeps it without one',
    run: async ({ open }) => {
      const store = await open();
      await store.sources.register(newConnector('c1'));
      const syncTo = async (job: NewJob, state?: unknown): Promise<unknown> => {
        await store.jobs.create(job);
        const before = (await store.sources.get('c1'))?.state;
        await store.jobs.claim('w1', 1000);
        await store.listings.finish(job.id, 'w1', { complete: true, state });
        await store.jobs.finish(job.id, 'w1', { status: 'succeeded', problem: null });
        return before;
      };
      await syncTo(newJob('j1', 'c1'), { at: 1 });
      expectEqual(await syncTo(newJob('j2', 'c1')), { at: 1 }, 'with the same configuration');
      expectEqual(await syncTo(newJob('j3', 'c1', { config: { a: 1 } })), null, 'with a new one');
    },
  },
  {
    id: 'unknown-ids',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'leases', 'objects'],
    title: 'returns null, empty or false for missing connectors and jobs',
    run: async ({ open }) => {
      const store = await open();
      expectEqual(await store.sources.get('none'), null, 'sources.get');
      expectEqual(await store.jobs.get('none'), null, 'jobs.get');
      expectEqual(await store.jobs.cancel('none'), null, 'jobs.cancel');
      expectEqual(await store.sources.beginRemoval('none'), false, 'sources.beginRemoval');
      expectEqual(
        await store.listings.finish('none', 'w1', { complete: true }),
        false,
        'listings.finish',
      );
      expectEqual(await store.objects.findByPath('none', ['a']), [], 'objects.findByPath');
      expectEqual(await store.tasks.claim('none', 'w1', [1], longLeaseMs), [], 'tasks.claim');
      expectEqual(
        await store.tasks.complete('w1', [{ taskId: 4711, outcome: 'added' }]),
        [],
        'tasks.complete',
      );
      expectEqual(await store.tasks.countOpen('none'), 0, 'tasks.countOpen');
      expectEqual(await store.jobs.failures('none', 10), [], 'jobs.failures');
      await store.sources.delete('none');
      await store.leases.release('nobody');
      await expectError(store.jobs.create(newJob('j1', 'none')), 'not_found', 'jobs.create');
    },
  },
  {
    id: 'stats',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'counts objects and chunks of each connector, even without objects',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: ['a', 'b', 'c'].map((path) => newTask(path)) });
      const [a, b, c] = await claim(store);
      expect(a !== undefined && b !== undefined && c !== undefined, 'three tasks were expected');
      await store.tasks.complete('w1', [
        { taskId: a.id, outcome: 'added', put: [newObject('a', { chunks: 5 })] },
        { taskId: b.id, outcome: 'added', put: [newObject('b', { chunks: 7 })] },
        {
          taskId: c.id,
          outcome: 'unchanged',
          put: [newObject('c', { chunks: 0, searchStatus: 'not_indexed' })],
        },
      ]);
      await store.sources.register(newConnector('c2'));
      const stats = await store.sources.stats();
      stats.sort((left, right) => (left.connectorId < right.connectorId ? -1 : 1));
      expectEqual(
        stats,
        [
          {
            connectorId: 'c1',
            objects: 3,
            chunks: 12,
            summaries: 0,
            bySearchStatus: { indexed: 2, not_indexed: 1 },
          },
          { connectorId: 'c2', objects: 0, chunks: 0, summaries: 0, bySearchStatus: {} },
        ],
        'the statistics',
      );
      expectEqual(await store.sources.stats('c2'), stats.slice(1), 'the counts of one connector');
    },
  },
  {
    id: 'removal-begins-once',
    parts: ['sources'],
    title: 'lets one of several concurrent removals of a connector begin',
    run: async ({ open }) => {
      const stores = await Promise.all([open(), open()]);
      const [store] = stores;
      expect(store !== undefined, 'no store');
      await store.sources.register(newConnector());
      const begun = await Promise.all(stores.map((each) => each.sources.beginRemoval('c1')));
      expectEqual(begun.filter(Boolean).length, 1, 'removals that began');
      expectEqual((await store.sources.get('c1'))?.status, 'removing', 'the status');
    },
  },
  {
    id: 'no-job-while-removing',
    parts: ['sources', 'jobs'],
    title: 'rejects a job for a connector under removal',
    run: async ({ open }) => {
      const store = await open();
      await store.sources.register(newConnector());
      await store.sources.beginRemoval('c1');
      await expectError(store.jobs.create(newJob()), 'connector_removing', 'jobs.create');
      expectEqual(await store.jobs.counts(), {}, 'jobs');
    },
  },
  {
    id: 'removing-stays',
    parts: ['sources', 'jobs'],
    title: 'keeps a connector under removal when its job ends',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await store.sources.beginRemoval('c1');
      await store.jobs.finish('j1', 'w1', { status: 'succeeded', problem: null });
      expectEqual((await store.sources.get('c1'))?.status, 'removing', 'the status');
    },
  },
  {
    id: 'delete-connector',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'deletes a connector with its objects, tasks and state, and keeps others',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['kept'], { id: 'j8', connectorId: 'c2' });
      await startJob(store, { id: 'j9' });
      await store.listings.finish('j9', 'w1', { complete: true, state: { at: 1 } });
      await store.jobs.finish('j9', 'w1', { status: 'succeeded', problem: null });
      await indexPaths(store, ['gone']);
      await store.sources.delete('c1');
      expectEqual(await store.sources.get('c1'), null, 'the connector');
      expectEqual(await pathsOf(store, 'c2'), ['kept'], 'objects of the other connector');
      await store.sources.register(newConnector());
      expectEqual(await pathsOf(store), [], 'objects after a new registration');
      expectEqual((await store.sources.get('c1'))?.state, null, 'state after a new registration');
    },
  },
  {
    id: 'delete-ends-job',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'cancels the live job of a deleted connector and keeps it as history',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a')] });
      await store.sources.delete('c1');
      const job = await store.jobs.get('j1');
      expectEqual(job?.status, 'cancelled', 'the status');
      expectEqual(job?.target, 'file://local/c1', 'the target');
      expect(typeof job?.finishedAt === 'number', 'finishedAt is missing');
      expectEqual(await addToListing(store, { tasks: [newTask('b')] }), false, 'writes for it');
      expectEqual(await claim(store), [], 'its tasks');
      await queueJob(store, 'j2');
    },
  },
];
