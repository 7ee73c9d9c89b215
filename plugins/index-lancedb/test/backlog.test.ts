import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { groupOf, neverAborted, spec } from '@trove/test-support/index-rows.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { Backlog } from '../src/backlog.js';
import type { LanceCollection } from '../src/collection.js';
import { loadLance } from '../src/lance.js';
import { connect } from '../src/location.js';
import { Pressure } from '../src/pressure.js';
import { openPair, TableHandle } from '../src/table-handle.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { withCollection } from './world.js';

const test = suite('rows that wait for their index');

const mib = 1024 ** 2;
/** Enough rows for an index, and few enough to be scanned. */
const oldRows = 600;
const newRows = 40;
/** More rows than are scanned during a load. */
const some = 200;
/** More rows than many queries scan, in a table with more indexed rows. */
const leftRows = 1100;
const indexed = 1300;

/** Runs with a backlog over a collection, its clock, and a switch for high pressure. */
function withBacklog(
  run: (
    collection: LanceCollection,
    backlog: Backlog,
    now: { ms: number; isHigh: boolean },
    counts: () => number,
  ) => Promise<void>,
  { old = oldRows, maxIdleRows }: { readonly old?: number; readonly maxIdleRows?: number } = {},
): Promise<void> {
  return withFolder((folder) =>
    withCollection(folder, async (collection) => {
      await collection.replace([groupOf('old', old)], neverAborted);
      await collection.optimize();
      const caches = { indices: mib, metadata: mib };
      const connection = await connect(loadLance(), { uri: folder }, caches);
      const handle = await TableHandle.open(() => openPair(connection, spec.name), null);
      const now = { ms: 0, isHigh: false };
      let counts = 0;
      const counting: Pick<TableHandle, 'use'> = {
        use: (action) =>
          handle.use((table) => {
            const indexStats = (name: string) => {
              counts++;
              return table.indexStats(name);
            };
            return action(Object.assign(Object.create(table), { indexStats }));
          }),
      };
      const backlog = new Backlog(counting, {
        index: 'terms_idx',
        pressure: now,
        now: () => now.ms,
        ...(maxIdleRows === undefined ? {} : { maxIdleRows }),
      });
      try {
        await run(collection, backlog, now, () => counts);
      } finally {
        handle.close();
        connection.close();
      }
    }),
  );
}

/** Adds rows right after a count. Resolves when they are counted. */
async function added(
  collection: LanceCollection,
  backlog: Backlog,
  now: { ms: number; isHigh: boolean },
  group: string,
): Promise<void> {
  now.ms += 2000;
  assert.is(await backlog.isLong(), false);
  await collection.replace([groupOf(group, newRows)], neverAborted);
  now.ms += 300;
  now.isHigh = true;
  await waitUntil(() => backlog.isLong(), 'the added rows to be left out under high pressure');
}

test('are scanned while they are few, except during a load under pressure', () =>
  withBacklog(async (collection, backlog, now) => {
    await added(collection, backlog, now, 'new');
    now.isHigh = false;
    assert.is(await backlog.isLong(), false);
  }));

test('are skipped when many searches begin during a load of this process', () =>
  withBacklog(async (collection, backlog, now) => {
    await collection.replace([groupOf('new', newRows)], neverAborted);
    now.ms += 60_000;
    assert.is(await backlog.isLong(), false, 'the time of their addition is unknown');
    backlog.markGrowing();
    now.isHigh = true;
    assert.is(await backlog.isLong(), true);
  }));

test('are left out during their load unless they are few', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      await collection.replace([groupOf('old', oldRows)], neverAborted);
      await collection.optimize();
      await collection.replace([{ ...groupOf('new', some, 'fresh'), load: 'large' }], neverAborted);
      assert.is(await rowsWith(collection, 'fresh', ['large']), 0);
      assert.is.not(await rowsWith(collection, 'fresh', []), 0);
      await collection.optimize();
      assert.is.not(await rowsWith(collection, 'fresh', ['large']), 0);
    }),
  ));

test('are found during their load if they replace others', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      const loading = ['large'];
      const old = [groupOf('kept', indexed, 'indexed'), groupOf('changed', some, 'former')];
      await collection.replace(old, neverAborted);
      await collection.optimize();
      await collection.replace(
        [
          { ...groupOf('changed', some, 'latest'), load: 'large' },
          { ...groupOf('added', some, 'fresh'), load: 'large' },
        ],
        neverAborted,
      );
      assert.is.not(await rowsWith(collection, 'latest', loading), 0);
      assert.is(await rowsWith(collection, 'former', loading), 0);
      assert.is(await rowsWith(collection, 'fresh', loading), 0);
    }),
  ));

