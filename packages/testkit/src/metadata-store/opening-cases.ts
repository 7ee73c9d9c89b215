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
    title:
      'A store sees and changes only what belongs to its namespace, with the same ids as others.',
    run: async ({ open }) => {
      const [one, two] = await Promise.all([open('one'), open('two')]);
      await indexPaths(one, ['a']);
      expectEqual(await two.sources.list(), [], 'connectors of the other');
      expectEqual(await two.jobs.list({ limit: 9, offset: 0 }), [], 'jobs of the other');
      await startJob(one);
      await addToListing(one, { tasks: [newTask('b')] });
      const [task] = await claim(one);
      expectEqual(await two.jobs.claim('w1', longLeaseMs), null, 'a job of the other');
      expectEqual(await two.jobs.running(), [], 'running jobs of the other');
      expectEqual(await two.leases.holders(), [], 'lease holders of the other');
      expectEqual(await two.leases.renew('w1', longLeaseMs), [], 'leases of the other');
      await two.leases.release('w1');
      expectEqual(await claim(two), [], 'tasks of the other');
      const result = { taskId: task?.id ?? 0, outcome: 'added' } as const;
      expectEqual(await two.tasks.complete('w1', [result]), [], 'completing a task of the other');
      await one.graphs.stage('g', 'g1', longLeaseMs);
      await one.graphs.promote('g', 'g1', newContent());
      expectEqual(
        [await two.graphs.list(), await two.graphs.get('g')],
        [[], null],
        'graphs of the other',
      );
      await two.graphs.stage('g', 'g1', longLeaseMs);
      await two.graphs.abandon('g', 'g1');
      await two.graphs.deleteGeneration('g1');
      expectEqual(await one.graphs.obsoleteGenerations(), [], 'generations of the other');
      await indexPaths(two, ['x', 'y']);
      await two.sources.delete('c1');
      expectEqual(await two.jobs.prune(-longLeaseMs), 1, 'jobs pruned in the other');
      expectEqual(await pathsOf(one), ['a'], 'the objects of the first');
      expectEqual(await one.tasks.complete('w1', [result]), [result.taskId], 'its task');
      expectEqual(await one.jobs.counts(), { running: 1, succeeded: 1 }, 'its jobs');
    },
  },
  {
    id: 'id-of-its-own',
    parts: [],
    title: 'All stores of a database and namespace have the same id, and no others have it.',
    run: async ({ open }) => {
      const [one, again, other] = await Promise.all([open(), open(), open('other')]);
      const id = await one.id();
      expect(/^[a-z0-9-]{1,64}$/.test(id), `the id ${JSON.stringify(id)} is no plain name`);
      expectEqual(await again.id(), id, 'the id that another store of the same data has');
      expectEqual(await one.id(), id, 'the id when asked again');
      expect((await other.id()) !== id, 'another namespace has the same id');
    },
  },
  {
    id: 'close',
    parts: ['sources'],
    title: 'Closing waits for what is running, then refuses calls, and leaves other stores open.',
    run: async ({ open }) => {
      const [store, other] = await Promise.all([open(), open()]);
      const running = store.sources.register(newConnector());
      await store.close();
      await store.close();
      expectEqual((await running).id, 'c1', 'what was running');
      await expectError(store.sources.list(), 'engine_closed', 'a call afterwards');
      expectEqual((await other.sources.list()).length, 1, 'what another store sees');
    },
  },
];
