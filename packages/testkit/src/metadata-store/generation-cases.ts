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
  const edition = await store.generations.markUsed();
  if (edition === null) throw new Error('the edition of the store is said to be dropped');
  return edition;
}

export const generationCases: readonly MetadataStoreCase[] = [
  {
    id: 'generations-apart',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'What is known of a source is known in the edition of the store that it was told.',
    run: async (subject) => {
      const [one, two] = await both(subject);
      await indexPaths(one, ['a', 'b']);
      expectEqual(await pathsOf(two), [], 'objects of the other edition');
      await indexPaths(two, ['a'], { id: 'j1' });
      expectEqual(await pathsOf(one), ['a', 'b'], 'objects of the first');
      const again = await subject.open('default', former);
      expectEqual(await pathsOf(again), ['a', 'b'], 'objects of the first, opened again');
    },
  },
  {
    id: 'generations-known',
    parts: ['generations'],
    title: 'Generations have numbers of their own, and know each other.',
    run: async (subject) => {
      const [one, two] = await both(subject);
      const [own, other] = [await currentRecord(one), await currentRecord(two)];
      expect(own.number > 0 && other.number > own.number, 'the numbers do not rise');
      expectEqual([own.embedding, own.dimension], [former.embedding, 8], 'the first');
      const [seen, ...more] = await one.generations.listOthers();
      expectEqual(more, [], 'more than one other');
      expectEqual(
        [seen?.number, seen?.embedding, seen?.dimension, seen?.isDropped],
        [other.number, latter.embedding, 16, false],
        'the other edition',
      );
      expect((seen?.unusedMs ?? -1) >= 0, 'how long it was not used is negative');
    },
  },
  {
    id: 'edition-gets-sources',
    parts: ['sources'],
    title: 'A source is registered in all generations, those that are begun later included.',
    run: async (subject) => {
      const one = await subject.open('default', former);
      await one.sources.register(newConnector('c1', { config: { a: 1 }, tree: 't1' }));
      const two = await subject.open('default', latter);
      const [there] = await two.sources.list();
      expectEqual([there?.id, there?.config, there?.tree], ['c1', { a: 1 }, 't1'], 'it');
      await two.sources.register(newConnector('c2'));
      const ids = (await one.sources.list()).map(({ id }) => id);
      expectEqual(ids, ['c1', 'c2'], 'the sources of the first');
    },
  },
  {
    id: 'edition-of-a-source',
    parts: ['sources', 'jobs', 'listings'],
    title: 'When it was synced, its cursor, its problem and its status are those of an edition.',
    run: async (subject) => {
      const [one, two] = await both(subject);
      await startJob(one);
      await one.listings.finish('j1', 'w1', { complete: true, state: { cursor: 7 } });
      await one.jobs.finish('j1', 'w1', { status: 'succeeded', problem: null, isComplete: true });
      const [there] = await one.sources.list();
      expectEqual([there?.isComplete, there?.state], [true, { cursor: 7 }], 'in the first');
      const known = await two.sources.get('c1');
      expectEqual(
        [known?.isComplete, known?.state, known?.lastSyncedAt, known?.status],
        [false, null, null, 'active'],
        'in the other',
      );
    },
  },
  {
    id: 'complete-stays',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'A source is complete once a job says so, and stays it.',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a']);
      expectEqual((await store.sources.get('c1'))?.isComplete, false, 'before a job says so');
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
      expectEqual((await store.sources.get('c1'))?.isComplete, true, 'after one that says nothing');
    },
  },
  {
    id: 'edition-config',
    parts: ['sources', 'jobs', 'listings'],
    title: 'A new configuration or tree is that of all generations, and resets the cursor in all.',
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
    id: 'edition-jobs',
    parts: ['sources', 'jobs', 'tasks'],
    title: 'Jobs of all generations are listed; those of another are neither run nor in the way.',
    run: async (subject) => {
      const [one, two] = await both(subject);
      await queueJob(one);
      expectEqual(
        await two.jobs.claim('w2', longLeaseMs),
        null,
        'a job of another edition, claimed',
      );
      await two.jobs.create(newJob('j2'));
      const listed = await one.jobs.list({ limit: 9, offset: 0 });
      expectEqual(listed.map(({ id }) => id).sort(), ['j1', 'j2'], 'all jobs');
      expectEqual((await one.jobs.get('j2'))?.status, 'queued', 'the job of the other');
      expectEqual(await one.jobs.counts('c1'), { queued: 2 }, 'their number');
      expectEqual((await two.jobs.claim('w2', longLeaseMs))?.id, 'j2', 'what the other claims');
      expectEqual(await one.jobs.running(), [], 'what is running for the first');
      expectEqual(await claim(one, { id: 'j2', worker: 'w2' }), [], 'its tasks');
    },
  },
  {
    id: 'edition-cancels',
    parts: ['sources', 'jobs'],
    title: 'A job of another edition ends at once when it is cancelled, even while it runs.',
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
    id: 'edition-removal',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects', 'generations'],
    title: 'A source that is being removed, or gone, is that in all generations.',
    run: async (subject) => {
      const [one, two] = await both(subject);
      await indexPaths(one, ['a']);
      await queueJob(two, 'j1');
      expectEqual(await one.sources.beginRemoval('c1'), true, 'whether it begins');
      expectEqual((await two.sources.get('c1'))?.status, 'removing', 'in the other edition');
      await one.sources.delete('c1');
      expectEqual(await two.sources.list(), [], 'what the other has of it');
      expectEqual((await two.jobs.get('j1'))?.status, 'cancelled', 'the job in the other');
      await two.generations.markUsed();
      expectEqual(await pathsOf(two), [], 'its objects, later');
      expectEqual(await two.sources.list(), [], 'the source, later');
    },
  },
  {
    id: 'edition-reader',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'generations'],
    title: 'What another edition knows can be read.',
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
      expectEqual((await read.objects.findByPath('c1', ['b'])).length, 1, 'one by its path');
      expectEqual((await read.sources.list()).length, 1, 'its sources');
      expectEqual((await read.sources.stats())[0]?.objects, 2, 'how many objects it counts');
      expectEqual(await read.summaries.findByPath('c1', ['a']), [], 'its summaries');
    },
  },
  {
    id: 'edition-dropped',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects', 'generations'],
    title: 'An edition that nobody uses is dropped with all that it knew; its jobs stay.',
    run: async (subject) => {
      const [one, two] = await both(subject);
      await indexPaths(one, ['a']);
      await queueJob(one, 'j1');
      const { number } = await currentRecord(one);
      expectEqual(await two.generations.drop(number, longLeaseMs), false, 'while it is used');
      expectEqual(await pathsOf(one), ['a'], 'what it knows then');
      expectEqual(await two.generations.drop(number, 0), true, 'once it is not');
      const jobs = await two.jobs.list({ limit: 9, offset: 0 });
      expectEqual(
        jobs.map(({ id, status }) => `${id} ${status}`).sort(),
        ['j0 succeeded', 'j1 cancelled'],
        'its jobs',
      );
      const read = await two.generations.reader(number);
      expectEqual(await read.objects.findByPath('c1', ['a']), [], 'its objects');
      const [left] = await two.generations.listOthers();
      expectEqual([left?.number, left?.isDropped], [number, true], 'what is left of it');
      await two.generations.delete(number);
      expectEqual(await two.generations.listOthers(), [], 'what is left once it is forgotten');
      expectEqual(await one.generations.markUsed(), null, 'using it');
    },
  },
  {
    id: 'edition-dropped-drops-none',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'generations'],
    title: 'A store whose edition was dropped drops no other.',
    run: async (subject) => {
      const [one, two] = await both(subject);
      await indexPaths(two, ['a']);
      const [first, second] = [await currentRecord(one), await currentRecord(two)];
      expectEqual(await two.generations.drop(first.number, 0), true, 'the first is dropped');
      expectEqual(
        await one.generations.drop(second.number, 0),
        false,
        'whether it drops the other',
      );
      expectEqual((await two.sources.list()).length, 1, 'the sources of the other');
    },
  },
  {
    id: 'edition-begun-again',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects', 'generations'],
    title: 'An edition that is begun after another of the same embedding was dropped is a new one.',
    run: async (subject) => {
      const [one, two] = await both(subject);
      await indexPaths(one, ['a']);
      const { number } = await currentRecord(one);
      await two.generations.drop(number, 0);
      const again = await subject.open('default', former);
      expect((await currentRecord(again)).number > number, 'it has a number that was used');
      expectEqual(await pathsOf(again), [], 'its objects');
      expectEqual((await again.sources.list()).length, 1, 'its sources');
      await again.generations.delete((await currentRecord(two)).number);
      expectEqual((await currentRecord(two)).isDropped, false, 'one that is used, forgotten');
    },
  },
  {
    id: 'edition-own-kept',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects', 'generations'],
    title: 'No store drops its own edition.',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a']);
      const { number } = await currentRecord(store);
      expectEqual(await store.generations.drop(number, 0), false, 'whether it was dropped');
      expectEqual(await pathsOf(store), ['a'], 'its objects');
    },
  },
];
