import type { Entry } from '@trove/core';
import type { MetadataStore, TaskRecord, TaskResult } from '@trove/core/store';

import { expect, expectEqual } from '../expect.js';
import {
  claim,
  indexPaths,
  addToListing,
  longLeaseMs,
  newObject,
  newTask,
  pathsOf,
  queueJob,
  startJob,
  shortLeaseMs,
  waitForTasks,
  writtenResult,
} from './setup.js';
import type { MetadataStoreCase } from './subject.js';

const taskCount = 200;

export const taskCases: readonly MetadataStoreCase[] = [
  {
    id: 'records-task-repeats',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'repeats the task that follows records when more records have changed',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a']);
      await startJob(store);
      for (let time = 0; time < 2; time++) {
        await addToListing(store, { tasks: [newTask('a', 'records')] });
        const [task, ...others] = await claim(store);
        expect(task !== undefined && others.length === 0, 'one task was expected');
        await store.tasks.complete('w1', [writtenResult(task)]);
      }
      expectEqual((await store.jobs.get('j1'))?.total, 1, 'objects');
    },
  },
  {
    id: 'claim-in-order',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'hands out tasks by priority, then in the order of addition',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      const task = (path: string, priority: number) => newTask(path, 'upsert', { priority });
      await addToListing(store, { tasks: [task('d', 2), task('z', 1), task('b', 1)] });
      await addToListing(store, { tasks: [task('a', 1), task('y', -1.5)] });
      const first = await claim(store, { limit: 2 });
      const rest = await claim(store);
      const paths = [...first, ...rest].map(({ path }) => path);
      expectEqual(first.length, 2, 'the limit');
      expectEqual(paths, ['y', 'z', 'b', 'a', 'd'], 'the order');
    },
  },
  {
    id: 'task-keeps-everything',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'hands out a task as it was added',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      const entry: Entry = {
        path: 'a',
        kind: 'code',
        mediaType: null,
        size: null,
        modifiedAt: 1.25,
        fingerprint: null,
        identity: 'i',
        title: 't',
        fields: { a: 'é', b: 1.5, c: true, d: null },
        skip: 'too large',
      };
      const given = newTask('a', 'upsert', { entry, priority: 3 });
      await addToListing(store, { tasks: [given] });
      const [task] = await claim(store);
      expect(task !== undefined, 'no task');
      expectEqual(
        task,
        { ...given, id: task.id, jobId: 'j1', attempt: 0, deaths: 0, checkpoint: null },
        'the task',
      );
      expectEqual(typeof task.id, 'number', 'the type of its id');
    },
  },
  {
    id: 'claim-of-running-job',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'leases'],
    title: 'hands out tasks of a running job to any worker, and only its own',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store, { id: 'j2', connectorId: 'c2' });
      await addToListing(store, { tasks: [newTask('other')] }, { id: 'j2', worker: 'w1' });
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a'), newTask('b')] });
      const mine = await claim(store, { worker: 'w2', limit: 1 });
      expectEqual(
        mine.map(({ path }) => path),
        ['a'],
        'the task of the job',
      );
      await store.leases.release('w1');
      expectEqual(await claim(store, { worker: 'w2' }), [], 'tasks of a queued job');
    },
  },
  {
    id: 'claim-task-once',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'gives each task to one of several concurrent workers',
    run: async ({ open }) => {
      const stores = await Promise.all([open(), open(), open(), open()]);
      const [store] = stores;
      expect(store !== undefined, 'no store');
      await startJob(store);
      await addToListing(store, { tasks: numbered() });
      const claims = stores.map((each, index) => claimAll(each, `w${index}`));
      const ids = (await Promise.all(claims)).flat().map(({ id }) => id);
      expectEqual(
        [ids.length, new Set(ids).size],
        [taskCount, taskCount],
        'claims, and claimed tasks',
      );
    },
  },
  {
    id: 'task-lease-runs-out',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'gives a task with an expired lease to the next worker',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a')] });
      const [first] = await claim(store, { leaseMs: shortLeaseMs });
      const [task] = await waitForTasks(store);
      const counts = [task?.id, task?.attempt, task?.deaths];
      expectEqual(counts, [first?.id, 1, 1], 'the task, its attempts and deaths');
    },
  },
  {
    id: 'lost-task-cannot-complete',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'rejects the whole result of a worker that lost its task',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a'), newTask('b')] });
      const [kept] = await claim(store, { limit: 1 });
      const [lost] = await claim(store, { limit: 1, leaseMs: shortLeaseMs });
      await waitForTasks(store);
      expect(lost !== undefined && kept !== undefined, 'two tasks were expected');
      const done = await store.tasks.complete('w1', [writtenResult(lost), writtenResult(kept)]);
      expectEqual(done, [kept.id], 'the completed tasks');
      expectEqual(await pathsOf(store), ['a'], 'the objects');
      expectEqual((await store.jobs.get('j1'))?.added, 1, 'the count');
    },
  },
  {
    id: 'expired-task-cannot-complete',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'loses an expired task even without a new worker',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a'), newTask('b')] });
      const [lost] = await claim(store, { limit: 1, leaseMs: shortLeaseMs });
      await queueJob(store, 'j2', 'c2');
      await listedIn(store, 'j2');
      // Granted later and for longer, so when this lease has expired, the other has too.
      await claim(store, { id: 'j2', worker: 'w3', leaseMs: shortLeaseMs * 2 });
      await waitForTasks(store, { id: 'j2', worker: 'w4' });
      expect(lost !== undefined, 'no task');
      expectEqual(await store.tasks.complete('w1', [writtenResult(lost)]), [], 'completing it');
    },
  },
  {
    id: 'complete-tasks',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'counts completed tasks, and writes and removes their objects',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['gone', 'moved']);
      await startJob(store);
      await addToListing(store, {
        tasks: ['a', 'b', 'c', 'd', 'e', 'f'].map((path) => newTask(path)),
      });
      const done = await store.tasks.complete('w1', completions(await claim(store)));
      expectEqual(done.length, 6, 'the completed tasks');
      const job = await store.jobs.get('j1');
      expectEqual(
        [job?.added, job?.changed, job?.removed, job?.unchanged, job?.leftOut, job?.failed],
        [1, 1, 1, 1, 1, 1],
        'added, changed, removed, unchanged, left out and failed',
      );
      expectEqual([job?.chunks, job?.chunksWithoutVector], [12, 3], 'chunks without a vector');
      expectEqual(await store.tasks.countOpen('j1'), 0, 'open tasks');
      expectEqual(await pathsOf(store), ['a', 'a#2', 'b'], 'the objects');
      expectEqual(await claim(store), [], 'tasks left');
    },
  },
  {
    id: 'complete-once',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'ignores a repeated completion',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a')] });
      const [task] = await claim(store);
      expect(task !== undefined, 'no task');
      await store.tasks.complete('w1', [writtenResult(task, { chunks: 3 })]);
      expectEqual(
        await store.tasks.complete('w1', [writtenResult(task)]),
        [],
        'the second completion',
      );
      expectEqual(await store.tasks.complete('w1', []), [], 'nothing');
      const job = await store.jobs.get('j1');
      expectEqual([job?.added, job?.chunks], [1, 3], 'added and chunks');
    },
  },
  {
    id: 'concurrent-counts',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'leases', 'objects'],
    title: 'counts correctly when several workers complete tasks concurrently',
    run: async ({ open }) => {
      const stores = await Promise.all([open(), open(), open(), open()]);
      const [store] = stores;
      expect(store !== undefined, 'no store');
      await startJob(store);
      await addToListing(store, { tasks: numbered() });
      await Promise.all(
        stores.map(async (each, index) => {
          const worker = `w${index}`;
          for (let tasks = await claimSome(each, worker); tasks.length > 0;) {
            await each.tasks.complete(
              worker,
              tasks.map((task) => writtenResult(task)),
            );
            await each.leases.renew(worker, longLeaseMs);
            tasks = await claimSome(each, worker);
          }
        }),
      );
      const job = await store.jobs.get('j1');
      expectEqual([job?.added, job?.chunks], [taskCount, taskCount], 'added and chunks');
      expectEqual((await pathsOf(store)).length, taskCount, 'objects');
      expectEqual(await store.tasks.countOpen('j1'), 0, 'open tasks');
    },
  },
  {
    id: 'retry-later',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'keeps a task to be retried open and uncounted, and delays it',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a')] });
      const [task] = await claim(store);
      expect(task !== undefined, 'no task');
      const later: TaskResult = { taskId: task.id, outcome: 'retry', retryAfterMs: longLeaseMs };
      expectEqual(await store.tasks.complete('w1', [later]), [task.id], 'the answer');
      expectEqual(await claim(store), [], 'tasks before the time');
      expectEqual(await store.tasks.countOpen('j1'), 1, 'open tasks');
      const job = await store.jobs.get('j1');
      expectEqual([job?.added, job?.failed], [0, 0], 'counts');
    },
  },
  {
    id: 'retry-in-time',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'hands out a task to be retried after its delay and counts its attempts',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a'), newTask('b')] });
      const [a, b] = await claim(store);
      expect(a !== undefined && b !== undefined, 'two tasks were expected');
      await store.tasks.complete('w1', [
        { taskId: a.id, outcome: 'retry', retryAfterMs: shortLeaseMs },
        { taskId: b.id, outcome: 'retry' },
      ]);
      const first = await waitForTasks(store);
      const both = first.length === 2 ? first : [...first, ...(await waitForTasks(store))];
      expectEqual(
        Object.fromEntries(both.map(({ path, attempt }) => [path, attempt])),
        { a: 1, b: 1 },
        'the tasks and their attempts',
      );
    },
  },
  {
    id: 'task-continues',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'returns the last checkpoint of a task and forgets earlier failures',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a')] });
      const again = async (): Promise<TaskRecord | undefined> => {
        const [task] = await claim(store);
        if (task !== undefined)
          await store.tasks.complete('w1', [
            { taskId: task.id, outcome: 'retry', retryAfterMs: 0 },
          ]);
        return task;
      };
      await again();
      await again();
      const [task] = await claim(store);
      expectEqual([task?.attempt, task?.checkpoint], [2, null], 'the failures before');
      const id = task?.id ?? 0;
      const checkpoint = { token: 'page \ud800', seen: [[0, 'AQ==']] };
      expectEqual(await store.tasks.checkpoint('w2', id, 'other'), false, 'of another worker');
      expectEqual(await store.tasks.checkpoint('w1', id, 'first'), true, 'of its worker');
      expectEqual(await store.tasks.checkpoint('w1', id, checkpoint), true, 'a later one');
      await store.tasks.complete('w1', [{ taskId: id, outcome: 'retry', retryAfterMs: 0 }]);
      const next = await again();
      expectEqual([next?.id, next?.attempt, next?.checkpoint], [id, 1, checkpoint], 'the task');
      expectEqual(await store.tasks.checkpoint('w1', id, 'late'), false, 'without the task');
    },
  },
  {
    id: 'failures-in-order',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'keeps failures in order after the end of the job, up to the limit',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      const paths = ['d', 'a', 'c', 'b'];
      await addToListing(store, { tasks: paths.map((path) => newTask(path)) });
      const tasks = await claim(store);
      const failed = [...tasks].reverse().map(({ id: taskId, path }) => {
        const failure = { code: 'connector_unhealthy', error: `cannot read ${path}` };
        return { taskId, outcome: 'failed', failure } as const;
      });
      await store.tasks.complete('w1', failed.slice(0, 2));
      await store.tasks.complete('w1', failed.slice(2));
      await store.jobs.finish('j1', 'w1', { status: 'partial', problem: null });
      const found = await store.jobs.failures('j1', 3);
      expectEqual(
        found,
        ['b', 'c', 'a'].map((path) => ({
          path,
          code: 'connector_unhealthy',
          error: `cannot read ${path}`,
        })),
        'the failures',
      );
    },
  },
];

