// test-waits
import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Table } from '@lancedb/lancedb';
import type { Collection, IndexGroup } from '@trove/core/index';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dimension, groupOf, neverAborted, row } from '@trove/test-support/index-rows.js';
import { withTimeout, waitUntil } from '@trove/test-support/waiting.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { withCollection, withTable } from './world.js';

const test = suite('maintenance');

/** More partitions of the vector index than a query reads at first. */
const rowCount = 90_000;

/** A unit vector at an angle from the first axis, in degrees, in a direction that depends on the seed. */
function near(degrees: number, seed: number): Float32Array {
  const radians = (degrees * Math.PI) / 180;
  const vector = new Float32Array(dimension);
  vector[0] = Math.cos(radians);
  vector[1 + (seed % (dimension - 1))] = Math.sin(radians);
  return vector;
}

const indexed = async (table: Table): Promise<string[]> =>
  (await table.listIndices()).flatMap(({ columns }) => columns).sort();

test('a replacement is one commit', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      const versionOf = async (): Promise<number> => {
        let version = 0;
        await withTable(folder, async (table) => void (version = await table.version()));
        return version;
      };
      await collection.replace([groupOf('a', 2), groupOf('b', 2)], neverAborted);
      const before = await versionOf();
      await collection.replace([groupOf('a', 3), groupOf('b', 2), groupOf('c', 1)], neverAborted);
      assert.is(await versionOf(), before + 1);
      await collection.replace([groupOf('d', 3)], neverAborted);
      assert.is(await versionOf(), before + 2);
      await collection.replace([groupOf('none', 0)], neverAborted);
      assert.is(await versionOf(), before + 2, 'nothing to do');
      await collection.replace(
        [groupOf('a', 0), groupOf('c', 0), groupOf('none', 0)],
        neverAborted,
      );
      assert.is(await versionOf(), before + 3);
      assert.is(await collection.count(), 5);
    }),
  ));

test('writes a very large replacement in parts and leaves no old rows', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      const grownTo = async (commits: number, before: number): Promise<void> =>
        withTable(folder, async (table) => {
          assert.is(await table.version(), before + commits);
        });
      let before = 0;
      await withTable(folder, async (table) => void (before = await table.version()));
      await collection.replace([groupOf('a', 5000, 'first'), groupOf('b', 2)], neverAborted);
      await grownTo(2, before);
      await collection.replace([groupOf('a', 4500, 'second')], neverAborted);
      const rows = await collection.rows('a');
      assert.equal(
        rows.map(({ id }) => id),
        groupOf('a', 4500, 'second').rows.map(({ id }) => id),
      );
      await withTable(folder, async (table) => assert.is(await table.countRows(), 4503));
    }),
  ));

test('removes the tombstones of a shrunken group except the sentinel row', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      await collection.replace([groupOf('g', 5)], neverAborted);
      await collection.replace([groupOf('g', 2)], neverAborted);
      await withTable(folder, async (table) => assert.is(await table.countRows(), 3));
      await collection.removeScope('');
      await withTable(folder, async (table) => assert.is(await table.countRows(), 3));
    }),
  ));

const rowsOf = (group: string, count: number, terms: string): IndexGroup => ({
  group,
  load: group,
  rows: Array.from({ length: count }, (_, i) => row(`${group}-${i}`, group, { ordinal: i, terms })),
});

/**
 * Waits until a keyword search during these loads finds this many rows with the term `fresh`. Five stands for five or
 * more.
 */
async function untilFresh(
  collection: Collection,
  count: number,
  loading: readonly string[] = [],
): Promise<void> {
  const sparse = { terms: ['fresh'], pairs: [] };
  const query = { sparse, pairWeight: 0, candidates: 5, loading, signal: neverAborted.signal };
  const hits = async () => Math.min((await collection.search(query)).sparse.length, 5);
  await waitUntil(async () => (await hits()) === count, `${count} hits`);
}

test('skips a bulk load beside a larger index until it is indexed', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      await collection.replace([rowsOf('first', 5000, 'fresh old')], neverAborted);
      await untilFresh(collection, 5, ['first']);
      await collection.replace([rowsOf('first', 5000, 'old')], neverAborted);
      await collection.optimize();
      await collection.replace([rowsOf('second', 3500, 'fresh')], neverAborted);
      await untilFresh(collection, 0, ['second']);
      await untilFresh(collection, 5);
      await collection.optimize();
      await untilFresh(collection, 5, ['second']);
    }),
  ));

