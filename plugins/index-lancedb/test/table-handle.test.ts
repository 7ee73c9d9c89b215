import { join } from 'node:path';
import { connect, type Table } from '@lancedb/lancedb';
import { silentLogger } from '@trove/core';
import { testWorkers } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dimension, groupOf, neverAborted } from '@trove/test-support/index-rows.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { Builder } from '../src/builder.js';
import { ensureTextIndices, has } from '../src/indices.js';
import { loadLance } from '../src/lance.js';
import { LanceMaintenance } from '../src/maintenance.js';
import { openPair, TableHandle } from '../src/table-handle.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { withCollection } from './world.js';

const test = suite('a table opened anew');

/** Runs with a handle on the table of a folder and the list of all tables it opened. */
async function withHandle(
  folder: string,
  run: (handle: TableHandle, opened: readonly Table[]) => Promise<void>,
): Promise<void> {
  const opened: Table[] = [];
  const connection = await connect(folder, { readConsistencyInterval: 0 });
  const handle = await TableHandle.open(
    async () => {
      const pair = await openPair(connection, 'default');
      opened.push(pair.latest);
      return pair;
    },
    join(folder, 'default.lance'),
  );
  try {
    await run(handle, opened);
  } finally {
    handle.close();
    connection.close();
  }
}

test('finishes a call on its old table and closes that table afterwards', () =>
  withFolder(async (folder) => {
    await withCollection(folder, (collection) =>
      collection.replace([groupOf('g', 2)], neverAborted),
    );
    await withHandle(folder, async (handle, opened) => {
      const { promise: renewed, resolve: goOn } = deferred();
      const count = handle.use(async (table) => {
        await renewed;
        return table.countRows();
      });
      await handle.renew();
      assert.is(opened[0]?.isOpen(), true);
      goOn();
      assert.is(await count, 3);
      assert.is(opened[0]?.isOpen(), false);
      assert.is(await handle.use((table) => table.countRows()), 3);
      assert.equal(
        opened.map((table) => table.isOpen()),
        [false, true],
      );
    });
  }));

test('uses the former table until the new one is warm', () =>
  withFolder(async (folder) => {
    await withCollection(folder, (collection) =>
      collection.replace([groupOf('g', 2)], neverAborted),
    );
    await withHandle(folder, async (handle, opened) => {
      const used = async (): Promise<boolean[]> =>
        handle.use(async (table) => opened.map((each) => each === table));
      const seen: boolean[][] = [];
      handle.warming = async (renewed) => {
        assert.is(await renewed.countRows(), 3);
        seen.push(await used());
      };
      await handle.renew();
      assert.equal(
        [...seen, await used()],
        [
          [true, false],
          [false, true],
        ],
      );
      handle.warming = async () => Promise.reject(new Error('it cannot be read'));
      await handle.renew();
      assert.equal(await used(), [false, false, true]);
    });
  }));

test('shows current rows with the held indices while it is held', () =>
  withFolder(async (folder) => {
    await withCollection(folder, async (collection) => {
      await collection.replace([groupOf('g', 2)], neverAborted);
      await withHandle(folder, async (handle, [latest]) => {
        const seen = async (): Promise<unknown> => ({
          rows: await handle.use((table) => table.countRows()),
          isLatest: await handle.use(async (table) => table === latest),
          hasIndex: await handle.use(async (table) => has(await table.listIndices(), 'slot')),
        });
        const index = async (): Promise<void> =>
          handle.table.createIndex('slot', { config: loadLance().Index.btree() });
        await handle.hold();
        await index();
        assert.equal(await seen(), { rows: 3, isLatest: false, hasIndex: false });
        await collection.replace([groupOf('another', 1)], neverAborted);
        assert.equal(await seen(), { rows: 4, isLatest: true, hasIndex: true });
        await handle.table.dropIndex('slot_idx');
        await handle.hold();
        await index();
        assert.equal(await seen(), { rows: 4, isLatest: false, hasIndex: false });
        await collection.replace([groupOf('another', 1)], neverAborted);
        assert.equal(
          await seen(),
          { rows: 4, isLatest: true, hasIndex: true },
          'a row is overwritten',
        );
        await handle.hold();
        await handle.table.dropIndex('slot_idx');
        assert.equal(await seen(), { rows: 4, isLatest: false, hasIndex: true });
        handle.release();
        assert.equal(await seen(), { rows: 4, isLatest: true, hasIndex: false });
      });
    });
  }));

