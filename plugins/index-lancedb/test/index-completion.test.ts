import { join } from 'node:path';
import { silentLogger } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { groupOf, neverAborted, spec } from '@trove/test-support/index-rows.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { build, type BuildTask } from '../src/build-tasks.js';
import { IndexCompletion, jobTolerance, type IndexedVersion } from '../src/index-completion.js';
import { textRows } from '../src/indices.js';
import { loadLance } from '../src/lance.js';
import { connect } from '../src/location.js';
import { OverwrittenRows } from '../src/overwritten-rows.js';
import { openPair, TableHandle } from '../src/table-handle.js';
import { withCollection } from './world.js';

const test = suite('completion of indices');

const caches = { indices: 1024 ** 2, metadata: 1024 ** 2 };
/** More rows than all indexes are built for at once. */
const largeTable = 200_000;
const oldRows = 600;
const rowsWithVectorIndex = 6000;

interface Completed {
  /** The builds, with the columns of indices. */
  readonly tasks: readonly string[];
  /** Rows missing in the text indices. */
  readonly waiting: number;
  /** What was reported, in a table of this version. */
  readonly indexed: readonly IndexedVersion[];
  readonly version: number;
}

/** Completes the indices of the table in a folder as if it were large. */
async function complete(folder: string, buildTask = build): Promise<Completed> {
  const lance = loadLance();
  const connection = await connect(lance, { uri: folder }, caches);
  const handle = await TableHandle.open(() => openPair(connection, spec.name), null);
  const tasks: string[] = [];
  const run = async (task: BuildTask): Promise<void> => {
    tasks.push(task.kind === 'indices' ? task.columns.join() : task.kind);
    await buildTask(lance, handle.table, task);
  };
  const indexed: IndexedVersion[] = [];
  const overwritten = new OverwrittenRows(join(folder, `${spec.name}.lance`));
  const completion = new IndexCompletion(handle, overwritten, spec.dimension, silentLogger, {
    build: run,
    compact: () => run({ kind: 'compaction', cleanupOlderThan: new Date(0) }),
    onIndexed: (version) => void indexed.push(version),
  });
  try {
    const version = await handle.table.version();
    await completion.complete(largeTable, jobTolerance);
    const { waiting } = textRows(await handle.table.listIndices());
    return { tasks, waiting, indexed, version };
  } finally {
    handle.close();
    connection.close();
  }
}

/** Loads and indexes groups of rows by name and count. */
function load(folder: string, counts: Readonly<Record<string, number>>): Promise<void> {
  return withCollection(folder, async (collection) => {
    const groups = Object.entries(counts).map(([name, count]) => groupOf(name, count));
    await collection.replace(groups, neverAborted);
    await collection.optimize();
  });
}

/** Adds rows without indexing them. */
function add(folder: string, name: string, count: number): Promise<void> {
  return withCollection(folder, (collection) =>
    collection.replace([groupOf(name, count)], neverAborted),
  );
}

test('does not merge the fragments of a large table that is mostly new', () =>
  withFolder(async (folder) => {
    await load(folder, { old: oldRows });
    await add(folder, 'new', oldRows + 10);
    const { tasks, waiting, indexed, version } = await complete(folder);
    assert.not.ok(tasks.includes('compaction'));
    assert.ok(tasks.length > 0);
    assert.is(waiting, 0);
    assert.equal(indexed, [{ version, hasVectors: true }]);
  }));

test('updates the text indices of a large table with few new rows', () =>
  withFolder(async (folder) => {
    await load(folder, { old: oldRows });
    await add(folder, 'new', oldRows - 10);
    const { tasks, waiting } = await complete(folder);
    assert.ok(tasks.includes('compaction'));
    assert.is(waiting, 0);
  }));

test('keeps the vector index that a former process has built', () =>
  withFolder(async (folder) => {
    await load(folder, { old: rowsWithVectorIndex, changed: largeTable * 0.005 });
    await add(folder, 'new', oldRows);
    const { tasks, waiting } = await complete(folder);
    assert.equal(tasks, ['compaction']);
    assert.is(waiting, 0);
  }));

test('reports nothing as indexed after a failed build', () =>
  withFolder(async (folder) => {
    await load(folder, { old: oldRows });
    await add(folder, 'new', oldRows + 10);
    const { tasks, indexed } = await complete(folder, (lance, table, task) =>
      task.kind === 'indices'
        ? Promise.reject(new Error('out of memory'))
        : build(lance, table, task),
    );
    assert.ok(tasks.some((task) => task !== 'compaction'));
    assert.equal(indexed, []);
  }));

test('rebuilds a vector index with many rows that former processes have overwritten', () =>
  withFolder(async (folder) => {
    const changed = largeTable * 0.006;
    await load(folder, { old: rowsWithVectorIndex, changed });
    await add(folder, 'changed', changed);
    await add(folder, 'changed', changed);
    const { tasks } = await complete(folder);
    assert.ok(tasks.some((columns) => columns.split(',').includes('vector')));
    await add(folder, 'new', oldRows);
    assert.equal((await complete(folder)).tasks, ['compaction']);
  }));

test.run();
