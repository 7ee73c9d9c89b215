import type { ObjectRecord, StatedFacts, TaskResult } from '@trove/core/store';

import { expect, expectEqual } from '../expect.js';
import {
  claim,
  idOf,
  indexPaths,
  addToListing,
  newConnector,
  newObject,
  newTask,
  oddTexts,
  pathsOf,
  queueJob,
  startJob,
  writtenResult,
} from './setup.js';
import type { MetadataStoreCase } from './subject.js';

const full = newObject('docs/full.md', {
  kind: 'document',
  mediaType: 'text/markdown',
  size: 9_007_199_254_740_991,
  modifiedAt: 1_700_000_000_123.25,
  revision: 'r',
  identity: '66306:12',
  contentHash: 'abc',
  title: 'A title',
  searchStatus: 'partial',
  reason: 'too many chunks',
  chunks: 100_000,
});
/** One of each member, with texts that a store must neither alter nor confuse. */
const statedFacts: StatedFacts = {
  kind: 'message_stream',
  mediaType: 'text/plain',
  fingerprint: 'first',
  title: oddTexts.join('|'),
  url: 'https://example.org/a?b=c#d',
  author: 'Ada',
  fields: { open: true, votes: 2.5, none: null, tags: [...oddTexts], 'a b': 'c' },
  keyFields: ['ts', 'channel'],
};
const bare = newObject('bare', {
  kind: 'binary',
  mediaType: null,
  size: null,
  modifiedAt: null,
  revision: null,
  searchStatus: 'not_indexed',
  indexable: false,
  chunks: 0,
});

/** Code units and code points order the last two differently. */
const inOrder = ['', 'A', 'B', 'a', 'a/b', 'a0', 'b', 'é', '\uff5e', '\u{1f600}'];
const shuffled = ['b', '\u{1f600}', 'a0', 'B', '', '\uff5e', 'a/b', 'é', 'A', 'a'];

