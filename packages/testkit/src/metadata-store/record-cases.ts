import type { MetadataStore, RecordState, StoredRecord } from '@trove/core/store';

import { expect, expectEqual } from '../expect.js';
import {
  claim,
  idOf,
  addToListing,
  newTask,
  oddTexts,
  startJob,
  shortLeaseMs,
  waitForTakeover,
} from './setup.js';
import type { MetadataStoreCase } from './subject.js';

const table = idOf('table');

export const recordCases: readonly MetadataStoreCase[] = [
  {
    id: 'records-compared',
    parts: ['sources', 'jobs', 'records'],
    title: 'compares records by version',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      const odd = oddTexts.map((text) => state(`odd ${text}`, { version: text }));
      await put(store, [state('a'), state('b'), state('none', { version: null }), ...odd]);
      const given = new Map(odd.map(({ key, version }) => [key, version ?? '']));
      for (const key of ['a', 'none', 'new']) given.set(key, 'v1');
      given.set('b', 'v2');
      const found = await store.records.compare('c1', table, given);
      expectEqual([...found.added], ['new'], 'new records');
      expectEqual(
        keysOf(found.changed),
        ['b', 'none'],
        'records with another version, or with none',
      );
      const unchanged = await numbersOf(store, ['a', ...odd.map(({ key }) => key)]);
      expectEqual([...found.unchanged].sort(byNumber), unchanged, 'numbers of unchanged records');
      const anyVersion = new Map(['a', 'none', 'new'].map((key) => [key, null]));
      const keys = await store.records.compare('c1', table, anyVersion);
      expectEqual([keys.changed, [...keys.added]], [[], ['new']], 'compared by their keys only');
      const known = [...keys.unchanged].sort(byNumber);
      expectEqual(known, await numbersOf(store, ['a', 'none']), 'numbers of known records');
      const nothing = await store.records.compare('c1', table, new Map());
      expectEqual(nothing, { unchanged: [], changed: [], added: [] }, 'no records');
    },
  },
  {
    id: 'records-of-one-object',
    parts: ['sources', 'jobs', 'records'],
    title: 'compares, counts and reads only the records of the given object',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await startJob(store, { id: 'j2', connectorId: 'c2' });
      await put(store, [state('a')]);
      const given = new Map([['a', 'v1']]);
      for (const [connector, object] of [
        ['c1', idOf('other')],
        ['c2', table],
      ] as const) {
        const { added } = await store.records.compare(connector, object, given);
        expectEqual([...added], ['a'], `compared with ${connector}`);
        const totals = await store.records.totals(connector, object);
        const none = { records: 0, chunks: 0, truncated: 0, last: 0 };
        expectEqual(totals, none, `totals of ${connector}`);
        const page = { objectId: object, after: null, limit: 9 };
        expectEqual(await store.records.list(connector, page), [], `read from ${connector}`);
      }
    },
  },
  {
    id: 'records-in-pages',
    parts: ['sources', 'jobs', 'records'],
    title: 'pages the records of one object or of all, each once',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      const keys = ['b', 'a', '10', '9', '\u{1f600}', '\uff5e'];
      const others = ['a', 'z'];
      const other = idOf('other');
      await put(
        store,
        keys.map((key) => state(key)),
      );
      await store.records.put('j1', 'w1', other, {
        put: others.map((key) => state(key)),
        removed: [],
      });
      const names = (objectId: string, of: readonly string[]): string[] =>
        of.map((key) => `${objectId} ${key}`);
      const expected = [...names(table, keys), ...names(other, others)];
      expectEqual((await pages(store, null)).sort(), expected.sort(), 'records of all objects');
      expectEqual((await pages(store, other)).sort(), names(other, others), 'of one object');
    },
  },
  {
    id: 'records-keep-their-number',
    parts: ['sources', 'jobs', 'records'],
    title: 'keeps the number of a record while it is stored',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await put(store, [state('a'), state('b')]);
      const before = await all(store);
      await put(store, [state('b', { version: 'v2', chunks: 7 }), state('c')]);
      const after = await all(store);
      expectEqual(
        after.filter(({ key }) => key !== 'c').map(({ number }) => number),
        before.map(({ number }) => number),
        'numbers after a change',
      );
      const numbers = after.map(({ number }) => number);
      expectEqual(new Set(numbers).size, 3, 'different numbers');
      expect(
        numbers.every((number) => Number.isSafeInteger(number) && number > 0),
        'a wrong number',
      );
      const changed = after.find(({ key }) => key === 'b');
      expectEqual([changed?.version, changed?.chunks], ['v2', 7], 'the last stored records');
    },
  },
  {
    id: 'record-numbers-are-unique',
    parts: ['sources', 'jobs', 'records'],
    title: 'Gives the records of all objects of a connector different numbers.',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      const states = ['a', 'b'].map((key) => state(key));
      await put(store, states);
      await store.records.put('j1', 'w1', idOf('other'), { put: states, removed: [] });
      const page = { objectId: null, after: null, limit: 9 };
      const found = await store.records.list('c1', page);
      expectEqual(new Set(found.map(({ number }) => number)).size, 4, 'different numbers');
    },
  },
  {
    id: 'records-in-a-time-range',
    parts: ['sources', 'jobs', 'records'],
    title: 'Pages the records of one object with a time in a range, without its end.',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      const times = [1.5, 2_000_000_000_000.25, 3, null, 0, -1, 2];
      await put(
        store,
        times.map((at, key) => state(`${key}`, { at })),
      );
      await put(store, [state('6', { at: 9 })]);
      await store.records.put('j1', 'w1', idOf('other'), {
        put: [state('x', { at: 2 })],
        removed: [],
      });
      const read = async (from: number, to: number): Promise<(number | null)[]> => {
        const found: StoredRecord[] = [];
        for (;;) {
          const after = found.at(-1) ?? null;
          const options = { objectId: table, times: { from, to }, after, limit: 1 };
          const page = await store.records.list('c1', options);
          if (page.length === 0) break;
          found.push(...page);
          expect(found.length <= times.length, 'the pages do not end');
        }
        return found.map(({ at }) => at).sort((left, right) => Number(left) - Number(right));
      };
      expectEqual(await read(0, 3), [0, 1.5], 'times from 0 to 3');
      expectEqual(await read(-5, 0), [-1], 'times before 0');
      const late = 2_000_000_000_000.25;
      expectEqual(await read(9, late), [9], 'a changed time');
      expectEqual(await read(late, late + 1), [late], 'a late time');
    },
  },
  {
    id: 'records-removed',
    parts: ['sources', 'jobs', 'records'],
    title: 'removes records before it stores others',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await put(store, [state('a'), state('b'), state('c')]);
      await put(store, [state('c', { version: 'v2' })], ['a', 'c', 'none']);
      const left = await all(store);
      expectEqual(
        left.map(({ key, version }) => [key, version]),
        [
          ['b', 'v1'],
          ['c', 'v2'],
        ],
        'remaining records',
      );
    },
  },
  {
    id: 'records-counted',
    parts: ['sources', 'jobs', 'records'],
    title: 'counts the chunks of records in their object and in the job',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await put(store, [state('a', { chunks: 2 }), state('b', { chunks: 3 })]);
      await put(store, [state('a', { chunks: 4 })]);
      const [first, second] = await all(store);
      const last = Math.max(first?.number ?? 0, second?.number ?? 0);
      const totals = { records: 2, chunks: 7, truncated: 0, last };
      expectEqual(await store.records.totals('c1', table), totals, 'totals');
      expectEqual((await store.jobs.get('j1'))?.chunks, 9, 'chunks of the job');
    },
  },
  {
    id: 'records-truncated',
    parts: ['sources', 'jobs', 'records'],
    title: 'counts truncated records',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await put(store, [
        state('a', { isTruncated: true }),
        state('b', { isTruncated: true }),
        state('c'),
      ]);
      await put(store, [state('b')]);
      expectEqual((await store.records.totals('c1', table)).truncated, 1, 'truncated records');
      const left = await all(store);
      expectEqual(
        left.map(({ isTruncated }) => isTruncated),
        [true, false, false],
        'the stored state of each',
      );
    },
  },
  {
    id: 'records-need-the-lease',
    parts: ['sources', 'jobs', 'records'],
    title: 'invalidates the records that a worker without job and task tries to change',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store, { leaseMs: shortLeaseMs });
      await waitForTakeover(store);
      const update = { put: [state('a', { version: 'v2' }), state('b')], removed: ['c'] };
      const kept = { put: [state('a'), state('c'), state('d')], removed: [] };
      expectEqual(await store.records.put('j1', 'w2', table, kept), true, 'by the new holder');
      expectEqual(await store.records.put('j1', 'w1', table, update), false, 'by the old holder');
      expectEqual(
        await store.records.put('none', 'w1', table, update),
        false,
        'for an unknown job',
      );
      const left = await all(store);
      expectEqual(
        left.map(({ key, version }) => [key, version]),
        [
          ['a', null],
          ['c', null],
          ['d', 'v1'],
        ],
        'the stored records',
      );
    },
  },
  {
    id: 'records-of-a-held-task',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'records'],
    title: "lets the holder of an object's task change its records, regardless of the job",
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('table'), newTask('other')] });
      const tasks = await claim(store, { worker: 'w2' });
      const update = { put: [state('a')], removed: [] };
      expectEqual(
        await store.records.put('j1', 'w2', table, update),
        true,
        'while the task is held',
      );
      await store.tasks.complete(
        'w2',
        tasks.map(({ id }) => ({ taskId: id, outcome: 'unchanged' })),
      );
      expectEqual(
        await store.records.put('j1', 'w2', table, update),
        false,
        'after its completion',
      );
    },
  },
  {
    id: 'records-invalidated',
    parts: ['sources', 'jobs', 'records'],
    title: 'treats only invalidated records as changed',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await put(store, [state('a'), state('b')]);
      await store.records.invalidate('c1', table, ['b', 'none']);
      await store.records.invalidate('c1', table, []);
      const left = await all(store);
      expectEqual(
        left.map(({ version }) => version),
        ['v1', null],
        'versions',
      );
    },
  },
  {
    id: 'records-go-with-objects',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'records'],
    title: 'removes the records of a removed object',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await put(store, [state('a')]);
      await addToListing(store, { tasks: [newTask('table', 'delete')] });
      await store.listings.finish('j1', 'w1', { complete: false });
      const [task] = await claim(store);
      expect(task !== undefined, 'no task');
      await store.tasks.complete('w1', [{ taskId: task.id, outcome: 'removed', removed: [table] }]);
      expectEqual(await all(store), [], 'remaining records');
    },
  },
  {
    id: 'records-go-with-the-connector',
    parts: ['sources', 'jobs', 'records'],
    title: 'deletes the records of a deleted connector',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await put(store, [state('a')]);
      await store.sources.delete('c1');
      await startJob(store, { id: 'j2' });
      expectEqual(await all(store), [], 'records after a new registration');
    },
  },
  {
    id: 'chunks-as-counted',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'counts the chunks of a result in the job, if given',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a')] });
      const [task] = await claim(store);
      expect(task !== undefined, 'no task');
      await store.tasks.complete('w1', [{ taskId: task.id, outcome: 'unchanged', chunks: 5 }]);
      expectEqual((await store.jobs.get('j1'))?.chunks, 5, 'chunks');
    },
  },
];

