import type { ModelUsage } from '@trove/core/model';
import type { MetadataStore, SummaryRecord } from '@trove/core/store';

import { expect, expectEqual } from '../expect.js';
import {
  claim,
  idOf,
  indexPaths,
  addToListing,
  longLeaseMs,
  newTask,
  oddTexts,
  startJob,
  shortLeaseMs,
  waitForTakeover,
} from './setup.js';
import type { MetadataStoreCase } from './subject.js';

const nothing: ModelUsage = { calls: 0, inputTokens: 0, outputTokens: 0 };
/** A folder's path ends with a slash, so it comes just before its content. */
const inOrder = ['', 'a', 'a-b/', 'a-b/c', 'a/', 'a/x', 'a0', '\uff5e', '\u{1f600}'];
const shuffled = ['a/x', '\u{1f600}', '', 'a0', 'a-b/c', 'a/', '\uff5e', 'a', 'a-b/'];

export const summaryCases: readonly MetadataStoreCase[] = [
  {
    id: 'summaries-keep-everything',
    parts: ['sources', 'jobs', 'summaries'],
    title: 'returns a summary by its path as last written, until it is removed',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      const odd = oddTexts.map((text, at) =>
        summary(`odd ${at}`, { text, kind: 'schema_summary', revision: text }),
      );
      await put(store, [summary('a', { text: 'old' }), summary('b'), ...odd]);
      const newer = summary('a', { text: 'new', revision: 'r2', kind: 'vlm_description' });
      await put(store, [newer], [idOf('b')]);
      expectEqual(
        await store.summaries.findByPath('c1', ['a', 'b', 'none', 'a']),
        [newer],
        'the summaries',
      );
      const paths = odd.map(({ path }) => path);
      expectEqual(sorted(await store.summaries.findByPath('c1', paths)), sorted(odd), 'odd texts');
      expectEqual(await store.summaries.findByPath('c1', []), [], 'no paths');
    },
  },
  {
    id: 'summaries-of-one-connector',
    parts: ['sources', 'jobs', 'summaries'],
    title: 'returns only the summaries of the connector',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await startJob(store, { id: 'j2', connectorId: 'c2' });
      await put(store, [summary('a')]);
      expectEqual(await store.summaries.findByPath('c2', ['a']), [], 'by path');
    },
  },
  {
    id: 'summaries-in-order',
    parts: ['sources', 'jobs', 'summaries'],
    title: 'pages summaries in the code point order of their paths',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await put(
        store,
        shuffled.map((path) => summary(path)),
      );
      const paths: string[] = [];
      for (let after: string | null = null; ; after = paths.at(-1) ?? null) {
        const page: SummaryRecord[] = await store.summaries.list('c1', { after, limit: 2 });
        if (page.length === 0) break;
        expect(page.length <= 2, `a page of 2 has ${page.length}`);
        paths.push(...page.map(({ path }) => path));
        expect(paths.length <= inOrder.length, 'the pages do not end');
      }
      expectEqual(paths, inOrder, 'the paths');
    },
  },
  {
    id: 'summaries-counted',
    parts: ['sources', 'jobs', 'leases', 'summaries'],
    title: 'counts the summaries written in a job and their cost',
    run: async ({ open }) => {
      const store = await open();
      const { summarizing, summaries, modelUsage } = await startJob(store);
      expectEqual([summarizing, summaries, modelUsage], [false, 0, nothing], 'at first');
      await store.leases.release('w1', { died: true });
      await store.jobs.claim('w1', longLeaseMs);
      const use = { calls: 3, inputTokens: 3_000_000_000, outputTokens: 20 };
      await put(store, [], [], use);
      expectEqual((await store.jobs.get('j1'))?.deaths, 1, 'deaths without progress');
      await put(store, [summary('a'), summary('b')], ['none'], use);
      const job = await store.jobs.get('j1');
      const sum = { calls: 6, inputTokens: 6_000_000_000, outputTokens: 40 };
      expectEqual(
        [job?.summarizing, job?.summaries, job?.modelUsage, job?.deaths],
        [true, 2, sum, 0],
        'after two changes',
      );
    },
  },
  {
    id: 'summaries-in-stats',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'summaries'],
    title: 'counts summaries in the statistics of a connector',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a', 'b']);
      await startJob(store);
      await put(store, [summary('a'), summary('b'), summary('')]);
      const [stats] = await store.sources.stats('c1');
      expectEqual(stats?.summaries, 3, 'summaries');
    },
  },
  {
    id: 'summaries-go-with-objects',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'summaries'],
    title: 'removes the summary of a removed object',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await put(store, [summary('a'), summary('b')]);
      await addToListing(store, { tasks: [newTask('a', 'delete')] });
      await store.listings.finish('j1', 'w1', { complete: false });
      const [task] = await claim(store);
      expect(task !== undefined, 'no task');
      await store.tasks.complete('w1', [
        { taskId: task.id, outcome: 'removed', removed: [idOf('a')] },
      ]);
      expectEqual(await pathsOf(store), ['b'], 'remaining summaries');
    },
  },
  {
    id: 'summaries-go-with-the-connector',
    parts: ['sources', 'jobs', 'summaries'],
    title: 'deletes the summaries of a deleted connector',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await put(store, [summary('a')]);
      await store.sources.delete('c1');
      await startJob(store, { id: 'j2' });
      expectEqual(await pathsOf(store), [], 'summaries after a new registration');
    },
  },
  {
    id: 'summaries-need-the-lease',
    parts: ['sources', 'jobs', 'summaries'],
    title: 'rejects summaries of a worker that lost its lease',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store, { leaseMs: shortLeaseMs });
      await waitForTakeover(store);
      const change = { put: [summary('a')], removed: [], modelUsage: { ...nothing, calls: 1 } };
      expectEqual(await store.summaries.put('j1', 'w1', change), false, 'the answer');
      expectEqual(await store.summaries.put('none', 'w1', change), false, 'for an unknown job');
      expectEqual(await pathsOf(store), [], 'the written summaries');
      expectEqual((await store.jobs.get('j1'))?.modelUsage, nothing, 'the counts');
    },
  },
  {
    id: 'end-adds-to-the-job',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: "adds the warnings, failures and gaps of a job's end to those of the job",
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a')] });
      const [task] = await claim(store);
      expect(task !== undefined, 'no task');
      const failure = { code: 'not_found', error: 'It is gone.' };
      await store.tasks.complete('w1', [{ taskId: task.id, outcome: 'failed', failure }]);
      const failures = [
        { path: 'b', code: 'llm_unavailable', error: 'No answer.' },
        { path: 'c/', code: 'timed_out', error: 'Too slow.' },
      ];
      await store.jobs.finish('j1', 'w1', {
        status: 'partial',
        problem: null,
        warnings: ['second'],
        failures,
        summariesMissing: 2,
      });
      const job = await store.jobs.get('j1');
      expectEqual([job?.warnings, job?.summariesMissing], [['second'], 2], 'the job');
      const all = await store.jobs.failures('j1', 9);
      expectEqual(sorted(all), [{ path: 'a', ...failure }, ...failures], 'the failures');
    },
  },
];

function summary(path: string, more: Partial<SummaryRecord> = {}): SummaryRecord {
  return { id: idOf(path), path, kind: 'summary', text: 'About it.', revision: 'r1', ...more };
}

async function put(
  store: MetadataStore,
  records: readonly SummaryRecord[],
  removed: readonly string[] = [],
  modelUsage: ModelUsage = nothing,
): Promise<void> {
  const held = await store.summaries.put('j1', 'w1', { put: records, removed, modelUsage });
  expect(held, 'the lease was lost');
}

async function pathsOf(store: MetadataStore): Promise<string[]> {
  const all = await store.summaries.list('c1', { after: null, limit: 100 });
  return all.map(({ path }) => path);
}

function sorted<T extends { readonly path: string }>(records: readonly T[]): T[] {
  return [...records].sort((left, right) => (left.path < right.path ? -1 : 1));
}