test('finds a load beside a very large index after the optimization', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      for (let i = 0; i < 16; i++)
        await collection.replace([rowsOf(`g${i}`, 5000, 'old')], neverAborted);
      await collection.optimize();
      await collection.replace([rowsOf('more', 1550, 'fresh')], neverAborted);
      await untilFresh(collection, 0, ['more']);
      await collection.optimize();
      await untilFresh(collection, 5, ['more']);
    }),
  ));

test('hides a row that waits for its removal', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      await collection.replace([groupOf('g', 2)], neverAborted);
      const query = { sparse: { terms: ['common'], pairs: [] }, pairWeight: 0, ...neverAborted };
      const { sparse } = await collection.search({ ...query, candidates: 5 });
      const keys = sparse.map(({ key }) => key).toSorted();
      // The state after a crash between the two commits of a replacement by fewer rows.
      await withTable(folder, async (table) => {
        await table.update({ where: "slot = 'g#1'", values: { id: '', group: '', terms: '' } });
      });
      const identities = await collection.identify(keys);
      assert.equal(
        identities.map((identity) => identity?.id),
        keys.map((key) => (key === keys[0] ? 'g::0' : undefined)),
      );
      assert.equal(
        (await collection.fetch(keys)).map((hit) => hit?.id),
        identities.map((identity) => identity?.id),
      );
    }),
  ));

test('keeps the keys of groups when groups are replaced, resized or added', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      const sizes = new Map(Array.from({ length: 300 }, (_, at) => [`g${at}`, 1 + (at % 9)]));
      const write = (names: readonly string[], text: string): Promise<void> =>
        collection.replace(
          names.map((name) => groupOf(name, sizes.get(name) ?? 0, text)),
          neverAborted,
        );
      await write([...sizes.keys()], 'first');
      await collection.optimize();
      const query = { sparse: { terms: ['common'], pairs: [] }, pairWeight: 0, ...neverAborted };
      const { sparse } = await collection.search({ ...query, candidates: 2000 });
      const keys = sparse.map(({ key }) => key);
      const before = await collection.identify(keys);
      assert.is(before.length, 1491);
      const changed = [...sizes.keys()].filter((_, at) => at % 3 === 0);
      changed.forEach((name, at) => sizes.set(name, at % 2 === 0 ? 2 : 12));
      for (let at = 0; at < 40; at++) sizes.set(`new${at}`, 3);
      await write([...changed, ...Array.from({ length: 40 }, (_, at) => `new${at}`)], 'second');
      await collection.optimize();
      const after = await collection.identify(keys);
      const strays = after.filter((now, at) => now !== null && now.group !== before[at]?.group);
      assert.equal(strays, []);
      assert.ok(after.filter((now) => now !== null).length > 1000);
    }),
  ));

test('returns the current row of a key, and null after its removal', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      const put = async (content: string): Promise<void> => {
        const rows = [row('one', 'g', { content, terms: 'word' }), row('two', 'g', { ordinal: 1 })];
        await collection.replace([{ group: 'g', rows }], neverAborted);
      };
      const keys = async (): Promise<string[]> => {
        const sparse = { terms: ['word'], pairs: [] };
        const query = { sparse, pairWeight: 0, candidates: 5, signal: neverAborted.signal };
        return (await collection.search(query)).sparse.map(({ key }) => key);
      };
      const read = async (of: readonly string[]): Promise<(string | undefined)[]> =>
        (await collection.fetch(of)).map((hit) => hit?.content);
      await put('first');
      const found = await keys();
      assert.equal(await read(found), ['first']);
      await put('second');
      assert.equal(await read(found), ['second']);
      for (let i = 0; i < 30; i++)
        await collection.replace([groupOf(`other-${i}`, 20)], neverAborted);
      await collection.optimize();
      assert.equal(await read(found), ['second']);
      const [identity] = await collection.identify(found);
      assert.equal([identity?.id, identity?.group], ['one', 'g']);
      await collection.removeScope('scope');
      assert.equal(await read(found), [undefined]);
      assert.equal(await collection.identify(found), [null]);
    }),
  ));