function state(key: string, more: Partial<RecordState> = {}): RecordState {
  return { key, version: 'v1', chunks: 1, thread: null, at: null, isTruncated: false, ...more };
}

async function put(
  store: MetadataStore,
  states: readonly RecordState[],
  removed: readonly string[] = [],
): Promise<void> {
  const held = await store.records.put('j1', 'w1', table, { put: states, removed });
  expect(held, 'the lease was lost');
}

/** Returns all records in key order. */
async function all(store: MetadataStore): Promise<StoredRecord[]> {
  const found = await store.records.list('c1', { objectId: table, after: null, limit: 100 });
  return [...found].sort((left, right) => (left.key < right.key ? -1 : 1));
}

async function pages(store: MetadataStore, objectId: string | null): Promise<string[]> {
  const found: StoredRecord[] = [];
  for (;;) {
    const after = found.at(-1) ?? null;
    const page = await store.records.list('c1', { objectId, after, limit: 3 });
    if (page.length === 0) return found.map((record) => `${record.objectId} ${record.key}`);
    expect(page.length <= 3, `a page of 3 has ${page.length}`);
    found.push(...page);
    expect(found.length < 100, 'the pages do not end');
  }
}

async function numbersOf(store: MetadataStore, keys: readonly string[]): Promise<number[]> {
  const wanted = new Set(keys);
  const found = (await all(store)).filter(({ key }) => wanted.has(key));
  return found.map(({ number }) => number).sort(byNumber);
}

function keysOf(records: readonly StoredRecord[]): string[] {
  return records.map(({ key }) => key).sort();
}

function byNumber(left: number, right: number): number {
  return left - right;
}