test('are indexed during their load if many replace others', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      const all = 3000;
      const old = [groupOf('kept', all + 1000), groupOf('many', all, 'former')];
      await collection.replace(old, neverAborted);
      await collection.optimize();
      await collection.replace(
        [{ ...groupOf('many', all, 'latest'), load: 'large' }],
        neverAborted,
      );
      const isIndexed = async (): Promise<boolean> => {
        // A load of another name leaves nothing out.
        const query = { sparse: { terms: ['latest'], pairs: [] }, pairWeight: 0, candidates: 10 };
        const loading = ['large', 'large changes'];
        return (await collection.search({ ...query, loading, ...neverAborted })).sparse.length > 0;
      };
      await waitUntil(isIndexed, 'the rows to be indexed');
    }),
  ));

test('are found during a load if another load has written them', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      const loading = ['large'];
      await collection.replace([groupOf('old', oldRows, 'indexed')], neverAborted);
      await collection.optimize();
      await collection.replace(
        [{ ...groupOf('new', some, 'loaded'), load: 'large' }],
        neverAborted,
      );
      await collection.replace([{ ...groupOf('small', 1, 'edited'), load: 'small' }], neverAborted);
      await collection.optimize({ loading });
      assert.is(await rowsWith(collection, 'edited', loading), 1);
      assert.is(await rowsWith(collection, 'loaded', loading), 0);
      assert.is.not(await rowsWith(collection, 'indexed', loading), 0);
      const terms = ['edited', 'loaded', 'indexed'];
      const counted = await collection.frequencies(terms, { maxCount: oldRows, loading });
      const counts = terms.map((term) => counted.get(term));
      assert.equal(counts, [1, undefined, oldRows]);

      await collection.replace(
        [{ ...groupOf('small', 1, 'again'), load: 'small 2' }],
        neverAborted,
      );
      assert.is(await rowsWith(collection, 'again', loading), 1);
      assert.is(await rowsWith(collection, 'edited', loading), 0);
    }),
  ));

test('are found when another process has written them', () =>
  withFolder((folder) =>
    withCollection(folder, async (reading) => {
      const loading = ['large'];
      await reading.replace([groupOf('old', indexed)], neverAborted);
      await reading.optimize();
      await withCollection(folder, async (writing) => {
        await writing.replace(
          [{ ...groupOf('new', leftRows, 'loaded'), load: 'large' }],
          neverAborted,
        );
        assert.is(await rowsWith(reading, 'loaded', loading), 0);
        await writing.replace([{ ...groupOf('small', 1, 'edited'), load: 'small' }], neverAborted);
        assert.is(await rowsWith(reading, 'edited', loading), 1);
      });
    }),
  ));

async function rowsWith(
  collection: LanceCollection,
  term: string,
  loading: readonly string[],
): Promise<number> {
  const sparse = { terms: [term], pairs: [] };
  const query = { sparse, pairWeight: 0, candidates: 10, loading, ...neverAborted };
  return (await collection.search(query)).sparse.length;
}

test('are scanned again soon after the last ones arrive', () =>
  withBacklog(async (collection, backlog, now) => {
    await added(collection, backlog, now, 'new');
    now.ms += 14_000;
    assert.is(await backlog.isLong(), true);
    now.ms += 1500;
    assert.is(await backlog.isLong(), false);
  }));

test('are scanned again after the end of their load', () =>
  withBacklog(async (collection, backlog, now) => {
    await added(collection, backlog, now, 'new');
    backlog.markSettled();
    assert.is(await backlog.isLong(), false);
  }));

test('are counted once per version, and again after half a minute', () =>
  withBacklog(async (collection, backlog, now, counts) => {
    for (let turn = 0; turn < 10; turn++, now.ms += 2000) await backlog.isLong();
    assert.is(counts(), 1);
    await collection.replace([groupOf('new', newRows)], neverAborted);
    for (let turn = 0; turn < 3; turn++, now.ms += 2000) await backlog.isLong();
    assert.is(counts(), 2);
    now.ms += 30_000;
    await backlog.isLong();
    assert.is(counts(), 3);
  }));

test('of a finished job are scanned, but only few under high pressure', () =>
  withBacklog(
    async (collection, backlog, now) => {
      await collection.replace([groupOf('new', leftRows)], neverAborted);
      assert.is(await backlog.isLong(), false);
      now.isHigh = true;
      assert.is(await backlog.isLong(), true);
      now.isHigh = false;
      assert.is(await backlog.isLong(), false);
    },
    { old: indexed, maxIdleRows: 2 * leftRows },
  ));

test('reports high pressure after four overlapping searches within a second', async () => {
  let ms = 0;
  const pressure = new Pressure(() => ms);
  const search = (): Promise<void> => pressure.during(async () => undefined);
  for (let turn = 0; turn < 50; turn++) await search();
  assert.is(pressure.isHigh, false, 'one after the other');
  await pressure.during(async () => {
    for (let turn = 0; turn < 3; turn++) await search();
    assert.is(pressure.isHigh, false);
    ms += 900;
    await search();
    assert.is(pressure.isHigh, true);
  });
  ms += 100;
  assert.is(pressure.isHigh, false);
});

test.run();