test('ends the process that builds indices after its work', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      await collection.replace([groupOf('g', 1200)], neverAborted);
      const started: Promise<unknown>[] = [];
      const note = (message: unknown): void => {
        const child: unknown = Reflect.get(Object(message), 'process');
        if (child instanceof ChildProcess) started.push(once(child, 'exit'));
      };
      subscribe('child_process', note);
      try {
        await collection.optimize();
      } finally {
        unsubscribe('child_process', note);
      }
      assert.is(started.length, 1);
      await withTimeout(Promise.all(started), 'the process');
      await withTable(folder, async (table) => {
        assert.ok((await indexed(table)).includes('slot'), 'the index was built');
      });
    }),
  ));

test('closing does not wait for an index build', () =>
  withFolder(async (folder) => {
    const started: ChildProcess[] = [];
    const note = (message: unknown): void => {
      const child: unknown = Reflect.get(Object(message), 'process');
      if (child instanceof ChildProcess) started.push(child);
    };
    subscribe('child_process', note);
    try {
      await withCollection(folder, async (collection) => {
        await collection.replace([groupOf('g', 1200)], neverAborted);
        void collection.optimize();
        await waitUntil(async () => started.length > 0, 'the process');
        // The build never ends.
        for (const child of started) child.kill('SIGSTOP');
      });
    } finally {
      unsubscribe('child_process', note);
    }
    assert.is(started.length, 1);
    await withTable(folder, async (table) => assert.is(await table.countRows(), 1201));
  }));

test('does not optimize for a few new rows', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      await collection.replace([groupOf('g', 50)], neverAborted);
      let before = 0;
      await withTable(folder, async (table) => void (before = await table.version()));
      await collection.optimize();
      await withTable(folder, async (table) => assert.is(await table.version(), before));
    }),
  ));

test('merges many small commits right after a job, even during writes', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      for (let i = 0; i < 30; i++) await collection.replace([groupOf(`g${i}`, 1)], neverAborted);
      await collection.optimize();
      let fragments = 30;
      let written = 30;
      const look = () =>
        withTable(folder, async (table) => {
          fragments = (await table.stats()).fragmentStats.numFragments;
        });
      await waitUntil(async () => {
        await collection.replace([groupOf(`g${written++}`, 1)], neverAborted);
        await look();
        return fragments < written - 20;
      }, 'the commits to be merged');
      assert.is(await collection.count(), written);
    }),
  ));

test('builds column indices from 1000 rows and the vector index from 5000', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      await withTable(folder, async (table) =>
        assert.equal(await indexed(table), ['pairs', 'terms']),
      );
      const far = groupOf('far', 1500).rows.map((each) => ({ ...each, vector: near(180, 0) }));
      await collection.replace([{ group: 'far', rows: far }], neverAborted);
      await collection.optimize();
      const columns = ['group', 'kind', 'pairs', 'scope', 'slot', 'source', 'terms'];
      await withTable(folder, async (table) => assert.equal(await indexed(table), columns));
      const many = Array.from({ length: rowCount }, (_, i) =>
        row(`b${i}`, 'near', { ordinal: i, vector: near(i % 80, i) }),
      );
      await collection.replace([{ group: 'near', rows: many }], neverAborted);
      await collection.optimize();
      const all = [...columns, 'vector'];
      await withTable(folder, async (table) => assert.equal(await indexed(table), all));
      const query = {
        vector: near(0, 0),
        pairWeight: 0,
        candidates: 5,
        signal: neverAborted.signal,
      };
      const { dense } = await collection.search(query);
      assert.ok((dense[0]?.score ?? 0) > 0.9999, 'the nearest vector is found');
      const limited = await collection.search({ ...query, sourcePrefix: 'file://local/far' });
      assert.ok(limited.dense.length >= 5, 'all rows within the limit, even distant ones');
      const identities = await collection.identify(limited.dense.map(({ key }) => key));
      assert.equal(new Set(identities.map((identity) => identity?.group)), new Set(['far']));
    }),
  ));

test('builds missing text indices when a table is opened', () =>
  withFolder(async (folder) => {
    await withCollection(folder, (collection) =>
      collection.replace([groupOf('g', 2)], neverAborted),
    );
    await withTable(folder, async (table) => table.dropIndex('terms_idx'));
    await withCollection(folder, async (collection) => {
      const { sparse } = await collection.search({
        sparse: { terms: ['common'], pairs: [] },
        pairWeight: 0,
        candidates: 5,
        signal: neverAborted.signal,
      });
      assert.is(sparse.length, 2);
    });
  }));

test.run();
