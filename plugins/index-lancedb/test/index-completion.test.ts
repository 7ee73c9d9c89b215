import { silentLogger } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { groupOf, neverAborted, spec } from '@trove/test-support/index-rows.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { build, type BuildTask } from '../src/build-tasks.js';
import { IndexCompletion, jobTolerance } from '../src/index-completion.js';
import { textRows } from '../src/indices.js';
import { loadLance } from '../src/lance.js';
import { connect } from '../src/location.js';
import { openPair, TableHandle } from '../src/table-handle.js';
import { withCollection } from './world.js';

const test = suite('completion of indices');

const caches = { indices: 1024 ** 2, metadata: 1024 ** 2 };
/** More rows than all indexes are built for at once. */
const largeTable = 200_000;
const oldRows = 600;

/** Completes the indices of a table with old and new rows as if it were large. Returns the kinds of tasks and the missing rows. */
function completed(newRows: number): Promise<{ tasks: string[]; waiting: number }> {
  return withFolder(async (folder) => {
    await withCollection(folder, async (collection) => {
      await collection.replace([groupOf('old', oldRows)], neverAborted);
      await collection.optimize();
      await collection.replace([groupOf('new', newRows)], neverAborted);
    });
    const lance = loadLance();
    const connection = await connect(lance, { uri: folder }, caches);
    const handle = await TableHandle.open(() => openPair(connection, spec.name), null);
    const tasks: string[] = [];
    const run = async (task: BuildTask): Promise<void> => {
      tasks.push(task.kind);
      await build(lance, handle.table, task);
    };
    const completion = new IndexCompletion(handle, spec.dimension, silentLogger, {
      build: run,
      compact: () => run({ kind: 'compaction', cleanupOlderThan: new Date(0) }),
    });
    try {
      await completion.complete(largeTable, jobTolerance);
      const { waiting } = textRows(await handle.table.listIndices());
      return { tasks, waiting };
    } finally {
      handle.close();
      connection.close();
    }
  });
}

test('does not merge the fragments of a large table that is mostly new', async () => {
  const { tasks, waiting } = await completed(oldRows + 10);
  assert.not.ok(tasks.includes('compaction'));
  assert.ok(tasks.includes('indices'));
  assert.is(waiting, 0);
});

test('updates the text indices of a large table with few new rows', async () => {
  const { tasks, waiting } = await completed(oldRows - 10);
  assert.ok(tasks.includes('compaction'));
  assert.is(waiting, 0);
});

test.run();
