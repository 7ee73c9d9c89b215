import type { MetadataStore, RecordState } from '@trove/core/store';

import { expect, expectEqual } from '../expect.js';
import { idOf, oddTexts, startJob } from './setup.js';
import type { MetadataStoreCase } from './subject.js';

const table = idOf('table');
const fromStart = { objectId: table, after: null };

/** Requirements on the threads of records. */
export const recordThreadCases: readonly MetadataStoreCase[] = [
  {
    id: 'threads-with-their-messages',
    parts: ['sources', 'jobs', 'records'],
    title: 'pages the messages of threads without other records',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      const [odd = ''] = oddTexts;
      const messages = [message('a', odd), message('b', 't2'), message('c', 't3')];
      await put(store, [...messages, state('d'), message('e', odd)]);
      await put(store, [message('b', 't4')]);
      const read = async (threads: readonly string[], limit = 9): Promise<string[]> => {
        const found = await store.records.list('c1', { ...fromStart, threads, limit });
        return found.map(({ key, thread }) => `${key} ${thread}`).sort();
      };
      expectEqual(await read([odd, 't3']), [`a ${odd}`, 'c t3', `e ${odd}`], 'of two threads');
      expectEqual(await read(['t2']), [], 'of a thread that its message left');
      expectEqual(await read([]), [], 'of a missing thread');
      expectEqual((await read([odd, 't3'], 2)).length, 2, 'in a page');
    },
  },
  {
    id: 'invalidated-threads',
    parts: ['sources', 'jobs', 'records'],
    title: 'pages the threads with an invalidated message, each once',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await startJob(store, { id: 'j2', connectorId: 'c2' });
      const stale = ['t1', 't1', 't2', 't3'].map((thread, at) => message(`m${at}`, thread, null));
      const others = [message('n1', 't4'), message('n2', 't1'), message('n3', 't5', null)];
      await put(store, [...stale, ...others, state('alone', { version: null })]);
      const found: string[] = [];
      for (;;) {
        const after = found.at(-1) ?? null;
        const page = await store.records.invalidatedThreads('c1', table, { after, limit: 2 });
        expect(page.length <= 2, 'more than the limit');
        if (page.length === 0) break;
        found.push(...page);
      }
      expectEqual(found.sort(), ['t1', 't2', 't3', 't5'], 'threads');
      for (const [connector, object] of [
        ['c1', idOf('other')],
        ['c2', table],
      ] as const) {
        const elsewhere = await store.records.invalidatedThreads(connector, object, {
          after: null,
          limit: 9,
        });
        expectEqual(elsewhere, [], `threads of another object of ${connector}`);
      }
    },
  },
];

function state(key: string, more: Partial<RecordState> = {}): RecordState {
  return { key, version: 'v1', chunks: 1, thread: null, at: null, isTruncated: false, ...more };
}

function message(key: string, thread: string, version: string | null = 'v1'): RecordState {
  return state(key, { thread, version, chunks: 0 });
}

async function put(store: MetadataStore, states: readonly RecordState[]): Promise<void> {
  const held = await store.records.put('j1', 'w1', table, { put: states, removed: [] });
  expect(held, 'the lease was lost');
}