function numbered(): ReturnType<typeof newTask>[] {
  return Array.from({ length: taskCount }, (_, index) => newTask(`file-${index}`));
}

function claimSome(store: MetadataStore, worker: string): Promise<TaskRecord[]> {
  return claim(store, { worker, limit: 7 });
}

async function claimAll(store: MetadataStore, worker: string): Promise<TaskRecord[]> {
  const all: TaskRecord[] = [];
  for (let some = await claimSome(store, worker); some.length > 0;) {
    all.push(...some);
    some = await claimSome(store, worker);
  }
  return all;
}

async function listedIn(store: MetadataStore, id: string): Promise<void> {
  await store.jobs.claim('w9', longLeaseMs);
  await addToListing(store, { tasks: [newTask('x')] }, { id, worker: 'w9' });
}

/** Returns one result of each outcome, such as an object written in two parts and one removed along with it. */
function completions(tasks: readonly TaskRecord[]): TaskResult[] {
  const results: Omit<TaskResult, 'taskId'>[] = [
    {
      outcome: 'added',
      put: [newObject('a', { chunks: 5 }), newObject('a#2', { chunks: 4 })],
      removed: [newObject('moved').id],
    },
    { outcome: 'changed', put: [newObject('b', { chunks: 3 })], chunksWithoutVector: 3 },
    { outcome: 'removed', removed: [newObject('gone').id] },
    { outcome: 'unchanged' },
    { outcome: 'left_out' },
    { outcome: 'failed', failure: { code: 'internal_error', error: 'broken' } },
  ];
  return results.flatMap((result, index) => {
    const task = tasks[index];
    return task === undefined ? [] : [{ ...result, taskId: task.id }];
  });
}
