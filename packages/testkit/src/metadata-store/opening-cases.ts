import { expect, expectEqual, expectError } from '../expect.js';
import {
  claim,
  indexPaths,
  addToListing,
  longLeaseMs,
  newConnector,
  newContent,
  newTask,
  pathsOf,
  startJob,
} from './setup.js';
import type { MetadataStoreCase } from './subject.js';

export const openingCases: readonly MetadataStoreCase[] = [
  {
    id: 'namespaces-apart',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'leases', 'objects', 'graphs'],
    title: 'isolates a namespace from others with the same ids',
    run: async ({ open }) => {
      const [one, two] = await Promise.all([open('one'), open('two')]);
      await indexPaths(one, ['a']);
      expectEqual(await two.sources.list(), [], 'connectors of the other namespace');
      expectEqual(await two.jobs.list({ limit: 9, offset: 0 }), [], 'jobs of the other namespace');
      await startJob(one);
      await addToListing(one, { tasks: [newTask('b')] });
      const [task] = await claim(one);
      expectEqual(await two.jobs.claim('w1', longLeaseMs), null, 'a job of the other namespace');
      expectEqual(await two.jobs.running(), [], 'running jobs of the other namespace');
      expectEqual(await two.leases.holders(), [], 'lease holders of the other namespace');
      expectEqual(await two.leases.renew('w1', longLeaseMs), [], 'leases of the other namespace');
      await two.leases.release('w1');
      expectEqual(await claim(two), [], 'tasks of the other namespace');
      const result = { taskId: task?.id ?? 0, outcome: 'added' } as const;
      expectEqual(
        await two.tasks.complete('w1', [result]),
        [],
        'completing a task of the other namespace',
      );
      await one.graphs.stage('g', 'g1', longLeaseMs);
      await one.graphs.promote('g', 'g1', newContent());
      expectEqual(
        [await two.graphs.list(), await two.graphs.get('g')],
        [[], null],
        'graphs of the other namespace',
      );
      await two.graphs.stage('g', 'g1', longLeaseMs);
      await two.graphs.abandon('g', 'g1');
      await two.graphs.deleteGeneration('g1');
      expectEqual(await one.graphs.obsoleteGenerations(), [], 'generations of the other namespace');
      await indexPaths(two, ['x', 'y']);
      await two.sources.delete('c1');
      expectEqual(await two.jobs.prune(-longLeaseMs), 1, 'pruned jobs of the other namespace');
      expectEqual(await pathsOf(one), ['a'], 'the objects of the first namespace');
      expectEqual(await one.tasks.complete('w1', [result]), [result.taskId], 'its task');
      expectEqual(await one.jobs.counts(), { running: 1, succeeded: 1 }, 'its jobs');
    },
  },
  {
    id: 'id-of-its-own',
    parts: [],
    title: 'shares its id only with stores of its database and namespace',
    run: async ({ open }) => {
      const [one, again, other] = await Promise.all([open(), open(), open('other')]);
      const id = await one.id();
      expect(/^[a-z0-9-]{1,64}$/.test(id), `the id ${JSON.stringify(id)} is not a plain name`);
      expectEqual(await again.id(), id, 'the id of another store of the same data');
      expectEqual(await one.id(), id, 'the id at a second call');
      expect((await other.id()) !== id, 'another namespace has the same id');
    },
  },
  {
    id: 'close',
    parts: ['sources'],
    title: 'closes after running calls, rejects later ones and keeps other stores open',
    run: async ({ open }) => {
      const [store, other] = await Promise.all([open(), open()]);
      const running = store.sources.register(newConnector());
      await store.close();
      await store.close();
      expectEqual((await running).id, 'c1', 'the running call');
      await expectError(store.sources.list(), 'engine_closed', 'a call afterwards');
      expectEqual((await other.sources.list()).length, 1, 'the data of another store');
    },
  },
];