test('falls back to the current index when a held one was removed', () =>
  withFolder(async (folder) => {
    await withCollection(folder, (collection) =>
      collection.replace([groupOf('g', 2)], neverAborted),
    );
    await withHandle(folder, async (handle, [latest]) => {
      await handle.hold();
      await handle.table.dropIndex('terms_idx');
      await ensureTextIndices(loadLance(), handle.table);
      await handle.table.optimize({ cleanupOlderThan: new Date() });
      const used: boolean[] = [];
      const common = new (loadLance().MatchQuery)('common', 'terms');
      const found = await handle.use((table) => {
        used.push(table === latest);
        return table.query().fullTextSearch(common).toArray();
      });
      assert.is(found.length, 2);
      assert.equal(used, [false, true]);
      assert.is(await handle.use(async (table) => table === latest), true);
    });
  }));

function maintenanceOf(handle: TableHandle, folder: string): LanceMaintenance {
  const builder = new Builder(loadLance(), { uri: folder }, 'default', testWorkers);
  const ignore = (): void => undefined;
  return new LanceMaintenance(handle, builder, null, dimension, silentLogger, ignore);
}

test('reads no new index before it is warm', () =>
  withFolder(async (folder) => {
    await withCollection(folder, (collection) =>
      collection.replace([groupOf('g', 2000)], neverAborted),
    );
    await withHandle(folder, async (handle) => {
      const maintenance = maintenanceOf(handle, folder);
      const indexed = (): Promise<number | undefined> =>
        handle.use(async (table) => (await table.indexStats('terms_idx'))?.numIndexedRows);
      const before = await indexed();
      const seen = new Set<number | undefined>();
      let isWarm = false;
      handle.warming = async (renewed) => {
        assert.is((await renewed.indexStats('terms_idx'))?.numIndexedRows, 2001);
        seen.add(await indexed());
        isWarm = true;
      };
      const done = maintenance.optimize();
      while (!isWarm) seen.add(await indexed());
      await done;
      assert.equal([...seen], [before]);
      assert.is(await indexed(), 2001);
      await maintenance.close();
    });
  }));

test('frees replaced indices from memory within a minute', () =>
  withFolder(async (folder) => {
    await withCollection(folder, (collection) =>
      collection.replace([groupOf('g', 2000)], neverAborted),
    );
    await withHandle(folder, async (handle, opened) => {
      const maintenance = maintenanceOf(handle, folder);
      await maintenance.optimize();
      await waitUntil(() => opened[0]?.isOpen() !== true, 'the table to be reopened');
      assert.is(await handle.use((table) => table.countRows()), 2001);
      await maintenance.close();
    });
  }));

test('does not accumulate replaced indices in memory over many jobs', () =>
  withFolder(async (folder) => {
    await withCollection(folder, async (collection) => {
      await withHandle(folder, async (handle, opened) => {
        const maintenance = maintenanceOf(handle, folder);
        for (let job = 1; job <= 2; job++) {
          await collection.replace([groupOf(`job ${job}`, 1500)], neverAborted);
          await maintenance.optimize();
          const isOpen = opened.map((table) => table.isOpen());
          assert.equal(isOpen, [...Array.from({ length: job }, () => false), true]);
        }
        await collection.replace([groupOf('a small job', 10)], neverAborted);
        await maintenance.optimize();
        assert.is(opened.length, 3, 'a table with unchanged indices is not reopened');
        await maintenance.close();
      });
    });
  }));

test('frees indices replaced by another process at the next search', () =>
  withFolder(async (folder) => {
    await withCollection(folder, async (collection) => {
      await withHandle(folder, async (handle, opened) => {
        const maintenance = maintenanceOf(handle, folder);
        await collection.replace([groupOf('g', 1500)], neverAborted);
        await collection.optimize();
        assert.is(opened.length, 1);
        maintenance.searched();
        await waitUntil(() => opened[0]?.isOpen() === false, 'the table to be reopened');
        assert.is(opened.length, 2);
        await maintenance.close();
      });
    });
  }));

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

test.run();
