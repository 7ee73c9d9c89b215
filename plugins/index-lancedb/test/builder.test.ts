import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Workers } from '@trove/core/workers';
import { testWorkers } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Table } from '@lancedb/lancedb';
import { silentLogger } from '@trove/core';
import { groupOf, neverAborted, spec } from '@trove/test-support/index-rows.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { testUnless } from '@trove/test-support/skips.js';
import { Builder } from '../src/builder.js';
import { loadLance } from '../src/lance.js';
import { connect } from '../src/location.js';
import { setTextBuild } from '../src/native-settings.js';
import { LanceCollection } from '../src/collection.js';
import { openPair, TableHandle } from '../src/table-handle.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { placeOf, withCollection } from './world.js';

const test = suite('builder');

/** Linux's number of the idle scheduling policy. */
const idle = '5';
/** The position of the policy after the thread's name in Linux's status line. */
const policyByte = 38;
const canYield = spawnSync('chrt', ['--max']).status === 0;
const testOfYielding = testUnless(canYield ? null : 'chrt is not installed', test);

const size = { rows: 1201, dimension: 8 };
const slots = { kind: 'indices', columns: ['slot'], size, atOnce: false } as const;
const texts = { ...slots, columns: ['terms', 'pairs', 'group'], atOnce: true } as const;

/** Runs with a table of 1,200 rows and a builder for the named table in the same folder. */
function withBuilder(
  name: string,
  run: (builder: Builder, table: Table) => Promise<void>,
  workers: Workers = testWorkers,
  yieldMs?: number,
): Promise<void> {
  return withFolder(async (folder) => {
    await withCollection(folder, (collection) =>
      collection.replace([groupOf('g', 1200)], neverAborted),
    );
    const lance = loadLance();
    const connection = await connect(lance, { uri: folder }, { indices: 0, metadata: 0 });
    const table = await connection.openTable('default');
    const builder = new Builder(lance, { uri: folder }, name, workers, yieldMs);
    try {
      await run(builder, table);
    } finally {
      builder.end();
      table.close();
      connection.close();
    }
  });
}

async function indexOf(table: Table, column: string): Promise<number | undefined> {
  const indices = await table.listIndices();
  return indices.find(({ columns }) => columns.includes(column))?.numIndexedRows;
}

/** Returns the scheduling policies of all threads of the child processes. */
function policies(): string[] {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim();
  return children
    .split(' ')
    .filter((pid) => pid !== '')
    .flatMap((pid) => {
      const threads = unlessEnded(() => readdirSync(`/proc/${pid}/task`)) ?? [];
      return threads.flatMap((thread) => policyOf(`/proc/${pid}/task/${thread}`) ?? []);
    });
}

function policyOf(thread: string): string | undefined {
  const stat = unlessEnded(() => readFileSync(`${thread}/stat`, 'utf8'));
  const [, facts] = stat?.split(') ') ?? [];
  return facts?.split(' ')[policyByte];
}

/** A process or thread may end during the read. */
function unlessEnded<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

test('shows each result at once and runs one process after the other', () =>
  withBuilder('default', async (builder, table) => {
    await builder.run(table, slots);
    assert.is(await indexOf(table, 'slot'), size.rows);
    builder.end();
    await builder.run(table, texts);
    for (const column of texts.columns) assert.is(await indexOf(table, column), size.rows);
    await table.delete("slot = 'g#1'");
    const merged = await builder.run(table, {
      kind: 'compaction',
      cleanupOlderThan: new Date(0),
    });
    assert.ok(merged > 0);
    assert.is(await table.countRows(), size.rows - 1);
  }));

test('builds a large text index in larger parts', () => {
  const names = ['LANCE_FTS_NUM_SHARDS', 'LANCE_FTS_PARTITION_SIZE'];
  const given = names.map((name) => process.env[name]);
  const settingsFor = (rows: number): unknown => {
    for (const name of names) delete process.env[name];
    setTextBuild(rows);
    return names.map((name) => process.env[name]);
  };
  try {
    assert.equal(settingsFor(300_000), ['1', '176']);
    assert.equal(settingsFor(1_000_000), ['1', '256']);
  } finally {
    for (const [at, name] of names.entries()) {
      if (given[at] === undefined) delete process.env[name];
      else process.env[name] = given[at];
    }
  }
});

