import { silentLogger } from '@trove/core';
import { testWorkers } from '@trove/testkit';
import type { IndexQuery } from '@trove/core/index';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ManualClock } from '@trove/test-support/manual-clock.js';
import { groupOf, neverAborted, row, spec } from '@trove/test-support/index-rows.js';
import type { LanceCollection } from '../src/collection.js';
import { LanceIndex } from '../src/database.js';
import { LruCache } from '../src/lru-cache.js';
import type { ScannedRows } from '../src/search.js';
import { SearchCache } from '../src/search-cache.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { withCollection, withTable } from './world.js';

const test = suite('search cache');

const query: IndexQuery = {
  sparse: { terms: ['common'], pairs: [] },
  pairWeight: 0,
  candidates: 50,
  signal: neverAborted.signal,
};
const all: ScannedRows = { text: 'all', vectors: 'all' };

/** Runs with a collection after two equal searches and reads. The second ones come from the cache. */
function withSearched(
  run: (kept: LanceCollection, keys: readonly string[], folder: string) => Promise<void>,
): Promise<void> {
  return withFolder((folder) =>
    withCollection(folder, async (kept) => {
      await kept.replace([groupOf('one', 3), groupOf('two', 2)], neverAborted);
      const keys = await keysIn(kept);
      const read = [await kept.fetch(keys), await kept.identify(keys)];
      assert.equal(await keysIn(kept), keys);
      assert.equal([await kept.fetch(keys), await kept.identify(keys)], read);
      await run(kept, keys, folder);
    }),
  );
}

async function keysIn(collection: LanceCollection): Promise<string[]> {
  return (await collection.search(query)).sparse.map(({ key }) => key);
}

test('is invalidated when another process changes the table', () =>
  withSearched(async (kept, keys, folder) => {
    const other = await LanceIndex.connect({
      uri: folder,
      logger: silentLogger,
      workers: testWorkers,
    });
    try {
      const changed = row('one#0', 'one', { content: 'changed', terms: 'common' });
      await (
        await other.collection(spec)
      ).replace([{ group: 'one', rows: [changed] }], neverAborted);
    } finally {
      await other.close();
    }
    const now = await keysIn(kept);
    assert.is(now.length, 3);
    const contents = (await kept.fetch(now)).map((hit) => hit?.content);
    assert.is(contents.filter((content) => content === 'changed').length, 1);
    const former = await kept.fetch(keys);
    assert.is(former.filter((hit) => hit?.group === 'two').length, 2);
    assert.is(former.filter((hit) => hit?.group === 'one').length, 1);
    assert.is(former.find((hit) => hit?.group === 'one')?.content, 'changed');
    assert.is((await kept.identify(keys)).filter((identity) => identity === null).length, 2);
  }));

test('distinguishes queries by all their parts', () =>
  withSearched(async (kept) => {
    const vector = Float32Array.from({ length: spec.dimension }, (_, at) => (at === 0 ? 1 : 0));
    const others: Partial<IndexQuery>[] = [
      { sourcePrefix: 'file://local/nowhere' },
      { kinds: ['none'] },
      { sparse: { terms: ['absent'], pairs: [] } },
    ];
    for (const other of others) {
      assert.is((await kept.search({ ...query, ...other })).sparse.length, 0);
    }
    assert.is((await kept.search({ ...query, vector })).sparse.length, 5);
    assert.ok((await kept.search({ ...query, vector })).dense.length > 0);
  }));

test('runs concurrent equal queries once and does not cache failures', () =>
  withSearched((_kept, _keys, folder) =>
    withTable(folder, async (table) => {
      const cache = new SearchCache(`${folder}/default.lance`);
      let times = 0;
      const find = async () => {
        times++;
        if (times === 1) throw new Error('failed');
        return { dense: [], sparse: [{ key: '1', score: 1 }] };
      };
      const ask = () => cache.search(table, query, all, find);
      await ask().then(
        () => assert.unreachable(),
        () => undefined,
      );
      const answers = await Promise.all([ask(), ask(), ask()]);
      assert.is(times, 2);
      assert.ok(answers.every(({ sparse }) => sparse[0]?.key.startsWith('1')));
      await ask();
      assert.is(times, 2);
      await cache.search(table, query, { ...all, text: 'none' }, find);
      assert.is(times, 3);
    }),
  ));

test('runs a new query at once and does not cache it if the table has changed', () =>
  withSearched((_kept, _keys, folder) =>
    withTable(folder, async (table) => {
      const cache = new SearchCache(`${folder}/default.lance`);
      let times = 0;
      const find = async () => ({ dense: [], sparse: [{ key: `${++times}`, score: 1 }] });
      const ask = async (indexedOnly: typeof all) =>
        (await cache.search(table, query, indexedOnly, find)).sparse[0]?.key.split('@');
      await ask(all);
      const other = { ...all, text: 'none' } as const;
      const asked = ask(other);
      assert.is(times, 2);
      const key = await asked;
      assert.equal(key?.length, 3);
      assert.equal(await ask(other), key);
      await table.update({ values: { kind: 'changed' } });
      const another = { ...all, vectors: 'none' } as const;
      assert.equal(await ask(another), ['3']);
      assert.is((await ask(another))?.[0], '4');
      assert.is((await ask(another))?.[0], '4');
      assert.is((await ask(other))?.[0], '5');
    }),
  ));

test('is cleared after some time without a search', () =>
  withSearched((_kept, _keys, folder) =>
    withTable(folder, async (table) => {
      using clock = new ManualClock(10_000);
      const cache = new SearchCache(`${folder}/default.lance`);
      let times = 0;
      const find = async () => ({ dense: [], sparse: [], times: ++times });
      for (const pause of [0, 20_000, 20_000, 30_000]) {
        clock.advance(pause);
        await cache.search(table, query, all, find);
      }
      assert.is(times, 2);
    }),
  ));

test('is bounded and keeps the most recently used entries', () => {
  const recent = new LruCache<number>(10);
  recent.set('a', 1, 4);
  recent.set('b', 2, 4);
  assert.is(recent.get('a'), 1);
  recent.set('c', 3, 4);
  assert.equal(
    ['a', 'b', 'c'].map((key) => recent.get(key)),
    [1, undefined, 3],
  );
  recent.set('a', 5, 1);
  recent.set('d', 4, 5);
  assert.equal(
    ['a', 'c', 'd'].map((key) => recent.get(key)),
    [5, 3, 4],
  );
  recent.set('huge', 6, 11);
  assert.equal(
    ['a', 'c', 'd', 'huge'].map((key) => recent.get(key)),
    [undefined, undefined, undefined, undefined],
  );
});

test.run();
