import { expect, expectEqual, expectError } from '../expect.js';
import {
  claim,
  indexPaths,
  listed,
  LONG_MS,
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
    title:
      'A store sees and changes only what belongs to its namespace, with the same ids as others.',
    run: async ({ open }) => {
      const [one, two] = await Promise.all([open('one'), open('two')]);
      await indexPaths(one, ['a']);
      expectEqual(await two.connectors(), [], 'connectors of the other');
      expectEqual(await two.jobs({ limit: 9, offset: 0 }), [], 'jobs of the other');
      await startJob(one);
      await listed(one, { tasks: [newTask('b')] });
      const [task] = await claim(one);
      expectEqual(await two.claimJob('w1', LONG_MS), null, 'a job of the other');
      expectEqual(await two.runningJobs(), [], 'running jobs of the other');
      expectEqual(await two.leaseHolders(), [], 'lease holders of the other');
      expectEqual(await two.renewLeases('w1', LONG_MS), [], 'leases of the other');
      await two.releaseWorker('w1');
      expectEqual(await claim(two), [], 'tasks of the other');
      const result = { taskId: task?.id ?? 0, outcome: 'added' } as const;
      expectEqual(await two.completeTasks('w1', [result]), [], 'completing a task of the other');
      await one.stageGraph('g', 'g1', LONG_MS);
      await one.switchGraph('g', 'g1', newContent());
      expectEqual([await two.graphs(), await two.graph('g')], [[], null], 'graphs of the other');
      await two.stageGraph('g', 'g1', LONG_MS);
      await two.abandonGraph('g', 'g1');
      await two.forgetGeneration('g1');
      expectEqual(await one.obsoleteGenerations(), [], 'generations of the other');
      await indexPaths(two, ['x', 'y']);
      await two.deleteConnector('c1');
      expectEqual(await two.pruneJobs(-LONG_MS), 1, 'jobs pruned in the other');
      expectEqual(await pathsOf(one), ['a'], 'the objects of the first');
      expectEqual(await one.completeTasks('w1', [result]), [result.taskId], 'its task');
      expectEqual(await one.jobCounts(), { running: 1, succeeded: 1 }, 'its jobs');
    },
  },
  {
    id: 'id-of-its-own',
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
    title: 'Closing waits for what is running, then refuses calls, and leaves other stores open.',
    run: async ({ open }) => {
      const [store, other] = await Promise.all([open(), open()]);
      const running = store.registerConnector(newConnector());
      await store.close();
      await store.close();
      expectEqual((await running).id, 'c1', 'what was running');
      await expectError(store.connectors(), 'engine_closed', 'a call afterwards');
      expectEqual((await other.connectors()).length, 1, 'what another store sees');
    },
  },
];
