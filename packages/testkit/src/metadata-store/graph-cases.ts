import type { MetadataStore } from '@trove/core/store';
import { expect, expectEqual, expectError } from '../expect.js';
import { LONG_MS, newContent, TINY_MS, until } from './setup.js';
import type { MetadataStoreCase } from './subject.js';

export const graphCases: readonly MetadataStoreCase[] = [
  {
    id: 'graph-current-once-switched',
    title: 'A graph is there once what was staged is switched to, with its content.',
    run: async ({ open }) => {
      const [store, other] = [await open(), await open()];
      await store.stageGraph('g', 'g1', LONG_MS);
      expectEqual([await other.graphs(), await other.graph('g')], [[], null], 'while it is staged');
      const content = newContent({ passages: 3_000_000_000, embedding: 'odd " \u{1f469}' });
      expectEqual(await store.switchGraph('g', 'g1', content), true, 'switching');
      const graph = await other.graph('g');
      const { builtAt = 0, ...rest } = graph ?? {};
      expectEqual(rest, { ...content, name: 'g', generation: 'g1' }, 'the graph');
      expect(builtAt > 0, 'builtAt is missing');
      expectEqual(await other.graphs(), [graph], 'all graphs');
    },
  },
  {
    id: 'graphs-in-order',
    title: 'Graphs are ordered by the code points of their names.',
    run: async ({ open }) => {
      const store = await open();
      for (const name of ['b', 'a_', 'B', 'a-', '0', 'ab']) await build(store, name, `of ${name}`);
      const names = (await store.graphs()).map(({ name }) => name);
      expectEqual(names, ['0', 'B', 'a-', 'a_', 'ab', 'b'], 'the names');
    },
  },
  {
    id: 'graph-one-change-at-a-time',
    title: 'Of several that stage a graph at once, one does; another graph is free.',
    run: async ({ open }) => {
      const stores = await Promise.all([open(), open(), open(), open()]);
      const staged = await Promise.allSettled(
        stores.map((store, at) => store.stageGraph('g', `g${at}`, LONG_MS)),
      );
      const won = staged.filter(({ status }) => status === 'fulfilled');
      expectEqual(won.length, 1, 'how many could stage');
      const [store] = stores;
      expect(store !== undefined, 'no store');
      await expectError(store.stageGraph('g', 'late', LONG_MS), 'graph_busy', 'a later one');
      await store.stageGraph('h', 'h1', LONG_MS);
      expectEqual(await store.switchGraph('h', 'h1', newContent()), true, 'the other graph');
    },
  },
  {
    id: 'graph-names-what-is-staged',
    title: 'What is staged is named as long as its lease lasts.',
    run: async ({ open }) => {
      const store = await open();
      expectEqual(await store.stagedGeneration('g'), null, 'before');
      await store.stageGraph('g', 'g1', LONG_MS);
      await store.stageGraph('h', 'h1', TINY_MS);
      expectEqual(await store.stagedGeneration('g'), 'g1', 'while it is staged');
      const isOver = async () => ((await store.stagedGeneration('h')) === null ? true : null);
      await until(isOver, 'its lease runs out');
      await store.abandonGraph('g', 'g1');
      expectEqual(await store.stagedGeneration('g'), null, 'after it was abandoned');
    },
  },
  {
    id: 'graph-lease-runs-out',
    title: 'A graph whose lease ran out can be staged by another; who lost it can do nothing.',
    run: async ({ open }) => {
      const store = await open();
      await store.stageGraph('g', 'g1', TINY_MS);
      await untilStaged(store, 'g', 'g2');
      expectEqual(await store.renewGraph('g', 'g1', LONG_MS), false, 'renewing');
      expectEqual(await store.switchGraph('g', 'g1', newContent()), false, 'switching');
      expectEqual(await store.emptyGraph('g', 'g1'), false, 'emptying');
      await store.abandonGraph('g', 'g1');
      expectEqual(await store.switchGraph('g', 'g2', newContent()), true, 'who holds it');
      expectEqual((await store.graph('g'))?.generation, 'g2', 'what is current');
    },
  },
  {
    id: 'graph-expired-lease-is-lost',
    title: 'A lease that ran out is lost, even if nobody else has taken the graph yet.',
    run: async ({ open }) => {
      const store = await open();
      await build(store, 'g', 'g1');
      await store.stageGraph('g', 'g2', TINY_MS);
      await untilExpired(store, 'g2');
      expectEqual(await store.switchGraph('g', 'g2', newContent()), false, 'switching');
      expectEqual((await store.graph('g'))?.generation, 'g1', 'what is current');
    },
  },
  {
    id: 'graph-renewal',
    title: 'Renewing prolongs a lease, unless it ran out.',
    run: async ({ open }) => {
      const store = await open();
      await store.stageGraph('g', 'g1', RENEWED_MS);
      expectEqual(await store.renewGraph('g', 'g1', LONG_MS), true, 'renewing');
      // Granted later and for as long: once this lease has expired, so would have the other.
      await store.stageGraph('h', 'h1', RENEWED_MS);
      await untilExpired(store, 'h1');
      expectEqual(await store.renewGraph('h', 'h1', LONG_MS), false, 'renewing too late');
      expectEqual(await store.switchGraph('g', 'g1', newContent()), true, 'switching');
    },
  },
  {
    id: 'graph-predecessor-is-obsolete',
    title: 'What was replaced is obsolete until it is forgotten; what is current is not.',
    run: async ({ open }) => {
      const store = await open();
      for (const generation of ['g1', 'g2', 'g3']) await build(store, 'g', generation);
      await store.stageGraph('g', 'g4', LONG_MS);
      const [first, second] = [
        { graph: 'g', generation: 'g1' },
        { graph: 'g', generation: 'g2' },
      ];
      expectEqual(await store.obsoleteGenerations(), [first, second], 'what is obsolete');
      for (const generation of ['g1', 'g3', 'g4', 'none']) await store.forgetGeneration(generation);
      expectEqual(await store.obsoleteGenerations(), [second], 'what is left');
      expectEqual((await store.graph('g'))?.generation, 'g3', 'what is current');
      expectEqual(await store.renewGraph('g', 'g4', LONG_MS), true, 'what is staged');
    },
  },
  {
    id: 'graph-expired-is-obsolete',
    title: 'What was staged under a lease that ran out is obsolete.',
    run: async ({ open }) => {
      const store = await open();
      await store.stageGraph('g', 'g1', TINY_MS);
      await untilExpired(store, 'g1');
      await untilStaged(store, 'g', 'g2');
      await store.stageGraph('h', 'h1', TINY_MS);
      await untilExpired(store, 'h1');
      const ids = (await store.obsoleteGenerations()).map(({ generation }) => generation);
      expectEqual(ids, ['g1', 'h1'], 'what is obsolete');
      await store.forgetGeneration('h1');
      expectEqual((await store.obsoleteGenerations()).length, 1, 'what is left');
    },
  },
  {
    id: 'graph-abandoned',
    title: 'An abandoned change is obsolete, leaves what is current and ends the lease at once.',
    run: async ({ open }) => {
      const store = await open();
      await build(store, 'g', 'g1');
      await store.stageGraph('g', 'g2', LONG_MS);
      await store.abandonGraph('g', 'g2');
      expectEqual((await store.graph('g'))?.generation, 'g1', 'what is current');
      expectEqual(
        await store.obsoleteGenerations(),
        [{ graph: 'g', generation: 'g2' }],
        'what is obsolete',
      );
      await build(store, 'g', 'g3');
    },
  },
  {
    id: 'graph-emptied',
    title: 'An emptied graph is gone, its generation obsolete, and its lease still held.',
    run: async ({ open }) => {
      const store = await open();
      await build(store, 'g', 'g1');
      await build(store, 'h', 'h1');
      await store.stageGraph('g', 'g2', LONG_MS);
      expectEqual(await store.emptyGraph('g', 'g2'), true, 'emptying');
      expectEqual(await store.graph('g'), null, 'the graph');
      expectEqual((await store.graphs()).length, 1, 'all graphs');
      expectEqual(
        await store.obsoleteGenerations(),
        [{ graph: 'g', generation: 'g1' }],
        'what is obsolete',
      );
      await expectError(store.stageGraph('g', 'g3', LONG_MS), 'graph_busy', 'staging it');
    },
  },
];

/** Short, but long enough to be renewed in time on a slow machine. */
const RENEWED_MS = 3000;

async function build(store: MetadataStore, name: string, generation: string): Promise<void> {
  await store.stageGraph(name, generation, LONG_MS);
  expect(await store.switchGraph(name, generation, newContent()), `${generation} was not built`);
}

/** Stages a graph once a lease of it has expired. */
function untilStaged(store: MetadataStore, name: string, generation: string): Promise<true> {
  const stage = async (): Promise<true | null> => {
    const [staged] = await Promise.allSettled([store.stageGraph(name, generation, LONG_MS)]);
    return staged.status === 'fulfilled' ? true : null;
  };
  return until(stage, 'staging a graph whose lease ran out');
}

/** Asks somewhere else than the cases do, so that each finds its own mistake. */
function untilExpired(store: MetadataStore, generation: string): Promise<true> {
  const isObsolete = async (): Promise<true | null> => {
    const found = await store.obsoleteGenerations();
    return found.some((each) => each.generation === generation) ? true : null;
  };
  return until(isObsolete, 'a lease that runs out');
}