testOfYielding('runs all its threads with idle priority during many searches', () =>
  withBuilder('default', async (builder, table) => {
    await builder.run(table, slots);
    assert.ok(policies().every((policy) => policy !== idle));
    builder.lowerPriority();
    await waitUntil(() => policies().every((policy) => policy === idle), 'all threads to yield');
    await builder.run(table, texts);
    assert.ok(policies().length > 0 && policies().every((policy) => policy === idle));
    builder.end();
    await waitUntil(() => policies().length === 0, 'the process to end');
    await builder.run(table, slots);
    assert.ok(
      policies().every((policy) => policy !== idle),
      'the next process starts without idle priority',
    );
  }),
);

test('lowers the priority of builds only for overlapping searches', () =>
  withFolder(async (folder) => {
    await withCollection(folder, (collection) =>
      collection.replace([groupOf('g', 5)], neverAborted),
    );
    const lance = loadLance();
    const connection = await connect(lance, { uri: folder }, { indices: 0, metadata: 0 });
    const handle = await TableHandle.open(() => openPair(connection, spec.name), null);
    let timesGiven = 0;
    const builder = new (class extends Builder {
      override lowerPriority(): void {
        timesGiven++;
      }
    })(lance, { uri: folder }, spec.name, testWorkers);
    const collection = new LanceCollection(lance, placeOf(handle), builder, spec, silentLogger);
    const sparse = { terms: ['common'], pairs: [] };
    const search = () =>
      collection.search({ sparse, pairWeight: 0, candidates: 5, signal: neverAborted.signal });
    for (let at = 0; at < 8; at++) await search();
    assert.is(timesGiven, 0);
    await Promise.all(Array.from({ length: 8 }, search));
    assert.ok(timesGiven > 0);
    await collection.close();
    connection.close();
  }));

test('restarts a starved task with normal priority', async () => {
  const priorities: string[] = [];
  const workers: Workers = {
    ...testWorkers,
    startProcess: (module, options) => {
      priorities.push(options?.priority ?? 'normal');
      return testWorkers.startProcess(module, options);
    },
  };
  await withBuilder(
    'default',
    async (builder, table) => {
      const building = builder.run(table, texts);
      builder.lowerPriority();
      await building;
      builder.lowerPriority();
      await builder.run(table, slots);
      assert.equal(priorities, ['low', 'normal']);
      assert.is(await indexOf(table, 'terms'), size.rows);
      builder.end();
      await builder.run(table, slots);
      assert.equal(priorities, ['low', 'normal', 'low'], 'the next tasks yield again');
    },
    workers,
    0,
  );
});

test('runs the work in another process and passes on its errors', () =>
  withBuilder('other', async (builder, table) => {
    const error = await builder.run(table, slots).catch((reason: unknown) => reason);
    assert.match(String(error), /other.* was not found/);
    assert.is(await indexOf(table, 'slot'), undefined);
  }));

test('fails the task of an ended process and starts another for the next', () =>
  withBuilder('default', async (builder, table) => {
    const before = await indexOf(table, 'terms');
    await builder.run(table, slots);
    const building = builder.run(table, texts).catch((reason: unknown) => reason);
    builder.end();
    assert.match(String(await building), /has ended/);
    assert.is(await indexOf(table, 'terms'), before);
    await builder.run(table, texts);
    assert.is(await indexOf(table, 'terms'), size.rows);
  }));

test('removes temporary sort files, even in the middle of a task', () =>
  withFolder(async (place) => {
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = place;
    const left = () => readdirSync(place).filter((name) => name.startsWith('trove-worker-'));
    try {
      await withBuilder('default', async (builder, table) => {
        await builder.run(table, slots);
        assert.is(left().length, 1);
        const building = builder.run(table, texts).catch((reason: unknown) => reason);
        builder.end();
        assert.match(String(await building), /has ended/);
        assert.equal(left(), []);
      });
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  }));

test.run();
