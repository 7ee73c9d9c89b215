import type { MetadataStore } from '@trove/core/store';
import { expect, expectEqual, expectError } from '../expect.js';
import { longLeaseMs, newContent, shortLeaseMs, pollUntil } from './setup.js';
import type { MetadataStoreCase } from './subject.js';

export const graphCases: readonly MetadataStoreCase[] = [
  {
    id: 'graph-promoted',
    parts: ['graphs'],
    title: 'shows a graph with its content after its staged generation is promoted',
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
    title: 'orders graphs by the code points of their names',
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
    title: 'lets one of several callers stage a graph, and leaves other graphs free',
    run: async ({ open }) => {
      const stores = await Promise.all([open(), open(), open(), open()]);
      const staged = await Promise.allSettled(
        stores.map((store, at) => store.graphs.stage('g', `g${at}`, longLeaseMs)),
      );
      const won = staged.filter(({ status }) => status === 'fulfilled');
      expectEqual(won.length, 1, 'the number of staging callers');
      const [store] = stores;
      expect(store !== undefined, 'no store');
      await expectError(
        store.graphs.stage('g', 'late', longLeaseMs),
        'graph_busy',
        'a later caller',
      );
      await store.graphs.stage('h', 'h1', longLeaseMs);
      expectEqual(await store.graphs.promote('h', 'h1', newContent()), true, 'the other graph');
    },
  },
  {
    id: 'graph-staged-generation',
    parts: ['graphs'],
    title: 'returns the staged generation while its lease lasts',
    run: async ({ open }) => {
      const store = await open();
      expectEqual(await store.graphs.stagedGeneration('g'), null, 'before');
      await store.graphs.stage('g', 'g1', longLeaseMs);
      await store.graphs.stage('h', 'h1', shortLeaseMs);
      expectEqual(await store.graphs.stagedGeneration('g'), 'g1', 'while it is staged');
      const isOver = async () =>
        (await store.graphs.stagedGeneration('h')) === null ? true : null;
      await pollUntil(isOver, 'the end of its lease');
      await store.graphs.abandon('g', 'g1');
      expectEqual(await store.graphs.stagedGeneration('g'), null, 'after it was abandoned');
    },
  },
  {
    id: 'graph-lease-runs-out',
    parts: ['graphs'],
    title: 'lets another caller stage a graph after its lease expired',
    run: async ({ open }) => {
      const store = await open();
      await store.graphs.stage('g', 'g1', shortLeaseMs);
      await untilStaged(store, 'g', 'g2');
      expectEqual(await store.graphs.renew('g', 'g1', longLeaseMs), false, 'renewing');
      expectEqual(await store.graphs.promote('g', 'g1', newContent()), false, 'switching');
      expectEqual(await store.graphs.empty('g', 'g1'), false, 'emptying');
      await store.graphs.abandon('g', 'g1');
      expectEqual(
        await store.graphs.promote('g', 'g2', newContent()),
        true,
        'the holder of the lease',
      );
      expectEqual((await store.graphs.get('g'))?.generation, 'g2', 'the current graph');
    },
  },
  {
    id: 'graph-expired-lease-is-lost',
    parts: ['graphs'],
    title: 'loses an expired lease even without a new holder',
    run: async ({ open }) => {
      const store = await open();
      await build(store, 'g', 'g1');
      await store.graphs.stage('g', 'g2', shortLeaseMs);
      await untilExpired(store, 'g2');
      expectEqual(await store.graphs.promote('g', 'g2', newContent()), false, 'switching');
      expectEqual((await store.graphs.get('g'))?.generation, 'g1', 'the current graph');
    },
  },
  {
    id: 'graph-renewal',
    parts: ['graphs'],
    title: 'renews a lease unless it has expired',
    run: async ({ open }) => {
      const store = await open();
      await store.graphs.stage('g', 'g1', renewedMs);
      expectEqual(await store.graphs.renew('g', 'g1', longLeaseMs), true, 'renewing');
      // Granted later and for as long, so when this lease has expired, the other would have too.
      await store.graphs.stage('h', 'h1', renewedMs);
      await untilExpired(store, 'h1');
      expectEqual(await store.graphs.renew('h', 'h1', longLeaseMs), false, 'renewing too late');
      expectEqual(await store.graphs.promote('g', 'g1', newContent()), true, 'switching');
    },
  },
  {
    id: 'graph-predecessor-is-obsolete',
    parts: ['graphs'],
    title: 'reports a replaced generation as obsolete until it is deleted',
    run: async ({ open }) => {
      const store = await open();
      for (const generation of ['g1', 'g2', 'g3']) await build(store, 'g', generation);
      await store.graphs.stage('g', 'g4', longLeaseMs);
      const [first, second] = [
        { graph: 'g', generation: 'g1' },
        { graph: 'g', generation: 'g2' },
      ];
      expectEqual(
        await store.graphs.obsoleteGenerations(),
        [first, second],
        'obsolete generations',
      );
      for (const generation of ['g1', 'g3', 'g4', 'none'])
        await store.graphs.deleteGeneration(generation);
      expectEqual(await store.graphs.obsoleteGenerations(), [second], 'remaining generations');
      expectEqual((await store.graphs.get('g'))?.generation, 'g3', 'the current graph');
      expectEqual(await store.graphs.renew('g', 'g4', longLeaseMs), true, 'the staged generation');
    },
  },
  {
    id: 'graph-expired-is-obsolete',
    parts: ['graphs'],
    title: 'reports a staged generation with an expired lease as obsolete',
    run: async ({ open }) => {
      const store = await open();
      await store.graphs.stage('g', 'g1', shortLeaseMs);
      await untilExpired(store, 'g1');
      await untilStaged(store, 'g', 'g2');
      await store.graphs.stage('h', 'h1', shortLeaseMs);
      await untilExpired(store, 'h1');
      const ids = (await store.graphs.obsoleteGenerations()).map(({ generation }) => generation);
      expectEqual(ids, ['g1', 'h1'], 'obsolete generations');
      await store.graphs.deleteGeneration('h1');
      expectEqual((await store.graphs.obsoleteGenerations()).length, 1, 'remaining generations');
    },
  },
  {
    id: 'graph-abandoned',
    parts: ['graphs'],
    title: 'makes an abandoned generation obsolete and ends its lease',
    run: async ({ open }) => {
      const store = await open();
      await build(store, 'g', 'g1');
      await store.graphs.stage('g', 'g2', longLeaseMs);
      await store.graphs.abandon('g', 'g2');
      expectEqual((await store.graphs.get('g'))?.generation, 'g1', 'the current graph');
      expectEqual(
        await store.graphs.obsoleteGenerations(),
        [{ graph: 'g', generation: 'g2' }],
        'obsolete generations',
      );
      await build(store, 'g', 'g3');
    },
  },
  {
    id: 'graph-emptied',
    parts: ['graphs'],
    title: 'removes an emptied graph and keeps the lease',
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
        'obsolete generations',
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

/** Stages a graph after its lease has expired. */
function untilStaged(store: MetadataStore, name: string, generation: string): Promise<true> {
  const stage = async (): Promise<true | null> => {
    const [staged] = await Promise.allSettled([store.graphs.stage(name, generation, longLeaseMs)]);
    return staged.status === 'fulfilled' ? true : null;
  };
  return pollUntil(stage, 'staging a graph after its lease expired');
}

/** Uses another method than the cases, so that each case finds its own fault. */
function untilExpired(store: MetadataStore, generation: string): Promise<true> {
  const isObsolete = async (): Promise<true | null> => {
    const found = await store.graphs.obsoleteGenerations();
    return found.some((each) => each.generation === generation) ? true : null;
  };
  return pollUntil(isObsolete, 'the expiry of a lease');
}
