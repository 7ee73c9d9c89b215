import { expectEqual, expectError } from '../expect.js';
import { longLeaseMs, newConnector, newJob, queueJob } from './setup.js';
import type { MetadataStoreCase } from './subject.js';

const first = 'file://local/c1';
const second = 'file://local/second';

export const connectorMoveCases: readonly MetadataStoreCase[] = [
  {
    id: 'find-by-root',
    parts: ['sources'],
    title: 'finds connectors by root URI',
    run: async ({ open }) => {
      const store = await open();
      for (const id of ['a', 'b', 'c']) await store.sources.register(newConnector(id));
      const roots = ['file://local/c', 'file://local/a', 'file://local/none'];
      const found = await store.sources.findByRoot(roots);
      expectEqual(found.map(({ id }) => id).sort(), ['a', 'c'], 'the found connectors');
      expectEqual(await store.sources.findByRoot([]), [], 'the connectors of no root');
    },
  },
  {
    id: 'move-connector',
    parts: ['sources', 'jobs'],
    title: 'moves a connector with its jobs when a job is created',
    run: async ({ open }) => {
      const store = await open();
      await queueJob(store);
      await store.jobs.cancel('j1');
      const job = await store.jobs.create(newJob('j2', 'c1', { rootUri: second }));
      expectEqual(job.target, second, 'the target of the new job');
      const moved = await store.sources.get('c1');
      expectEqual([moved?.rootUri, moved?.movedFrom], [second, [first]], 'the moved connector');
      expectEqual((await store.jobs.get('j1'))?.target, second, 'the target of the old job');
      expectEqual(await store.sources.findByRoot([first]), [], 'connectors at the former root');
      const again = await store.sources.register(newConnector('c2', { rootUri: first }));
      expectEqual(again.id, 'c2', 'a new connector at the former root');
    },
  },
  {
    id: 'move-connector-twice',
    parts: ['sources', 'jobs'],
    title: 'keeps all former roots of a connector until the move ends',
    run: async ({ open }) => {
      const store = await open();
      await store.sources.register(newConnector('c1'));
      await store.jobs.create(newJob('j1', 'c1', { rootUri: second }));
      const once = await store.sources.get('c1');
      await store.jobs.cancel('j1');
      await store.jobs.create(newJob('j2', 'c1', { rootUri: 'file://local/third' }));
      if (once !== null) await store.sources.endMove(once);
      const twice = await store.sources.get('c1');
      expectEqual(twice?.movedFrom, [first, second], 'the former roots after an outdated end');
      if (twice !== null) await store.sources.endMove(twice);
      expectEqual((await store.sources.get('c1'))?.movedFrom, [], 'the former roots at the end');
    },
  },
  {
    id: 'list-moved',
    parts: ['sources', 'jobs'],
    title: 'lists the connectors with former roots until their moves end',
    run: async ({ open }) => {
      const store = await open();
      for (const id of ['c1', 'c2']) await store.sources.register(newConnector(id));
      const idsMoved = async (): Promise<string[]> =>
        (await store.sources.listMoved()).map(({ id }) => id);
      expectEqual(await idsMoved(), [], 'the moved connectors before the move');
      await store.jobs.create(newJob('j1', 'c1', { rootUri: second }));
      const [moved] = await store.sources.listMoved();
      expectEqual([moved?.id, moved?.movedFrom], ['c1', [first]], 'the moved connector');
      await store.jobs.cancel('j1');
      expectEqual(await idsMoved(), ['c1'], 'the moved connectors after a cancelled job');
      if (moved !== undefined) await store.sources.endMove(moved);
      expectEqual(await idsMoved(), [], 'the moved connectors at the end');
    },
  },
  {
    id: 'move-connector-refused',
    parts: ['sources', 'jobs'],
    title: 'leaves a connector where it is if the new root is taken or a job is live',
    run: async ({ open }) => {
      const store = await open();
      for (const id of ['c1', 'c2']) await store.sources.register(newConnector(id));
      await expectError(
        store.jobs.create(newJob('j1', 'c1', { rootUri: 'file://local/c2' })),
        'connector_already_registered',
        'a move to a taken root',
      );
      expectEqual(await store.jobs.claim('w1', longLeaseMs), null, 'the job of a refused move');
      await store.jobs.create(newJob('j2'));
      await expectError(
        store.jobs.create(newJob('j3', 'c1', { rootUri: second })),
        'sync_already_running',
        'a move during a sync',
      );
      expectEqual((await store.sources.get('c1'))?.rootUri, first, 'the root');
    },
  },
];