export const objectCases: readonly MetadataStoreCase[] = [
  {
    id: 'objects-keep-everything',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'returns an object by its path as last written',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['bare', 'other']);
      await startJob(store);
      await addToListing(store, { tasks: [newTask('docs/full.md')] });
      const [task] = await claim(store);
      expect(task !== undefined, 'no task');
      await store.tasks.complete('w1', [{ taskId: task.id, outcome: 'added', put: [full, bare] }]);
      const found = await store.objects.findByPath('c1', [
        'bare',
        'missing',
        'docs/full.md',
        'bare',
      ]);
      expectEqual(sorted(found), [bare, full], 'the objects');
      expectEqual(await store.objects.findByPath('c1', []), [], 'no paths');
    },
  },
  {
    id: 'objects-keep-stated-facts',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'returns the stated facts of an object as last written, and null for unknown ones',
    run: async ({ open }) => {
      const store = await open();
      const all = new Map<string, StatedFacts | null>([
        ['all', statedFacts],
        ['none', {}],
        ['unknown', null],
      ]);
      for (const stated of [{ title: 'an earlier title' }, undefined]) {
        await startJob(store, { id: `j-${stated?.title ?? ''}` });
        const id = `j-${stated?.title ?? ''}`;
        const tasks = [...all.keys()].map((path) => newTask(path));
        await addToListing(store, { tasks }, { id });
        const results = (await claim(store, { id })).map((task) =>
          writtenResult(task, { stated: stated ?? all.get(task.path) ?? null }),
        );
        await store.tasks.complete('w1', results);
        await store.jobs.finish(id, 'w1', { status: 'succeeded', problem: null });
      }
      const found = await store.objects.findByPath('c1', [...all.keys()]);
      expectEqual(new Map(found.map(({ path, stated }) => [path, stated])), all, 'stated facts');
    },
  },
  {
    id: 'objects-by-identity',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'finds objects by identity, including several with the same one',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a')] });
      const [task] = await claim(store);
      expect(task !== undefined, 'no task');
      const put = [
        newObject('a', { identity: '1' }),
        newObject('b', { identity: '2' }),
        newObject('c', { identity: '2' }),
        newObject('d'),
      ];
      await store.tasks.complete('w1', [{ taskId: task.id, outcome: 'added', put }]);
      const found = await store.objects.findByIdentity('c1', ['2', '3', '1']);
      expectEqual(sorted(found), put.slice(0, 3), 'the objects');
    },
  },
  {
    id: 'objects-of-one-connector',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'hides objects of another connector with the same id and path',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a']);
      await indexPaths(store, ['a', 'b'], { id: 'j2', connectorId: 'c2' });
      expectEqual(await pathsOf(store, 'c1'), ['a'], 'objects of the first connector');
      const [first] = await store.objects.findByPath('c1', ['a']);
      const [second] = await store.objects.findByPath('c2', ['a']);
      expectEqual([first?.connectorId, second?.connectorId], ['c1', 'c2'], 'their connectors');
    },
  },
  {
    id: 'objects-in-order',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'pages objects by path in code point order',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, shuffled);
      const met: string[] = [];
      for (let after: string | null = null; ;) {
        const page = await store.objects.list('c1', { prefix: '', after, limit: 3 });
        met.push(...page.map(({ path }) => path));
        const last = page.at(-1);
        if (last === undefined) break;
        after = last.path;
      }
      expectEqual(met, inOrder, 'the ordered paths');
    },
  },
  {
    id: 'objects-counted-below-path',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'counts the object at a path and those below it, not those with similar names',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a', 'a/b', 'a/b/c', 'a/b.c', 'a/b0', 'a/b c', 'a/B/c', 'x']);
      const count = async (path: string): Promise<number> =>
        (await store.objects.stats('c1', path)).objects;
      expectEqual(await count('a/b'), 2, 'a folder that is an object, too');
      expectEqual(await count('a/B'), 1, 'a folder');
      expectEqual(await count('x'), 1, 'an object');
      expectEqual(await count('nothing'), 0, 'an unknown path');
      const [all] = await store.sources.stats('c1');
      const { objects, chunks, bySearchStatus } = await store.objects.stats('c1', '');
      expectEqual(objects, 8, 'the whole source');
      const { objects: everything, chunks: allChunks, bySearchStatus: byStatus } = all ?? {};
      expectEqual(
        { objects, chunks, bySearchStatus },
        { objects: everything, chunks: allChunks, bySearchStatus: byStatus },
        'the statistics of the source',
      );
    },
  },
  {
    id: 'objects-below-prefix',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'matches a prefix literally and returns everything that starts with it',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, ['a_%/x', 'a_%/', 'a_%', 'ab%/x', 'A_%/y', 'a_%/\u{10ffff}z', 'b']);
      const below = async (prefix: string, after: string | null) =>
        (await store.objects.list('c1', { prefix, after, limit: 10 })).map(({ path }) => path);
      const all = ['a_%/', 'a_%/x', 'a_%/\u{10ffff}z'];
      expectEqual(await below('a_%/', null), all, 'everything below');
      expectEqual(await below('a_%/', 'a'), all, 'after a path before the prefix');
      expectEqual(await below('a_%/', 'a_%/'), all.slice(1), 'after the prefix itself');
      expectEqual(await below('a_%/', 'b'), [], 'after a path behind the prefix');
      expectEqual(await below('a_%/\u{10ffff}', null), all.slice(2), 'below the last character');
    },
  },
  {
    id: 'objects-of-types',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'pages the objects of some types, and those whose type is unknown',
    run: async ({ open }) => {
      const store = await open();
      const mediaTypes = new Map<string, string | null>([
        ['', 'text/plain'],
        ['a.pdf', 'application/pdf'],
        ['b.PDF', ' Application/PDF '],
        ['c.txt', 'text/plain'],
        ['d.txt.GZ', 'text/plain'],
        ['e.gz/f.txt', 'text/plain'],
        ['g', null],
        ['h', 'text/plain; charset=latin1'],
        ['i', 'application/pdfx'],
      ]);
      await startJob(store);
      await addToListing(store, { tasks: [...mediaTypes.keys()].map((path) => newTask(path)) });
      const written = (await claim(store)).map((task) =>
        writtenResult(task, { mediaType: mediaTypes.get(task.path) ?? null }),
      );
      await store.tasks.complete('w1', written);
      const types = { mediaTypes: ['application/pdf'], endings: ['.gz'] };
      const pathsAfter = async (after: string | null, limit: number): Promise<string[]> => {
        const found = await store.objects.list('c1', { prefix: '', after, limit, types });
        return found.map(({ path }) => path);
      };
      const expected = ['', 'a.pdf', 'b.PDF', 'd.txt.GZ', 'g', 'h'];
      expectEqual(await pathsAfter(null, 9), expected, 'the objects of these types');
      expectEqual(await pathsAfter('a.pdf', 2), expected.slice(2, 4), 'a page of them');
      const none = { mediaTypes: [], endings: [] };
      const rest = await store.objects.list('c1', {
        prefix: 'a',
        after: null,
        limit: 9,
        types: none,
      });
      expectEqual(rest, [], 'the objects of no type');
      await store.sources.register(newConnector('c2'));
      const holders = await store.objects.holders(['c1', 'c2', 'none', 'c1'], types);
      expectEqual(holders, ['c1'], 'the sources with objects of these types');
      expectEqual(await store.objects.holders(['c2'], types), [], 'the sources without them');
      expectEqual(await store.objects.holders([], types), [], 'none of no sources');
    },
  },
  {
    id: 'odd-characters',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'stores paths and texts with NUL, lone surrogates and other characters',
    run: async ({ open }) => {
      const store = await open();
      await indexPaths(store, oddTexts);
      const found = await store.objects.findByPath('c1', oddTexts);
      expectEqual(found.map(({ path }) => path).sort(), [...oddTexts].sort(), 'the paths');
      await startJob(store);
      const text = oddTexts.join('|');
      const entry = { path: text, size: 1, modifiedAt: 1, fingerprint: text, title: text };
      await addToListing(store, { tasks: [newTask(text, 'upsert', { entry })] });
      const [task] = await claim(store);
      expectEqual(task?.entry, entry, 'the entry of a task');
      expect(task !== undefined, 'no task');
      const failure = { code: 'internal_error', error: text };
      const put = [newObject(text, { title: text, reason: text })];
      await store.tasks.complete('w1', [{ taskId: task.id, outcome: 'failed', put, failure }]);
      expectEqual(await store.jobs.failures('j1', 1), [{ path: text, ...failure }], 'the failure');
      expectEqual(await store.objects.findByPath('c1', [text]), put, 'the object');
      const config = { [text]: text };
      await store.sources.register(newConnector('c2', { config }));
      expectEqual((await store.sources.get('c2'))?.config, config, 'the configuration');
      expectEqual(await store.jobs.get('\0'), null, 'a job with an odd id');
    },
  },
  {
    id: 'objects-invalidated',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'removes only the revision and content hash of invalidated objects',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a'), newTask('b')] });
      const more = { contentHash: 'h1', identity: 'i1', title: 't1' };
      const done = (await claim(store)).map((task) => writtenResult(task, more));
      await store.tasks.complete('w1', done);
      await store.objects.invalidate('c1', [idOf('a'), idOf('none')]);
      const [a, b] = await store.objects.list('c1', { prefix: '', after: null, limit: 9 });
      expectEqual(a, newObject('a', { ...more, revision: null, contentHash: null }), 'the one');
      expectEqual(b, newObject('b', more), 'the other');
    },
  },
  {
    id: 'long-paths',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'stores and orders paths and identities of several kilobytes',
    run: async ({ open }) => {
      const store = await open();
      const stem = 'Ünïcödé/'.repeat(1000);
      const long = [`${stem}a`, `${stem}b`, `${stem}b/c`];
      await indexPaths(store, [...long].reverse());
      expectEqual(await pathsOf(store), long, 'the ordered paths');
      expectEqual(
        (await store.objects.findByPath('c1', [`${stem}b`])).length,
        1,
        'an object by its path',
      );
      const rest = await store.objects.list('c1', { prefix: stem, after: `${stem}a`, limit: 9 });
      expectEqual(rest.length, 2, 'the objects after the first');
      await startJob(store);
      await addToListing(store, { tasks: [newTask('x')] });
      const [task] = await claim(store);
      expect(task !== undefined, 'no task');
      const put = [newObject('x', { identity: `${stem}1` }), newObject('y', { identity: stem })];
      await store.tasks.complete('w1', [{ taskId: task.id, outcome: 'added', put }]);
      const same = await store.objects.findByIdentity('c1', [`${stem}1`]);
      expectEqual(
        same.map(({ path }) => path),
        ['x'],
        'the object with the identity',
      );
    },
  },
  {
    id: 'large-batches',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'lists, claims, completes and reads batches of 5,000',
    run: async ({ open }) => {
      const store = await open();
      const paths = Array.from({ length: 5000 }, (_, index) => `folder/${index}`);
      await indexPaths(store, paths);
      expectEqual((await store.objects.findByPath('c1', paths)).length, 5000, 'objects by path');
      await queueJob(store);
      await store.jobs.claim('w1', 600_000);
      await addToListing(store, { unchanged: paths });
      expectEqual((await store.jobs.get('j1'))?.unchanged, 5000, 'unchanged objects');
    },
  },
  {
    id: 'left-out-by-reason',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'counts the reasons of left-out objects by frequency, without failures',
    run: async ({ open }) => {
      const store = await open();
      const reasons = new Map([
        ['z.bin', 'not a text'],
        ['y.bin', 'not a text'],
        ['big', 'too large'],
        ['also', 'a rule'],
        ['failed', 'not a text'],
      ]);
      await startJob(store);
      await addToListing(store, {
        tasks: [...reasons.keys(), 'a', 'guessed'].map((path) => newTask(path)),
      });
      const results = (await claim(store)).map(({ id: taskId, path }): TaskResult => {
        const reason = reasons.get(path);
        if (reason === undefined) {
          const put = [newObject(path, path === 'guessed' ? { reason: 'a guess' } : {})];
          return { taskId, outcome: 'added', put };
        }
        const put = [newObject(path, { searchStatus: 'not_indexed', reason, chunks: 0 })];
        return { taskId, outcome: path === 'failed' ? 'failed' : 'left_out', put };
      });
      await store.tasks.complete('w1', results);
      const expected = [
        { reason: 'not a text', objects: 2, path: 'y.bin' },
        { reason: 'a rule', objects: 1, path: 'also' },
        { reason: 'too large', objects: 1, path: 'big' },
      ];
      expectEqual(await store.objects.leftOut('c1', 9), expected, 'all reasons');
      expectEqual(await store.objects.leftOut('c1', 1), expected.slice(0, 1), 'one reason');
      expectEqual(await store.objects.leftOut('none', 9), [], 'of nothing');
      const warnings = [{ reason: 'a guess', objects: 1, path: 'guessed' }];
      expectEqual(await store.objects.warnings('c1', 9), warnings, 'warnings of the other objects');
    },
  },
];

function sorted<T extends Pick<ObjectRecord, 'path'>>(objects: readonly T[]): T[] {
  return [...objects].sort((left, right) => (left.path < right.path ? -1 : 1));
}
