import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dimension, groupOf, neverAborted, spec } from '@trove/test-support/index-rows.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { loadLance } from '../src/lance.js';
import { connect } from '../src/location.js';
import { ScanPlanner } from '../src/scan-planner.js';
import { openPair, TableHandle } from '../src/table-handle.js';
import { withCollection } from './world.js';

const test = suite('the plan of scans');

const caches = { indices: 1024 ** 2, metadata: 1024 ** 2 };
/** More rows than are scanned during a load, in a table with more indexed rows. */
const some = 2100;
const indexed = 6000;

test('queries scan no rows that were indexed while another load goes on', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      await collection.replace([groupOf('old', indexed)], neverAborted);
      await collection.optimize();
      const connection = await connect(loadLance(), { uri: folder }, caches);
      const handle = await TableHandle.open(() => openPair(connection, spec.name), null);
      try {
        const plans = new ScanPlanner(handle, dimension, { isHigh: true });
        await collection.replace([{ ...groupOf('edited', 1), load: 'finished' }], neverAborted);
        const version = await handle.useLatest((table) => table.version());
        await collection.replace([{ ...groupOf('new', some), load: 'large' }], neverAborted);

        const scanned = async () => (await plans.plan(['large'])).scanned;
        assert.equal(await scanned(), { text: 'finished', vectors: 'finished' });
        plans.markIndexed({ version, hasVectors: false });
        assert.equal(await scanned(), { text: 'none', vectors: 'finished' });
        plans.markIndexed({ version, hasVectors: true });
        assert.equal(await scanned(), { text: 'none', vectors: 'none' });
      } finally {
        handle.close();
        connection.close();
      }
    }),
  ));

test('queries scan the unindexed rows of a table that has replaced another one', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      await collection.replace([groupOf('old', indexed)], neverAborted);
      await collection.optimize();
      await collection.replace([groupOf('new', some)], neverAborted);
      const connection = await connect(loadLance(), { uri: folder }, caches);
      const handle = await TableHandle.open(() => openPair(connection, spec.name), null);
      try {
        const plans = new ScanPlanner(handle, dimension, { isHigh: true });
        // A version of the former table.
        plans.markIndexed({ version: 10_000, hasVectors: true });
        assert.equal((await plans.plan()).scanned, { text: 'all', vectors: 'all' });
      } finally {
        handle.close();
        connection.close();
      }
    }),
  ));

test.run();
