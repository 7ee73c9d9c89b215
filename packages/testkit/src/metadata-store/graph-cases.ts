import type { MetadataStore } from '@trove/core/store';
import { expect, expectEqual, expectError } from '../expect.js';
import { longLeaseMs, newContent, shortLeaseMs, pollUntil } from './setup.js';
import type { MetadataStoreCase } from './subject.js';

export const graphCases: readonly MetadataStoreCase[] = [
  {
    id: 'graph-current-once-switched',
    parts: ['graphs'],
    title: 'A graph is there once what was staged is switched to, with its content.',
    run: async ({ open }) => {
      const [store, other] = [await open(), await open()];
      await store.graphs.stage('g', 'g1', longLeaseMs);
      expectEqual(
        [await other.graphs.list(), await other.graphs.get('g')],
        [[], null],
        'while it is staged',
      );
      const content = newContent({ passages: 3_000_000_000, embedding: 'odd " \u{1f469}' });
      expectEqual(await store.graphs.promote('g', 'g1', content), true, 'switching');
      const graph = await other.graphs.get('g');
      const { builtAt = 0, ...rest } = graph ?? {};
      expectEqual(rest, { ...content, name: 'g', generation: 'g1' }, 'the graph');
      expect(builtAt > 0, 'builtAt is missing');
      expectEqual(await other.graphs.list(), [graph], 'all graphs');
    },
  },
  {
    id: 'graphs-in-order',
    parts: ['graphs'],
    title: 'Graphs are ordered by the code points of their names.',
    run: async ({ open }) => {
      const store = await open();
      for (const name of ['b', 'a_', 'B', 'a-', '0', 'ab']) await build(store, name, `of ${name}`);
      const names = (await store.graphs.list()).map(({ name }) => name);
      expectEqual(names, ['0', 'B', 'a-', 'a_', 'ab', 'b'], 'the names');
    },
  },
  {
    id: 'graph-one-change-at-a-time',
    parts: ['graphs'],
    title: 'Of several that stage a graph at once, one does; another graph is free.',
    run: async ({ open }) => {
      const stores = await Promise.all([open(), open(), open(), open()]);
      const staged = await Promise.allSettled(
        stores.map((store, at) => store.graphs.stage('g', `g${at}`, longLeaseMs)),
      );
      const won = staged.filter(({ status }) => status === 'fulfilled');
      expectEqual(won.length, 1, 'how many could stage');
      const [store] = stores;
      expect(store !== undefined, 'no store');
      await expectError(store.graphs.stage('g', 'late', longLeaseMs), 'graph_busy', 'a later one');
      await store.graphs.stage('h', 'h1', longLeaseMs);
      expectEqual(await store.graphs.promote('h', 'h1', newContent()), true, 'the other graph');
    },
  },
  {
    id: 'graph-names-what-is-staged',
    parts: ['graphs'],
    title: 'What is staged is named as long as its lease lasts.',
    run: async ({ open }) => {
      const store = await open();
      expectEqual(await store.graphs.stagedGeneration('g'), null, 'before');
      await store.graphs.stage('g', 'g1', longLeaseMs);
      await store.graphs.stage('h', 'h1', shortLeaseMs);
      expectEqual(await store.graphs.stagedGeneration('g'), 'g1', 'while it is staged');
      const isOver = async () =>
        (await store.graphs.stagedGeneration('h')) === null ? true : null;
      await pollUntil(isOver, 'its lease runs out');
      await store.graphs.abandon('g', 'g1');
      expectEqual(await store.graphs.stagedGeneration('g'), null, 'after it was abandoned');
    },
  },
  {
    id: 'graph-lease-runs-out',
    parts: ['graphs'],
    title: 'A graph whose lease ran out can be staged by another; who lost it can do nothing.',
    run: async ({ open }) => {
      const store = await open();
      await store.graphs.stage('g', 'g1', shortLeaseMs);
      await untilStaged(store, 'g', 'g2');
      expectEqual(await store.graphs.renew('g', 'g1', longLeaseMs), false, 'renewing');
      expectEqual(await store.graphs.promote('g', 'g1', newContent()), false, 'switching');
      expectEqual(await store.graphs.empty('g', 'g1'), false, 'emptying');
      await store.graphs.abandon('g', 'g1');
      expectEqual(await store.graphs.promote('g', 'g2', newContent()), true, 'who holds it');
      expectEqual((await store.graphs.get('g'))?.generation, 'g2', 'what is current');
    },
  },
  {
    id: 'graph-expired-lease-is-lost',
    parts: ['graphs'],
    title: 'A lease that ran out is lost, even if nobody else has taken the graph yet.',
    run: async ({ open }) => {
      const store = await open();
      await build(store, 'g', 'g1');
      await store.graphs.stage('g', 'g2', shortLeaseMs);
      await untilExpired(store, 'g2');
      expectEqual(await store.graphs.promote('g', 'g2', newContent()), false, 'switching');
      expectEqual((await store.graphs.get('g'))?.generation, 'g1', 'what is current');
    },
  },
  {
    id: 'graph-renewal',
    parts: ['graphs'],
    title: 'Renewing prolongs a lease, unless it ran out.',
    run: async ({ open }) => {
      const store = await open();
      await store.graphs.stage('g', 'g1', renewedMs);
      expectEqual(await store.graphs.renew('g', 'g1', longLeaseMs), true, 'renewing');
      // Granted later and for as long: once this lease has expired, so would have the other.
      await store.graphs.stage('h', 'h1', renewedMs);
      await untilExpired(store, 'h1');
      expectEqual(await store.graphs.renew('h', 'h1', longLeaseMs), false, 'renewing too late');
      expectEqual(await store.graphs.promote('g', 'g1', newContent()), true, 'switching');
    },
  },
  {
    id: 'graph-predecessor-is-obsolete',
    parts: ['graphs'],
    title: 'What was replaced is obsolete until it is forgotten; what is current is not.',
    run: async ({ open }) => {
      const store = await open();
      for (const generation of ['g1', 'g2', 'g3']) await build(store, 'g', generation);
      await store.graphs.stage('g', 'g4', longLeaseMs);
      const [first, second] = [
        { graph: 'g', generation: 'g1' },
        { graph: 'g', generation: 'g2' },
      ];
      expectEqual(await store.graphs.obsoleteGenerations(), [first, second], 'what is obsolete');
      for (const generation of ['g1', 'g3', 'g4', 'none'])
        await store.graphs.deleteGeneration(generation);
      expectEqual(await store.graphs.obsoleteGenerations(), [second], 'what is left');
      expectEqual((await store.graphs.get('g'))?.generation, 'g3', 'what is current');
      expectEqual(await store.graphs.renew('g', 'g4', longLeaseMs), true, 'what is staged');
    },
  },
  {
    id: 'graph-expired-is-obsolete',
    parts: ['graphs'],
    title: 'What was staged under a lease that ran out is obsolete.',
    run: async ({ open }) => {
      const store = await open();
      await store.graphs.stage('g', 'g1', shortLeaseMs);
      await untilExpired(store, 'g1');
      await untilStaged(store, 'g', 'g2');
      await store.graphs.stage('h', 'h1', shortLeaseMs);
      await untilExpired(store, 'h1');
      const ids = (await store.graphs.obsoleteGenerations()).map(({ generation }) => generation);
      expectEqual(ids, ['g1', 'h1'], 'what is obsolete');
      await store.graphs.deleteGeneration('h1');
      expectEqual((await store.graphs.obsoleteGenerations()).length, 1, 'what is left');
    },
  },
  {
    id: 'graph-abandoned',
    parts: ['graphs'],
    title: 'An abandoned change is obsolete, leaves what is current and ends the lease at once.',
    run: async ({ open }) => {
      const store = await open();
      await build(store, 'g', 'g1');
      await store.graphs.stage('g', 'g2', longLeaseMs);
      await store.graphs.abandon('g', 'g2');
      expectEqual((await store.graphs.get('g'))?.generation, 'g1', 'what is current');
      expectEqual(
        await store.graphs.obsoleteGenerations(),
        [{ graph: 'g', generation: 'g2' }],
        'what is obsolete',
      );
      await build(store, 'g', 'g3');
    },
  },
  {
    id: 'graph-emptied',
    parts: ['graphs'],
    title: 'An emptied graph is gone, its generation obsolete, and its lease still held.',
    run: async ({ open }) => {
      const store = await open();
      await build(store, 'g', 'g1');
      await build(store, 'h', 'h1');
      await store.graphs.stage('g', 'g2', longLeaseMs);
      expectEqual(await store.graphs.empty('g', 'g2'), true, 'emptying');
      expectEqual(await store.graphs.get('g'), null, 'the graph');
      expectEqual((await store.graphs.list()).length, 1, 'all graphs');
      expectEqual(
        await store.graphs.obsoleteGenerations(),
        [{ graph: 'g', generation: 'g1' }],
        'what is obsolete',
      );
      await expectError(store.graphs.stage('g', 'g3', longLeaseMs), 'graph_busy', 'staging it');
    },
  },
];

/** Short, but long enough to be renewed in time on a slow machine. */
const renewedMs = 3000;

async function build(store: MetadataStore, name: string, generation: string): Promise<void> {
  await store.graphs.stage(name, generation, longLeaseMs);
  expect(await store.graphs.promote(name, generation, newContent()), `${generation} was not built`);
}

/** Stages a graph once a lease of it has expired. */
function untilStaged(store: MetadataStore, name: string, generation: string): Promise<true> {
  const stage = async (): Promise<true | null> => {
    const [staged] = await Promise.allSettled([store.graphs.stage(name, generation, longLeaseMs)]);
    return staged.status === 'fulfilled' ? true : null;
  };
  return pollUntil(stage, 'staging a graph whose lease ran out');
}

/** Asks somewhere else than the cases do, so that each finds its own mistake. */
function untilExpired(store: MetadataStore, generation: string): Promise<true> {
  const isObsolete = async (): Promise<true | null> => {
    const found = await store.graphs.obsoleteGenerations();
    return found.some((each) => each.generation === generation) ? true : null;
  };
  return pollUntil(isObsolete, 'a lease that runs out');
}
