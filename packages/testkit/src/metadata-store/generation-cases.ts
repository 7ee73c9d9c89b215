import type { GenerationRecord, GenerationSpec, MetadataStore } from '@trove/core/store';

import { expect, expectEqual } from '../expect.js';
import {
  claim,
  indexPaths,
  longLeaseMs,
  newConnector,
  newJob,
  pathsOf,
  queueJob,
  startJob,
} from './setup.js';
import type { MetadataStoreCase, MetadataStoreSubject } from './subject.js';

const former: GenerationSpec = { embedding: 'lexical/1', dimension: 8 };
const latter: GenerationSpec = { embedding: 'meaning/1', dimension: 16 };

async function both({ open }: MetadataStoreSubject): Promise<[MetadataStore, MetadataStore]> {
  return [await open('default', former), await open('default', latter)];
}

async function currentRecord(store: MetadataStore): Promise<GenerationRecord> {
  const generation = await store.generations.markUsed();
  if (generation === null) throw new Error('the generation of the store was reported as dropped');
  return generation;
}

export const generationCases: readonly MetadataStoreCase[] = [
  {
    id: 'generations-apart',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'keeps what is known of a source separate in each generation',
    run: async (subject) => {
      const [one, two] = await both(subject);
      await indexPaths(one, ['a', 'b']);
      expectEqual(await pathsOf(two), [], 'objects of the other generation');
      await indexPaths(two, ['a'], { id: 'j1' });
      expectEqual(await pathsOf(one), ['a', 'b'], 'objects of the first generation');
      const again = await subject.open('default', former);
      expectEqual(
        await pathsOf(again),
        ['a', 'b'],
        'objects of the first generation after reopening',
      );
    },
  },
  {
    id: 'generations-known',
    parts: ['generations'],
    title: 'numbers generations and lists the others',
    run: async (subject) => {
      const [one, two] = await both(subject);
      const [own, other] = [await currentRecord(one), await currentRecord(two)];
      expect(own.number > 0 && other.number > own.number, 'the numbers do not rise');
      expectEqual([own.embedding, own.dimension], [former.embedding, 8], 'the first');
      const [seen, ...more] = await one.generations.listOthers();
      expectEqual(more, [], 'more than one other generation');
      expectEqual(
        [seen?.number, seen?.embedding, seen?.dimension, seen?.isDropped],
        [other.number, latter.embedding, 16, false],
        'the other generation',
      );
      expect((seen?.unusedMs ?? -1) >= 0, 'the unused time is negative');
    },
  },
  {
    id: 'generation-gets-sources',
    parts: ['sources'],
    title: 'registers a source in all generations, including later ones',
    run: async (subject) => {
      const one = await subject.open('default', former);
      await one.sources.register(newConnector('c1', { config: { a: 1 }, tree: 't1' }));
      const two = await subject.open('default', latter);
      const [there] = await two.sources.list();
      expectEqual([there?.id, there?.config, there?.tree], ['c1', { a: 1 }, 't1'], 'it');
      await two.sources.register(newConnector('c2'));
      const ids = (await one.sources.list()).map(({ id }) => id);
      expectEqual(ids, ['c1', 'c2'], 'the sources of the first generation');
    },
  },
  {
    id: 'generation-sync-state',
    parts: ['sources', 'jobs', 'listings'],
    title: 'keeps last sync, cursor, problem and status per generation',
    run: async (subject) => {
      const [one, two] = await both(subject);
      await startJob(one);
      await one.listings.finish('j1', 'w1', { complete: true, state: { cursor: 7 } });
      await one.jobs.finish('j1', 'w1', { status: 'succeeded', problem: null, isComplete: true });
      const [there] = await one.sources.list();
      expectEqual(
        [there?.isComplete, there?.state],
        [true, { cursor: 7 }],
        'in the first generation',
      );
      const known = await two.sources.get('c1');
      expectEqual(
        [known?.isComplete, known?.state, known?.lastSyncedAt, known?.status],
        [false, null, null, 'active'],
        'in the other generation',
      );
    },
  },
  {
    id: 'complete-stays',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'keeps a source complete after a job has reported it',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a']);
      expectEqual((await store.sources.get('c1'))?.isComplete, false, 'before a job reports it');
      for (const [id, isComplete] of [
        ['j1', true],
        ['j2', false],
      ] as const) {
        await startJob(store, { id });
        await store.jobs.finish(id, 'w1', { status: 'partial', problem: null, isComplete });
        expectEqual((await store.sources.get('c1'))?.isComplete, true, `after ${id}`);
      }
      await startJob(store, { id: 'j3' });
      await store.jobs.finish('j3', 'w1', { status: 'succeeded', problem: null });
      expectEqual(
        (await store.sources.get('c1'))?.isComplete,
        true,
        'after a job without a report',
      );
    },
  },
  {
    id: 'generation-config',
    parts: ['sources', 'jobs', 'listings'],
    title: 'applies a new configuration or tree to all generations and resets their cursors',
    run: async (subject) => {
      const [one, two] = await both(subject);
      await startJob(one);
      await one.listings.finish('j1', 'w1', { complete: true, state: { cursor: 7 } });
      await one.jobs.finish('j1', 'w1', { status: 'succeeded', problem: null });
      const change = { config: { a: 1 }, tree: { from: null, to: 't2' } };
      await two.jobs.create(newJob('j2', 'c1', change));
      const known = await one.sources.get('c1');
      expectEqual([known?.config, known?.tree, known?.state], [{ a: 1 }, 't2', null], 'elsewhere');
    },
  },
  {
    id: 'generation-jobs',
    parts: ['sources', 'jobs', 'tasks'],
    title: 'lists jobs of all generations, but claims and blocks only those of its own',
    run: async (subject) => {
      const [one, two] = await both(subject);
      await queueJob(one);
      expectEqual(
        await two.jobs.claim('w2', longLeaseMs),
        null,
        'a claimed job of another generation',
      );
      await two.jobs.create(newJob('j2'));
      const listed = await one.jobs.list({ limit: 9, offset: 0 });
      expectEqual(listed.map(({ id }) => id).sort(), ['j1', 'j2'], 'all jobs');
      expectEqual((await one.jobs.get('j2'))?.status, 'queued', 'the job of the other generation');
      expectEqual(await one.jobs.counts('c1'), { queued: 2 }, 'their number');
      expectEqual(
        (await two.jobs.claim('w2', longLeaseMs))?.id,
        'j2',
        'the claim of the other generation',
      );
      expectEqual(await one.jobs.running(), [], 'running jobs of the first generation');
      expectEqual(await claim(one, { id: 'j2', worker: 'w2' }), [], 'its tasks');
    },
  },
  {
    id: 'generation-cancels',
    parts: ['sources', 'jobs'],
    title: 'ends a cancelled job of another generation at once, even while it runs',
    run: async (subject) => {
      const [one, two] = await both(subject);
      await startJob(one);
      expectEqual((await two.jobs.cancel('j1'))?.status, 'cancelled', 'it');
      const ending = one.jobs.finish('j1', 'w1', { status: 'succeeded', problem: null });
      expectEqual(await ending, false, 'whether its worker could end it');
      expectEqual((await one.sources.get('c1'))?.status, 'active', 'the source afterwards');
    },
  },
  {
    id: 'generation-removal',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects', 'generations'],
    title: 'applies the removal of a source to all generations',
    run: async (subject) => {
      const [one, two] = await both(subject);
      await indexPaths(one, ['a']);
      await queueJob(two, 'j1');
      expectEqual(await one.sources.beginRemoval('c1'), true, 'whether the removal begins');
      expectEqual((await two.sources.get('c1'))?.status, 'removing', 'in the other generation');
      await one.sources.delete('c1');
      expectEqual(await two.sources.list(), [], 'objects in the other generation');
      expectEqual(
        (await two.jobs.get('j1'))?.status,
        'cancelled',
        'the job in the other generation',
      );
      await two.generations.markUsed();
      expectEqual(await pathsOf(two), [], 'its objects, later');
      expectEqual(await two.sources.list(), [], 'the source, later');
    },
  },
  {
    id: 'generation-reader',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'generations'],
    title: 'reads the data of another generation',
    run: async (subject) => {
      const [one, two] = await both(subject);
      await indexPaths(one, ['a', 'b']);
      const { number } = await currentRecord(one);
      const read = await two.generations.reader(number);
      const found = await read.objects.list('c1', { prefix: '', after: null, limit: 9 });
      expectEqual(
        found.map(({ path }) => path),
        ['a', 'b'],
        'its objects',
      );
      expectEqual((await read.objects.findByPath('c1', ['b'])).length, 1, 'an object by its path');
      expectEqual((await read.sources.list()).length, 1, 'its sources');
      expectEqual((await read.sources.stats())[0]?.objects, 2, 'the number of objects');
      expectEqual(await read.summaries.findByPath('c1', ['a']), [], 'its summaries');
    },
  },
  {
    id: 'generation-dropped',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects', 'generations'],
    title: 'drops an unused generation with its data but keeps its jobs',
    run: async (subject) => {
      const [one, two] = await both(subject);
      await indexPaths(one, ['a']);
      await queueJob(one, 'j1');
      const { number } = await currentRecord(one);
      expectEqual(await two.generations.drop(number, longLeaseMs), false, 'while it is used');
      expectEqual(await pathsOf(one), ['a'], 'its data at that time');
      expectEqual(await two.generations.drop(number, 0), true, 'after its use');
      const jobs = await two.jobs.list({ limit: 9, offset: 0 });
      expectEqual(
        jobs.map(({ id, status }) => `${id} ${status}`).sort(),
        ['j0 succeeded', 'j1 cancelled'],
        'its jobs',
      );
      const read = await two.generations.reader(number);
      expectEqual(await read.objects.findByPath('c1', ['a']), [], 'its objects');
      const [left] = await two.generations.listOthers();
      expectEqual([left?.number, left?.isDropped], [number, true], 'its remaining data');
      await two.generations.delete(number);
      expectEqual(await two.generations.listOthers(), [], 'the generations after its deletion');
      expectEqual(await one.generations.markUsed(), null, 'using it');
    },
  },
  {
    id: 'generation-dropped-drops-none',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'generations'],
    title: 'drops no generation through a store whose own one was dropped',
    run: async (subject) => {
      const [one, two] = await both(subject);
      await indexPaths(two, ['a']);
      const [first, second] = [await currentRecord(one), await currentRecord(two)];
      expectEqual(
        await two.generations.drop(first.number, 0),
        true,
        'dropping the first generation',
      );
      expectEqual(
        await one.generations.drop(second.number, 0),
        false,
        'dropping the other generation',
      );
      expectEqual((await two.sources.list()).length, 1, 'the sources of the other generation');
    },
  },
  {
    id: 'generation-number-is-new',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects', 'generations'],
    title: 'creates a new generation after one of the same embedding was dropped',
    run: async (subject) => {
      const [one, two] = await both(subject);
      await indexPaths(one, ['a']);
      const { number } = await currentRecord(one);
      await two.generations.drop(number, 0);
      const again = await subject.open('default', former);
      expect((await currentRecord(again)).number > number, 'its number was used before');
      expectEqual(await pathsOf(again), [], 'its objects');
      expectEqual((await again.sources.list()).length, 1, 'its sources');
      await again.generations.delete((await currentRecord(two)).number);
      expectEqual((await currentRecord(two)).isDropped, false, 'a used generation after deletion');
    },
  },
  {
    id: 'own-generation-kept',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects', 'generations'],
    title: 'does not drop its own generation',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a']);
      const { number } = await currentRecord(store);
      expectEqual(await store.generations.drop(number, 0), false, 'whether it was dropped');
      expectEqual(await pathsOf(store), ['a'], 'its objects');
    },
  },
];
