import { setImmediate as turn } from 'node:timers/promises';
import { silentLogger } from '@trove/core';
import type { IndexGroup } from '@trove/core/index';
import type { TaskResult } from '@trove/core/store';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { IndexWriter } from '../src/ingest/tasks/index-writer.js';

const test = suite('index writer');

/** A writer that records the groups of each commit. The first commit lasts until `release` is called. */
function setting() {
  const commits: string[][] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const collection = {
    replace: async (groups: readonly IndexGroup[]): Promise<void> => {
      commits.push(groups.map(({ group, load }) => `${group} of ${load}`));
      if (commits.length === 1) await held;
    },
    removeScope: async (): Promise<void> => undefined,
  };
  const store = {
    tasks: {
      complete: async (_worker: string, results: readonly TaskResult[]): Promise<number[]> =>
        results.map(({ taskId }) => taskId),
    },
    records: { put: async (): Promise<boolean> => true },
    objects: { invalidate: async (): Promise<void> => undefined },
    sources: { get: async (): Promise<null> => null },
  };
  // Many callers make each write take a long pause.
  const loadMonitor = { isBusy: true, indexingShare: 0.01 };
  const { signal } = new AbortController();
  const writer = new IndexWriter(
    { collection, store, loadMonitor },
    'worker',
    signal,
    silentLogger,
  );
  let tasks = 0;
  const write = (job: Job, group: string): Promise<unknown> =>
    writer.write(job, [{ group, rows: [] }], { taskId: ++tasks, outcome: 'added' });
  return { writer, write, commits, release };
}

interface Job {
  readonly id: string;
  preparing: number;
  isLarge: boolean;
}

test('a small job waits only for the commit in progress', async () => {
  const { writer, write, commits, release } = setting();
  const large: Job = { id: 'large', preparing: 0, isLarge: true };
  const small: Job = { id: 'small', preparing: 0, isLarge: false };
  const first = write(large, 'a');
  await turn();
  large.preparing = 3;
  const second = write(large, 'b');
  const edited = write(small, 'c');
  release();
  await Promise.all([first, edited]);
  assert.equal(commits, [['a of large'], ['c of small']]);
  await write(small, 'd');
  assert.equal(commits.slice(2), [['d of small']]);
  large.preparing = 0;
  writer.startIfReady();
  await second;
  assert.equal(commits.slice(3), [['b of large']]);
});

test('a small job with tasks in preparation is written with other jobs', async () => {
  const { writer, write, commits, release } = setting();
  release();
  const large: Job = { id: 'large', preparing: 1, isLarge: true };
  const small: Job = { id: 'small', preparing: 1, isLarge: false };
  const written = [write(large, 'a'), write(small, 'b')];
  large.preparing = 0;
  writer.startIfReady();
  assert.equal(commits, []);
  small.preparing = 0;
  writer.startIfReady();
  await Promise.all(written);
  assert.equal(commits, [['a of large', 'b of small']]);
});

test.run();
