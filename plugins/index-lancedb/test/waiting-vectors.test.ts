// test-waits
import type { Table } from '@lancedb/lancedb';
import { silentLogger } from '@trove/core';
import type { IndexGroup } from '@trove/core/index';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dimension, groupOf, neverAborted, row, spec } from '@trove/test-support/index-rows.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { testWorkers } from '@trove/testkit';
import type { BuildTask } from '../src/build-tasks.js';
import { Builder } from '../src/builder.js';
import { LanceCollection } from '../src/collection.js';
import { loadLance } from '../src/lance.js';
import { connect } from '../src/location.js';
import { openPair, TableHandle } from '../src/table-handle.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { placeOf, withCollection, withTable } from './world.js';

const test = suite('vectors that wait for their index');

const caches = { indices: 1024 ** 2, metadata: 1024 ** 2 };

/** Enough for a vector index, and more than queries scan while rows are added. */
const oldRows = 6000;
const newRows = 2500;
/** Texts of a background job, more than queries scan while rows are added. */
const smallCount = 200;

/** Builds vector indices only after `release`. */
class HeldBuilder extends Builder {
  readonly asked: Promise<void>;
  readonly #told: Promise<void>;
  #ask = (): void => undefined;
  tell = (): void => undefined;
  holds = false;

  constructor(folder: string) {
    super(loadLance(), { uri: folder }, spec.name, testWorkers);
    this.asked = new Promise((resolve) => (this.#ask = resolve));
    this.#told = new Promise((resolve) => (this.tell = resolve));
  }

  override async run(table: Table, task: BuildTask): Promise<number> {
    if (this.holds && task.kind === 'indices' && task.columns.includes('vector')) {
      this.#ask();
      await this.#told;
    }
    return super.run(table, task);
  }
}

/** Runs with a collection that has an index of old vectors and a builder that builds no other. */
async function withHeld(
  folder: string,
  run: (collection: LanceCollection, builder: HeldBuilder) => Promise<void>,
): Promise<void> {
  await withCollection(folder, async () => undefined);
  const lance = loadLance();
  const connection = await connect(lance, { uri: folder }, caches);
  const handle = await TableHandle.open(() => openPair(connection, spec.name), null);
  const builder = new HeldBuilder(folder);
  const collection = new LanceCollection(lance, placeOf(handle), builder, spec, silentLogger);
  try {
    await collection.replace([groupOf('old', oldRows)], neverAborted);
    await collection.optimize();
    builder.holds = true;
    await run(collection, builder);
  } finally {
    builder.tell();
    await collection.close();
    connection.close();
  }
}

const axis = (): Float32Array => Float32Array.from({ length: dimension }, (_, at) => +(at === 0));

/** A group nearer to the first axis than any other rows. */
function nearAxis(): IndexGroup {
  const rows = Array.from({ length: newRows }, (_, ordinal) => {
    const vector = axis();
    vector[1 + (ordinal % (dimension - 1))] = ordinal / 1e6;
    return row(`new-${ordinal}`, 'new', { ordinal, vector });
  });
  return { group: 'new', rows };
}

async function groupsNearAxis(collection: LanceCollection): Promise<Set<string | undefined>> {
  const query = { vector: axis(), pairWeight: 0, candidates: 5, signal: neverAborted.signal };
  const { dense } = await collection.search(query);
  const rows = await collection.identify(dense.map(({ key }) => key));
  return new Set(rows.map((each) => each?.group));
}

async function waitingVectors(folder: string): Promise<number> {
  let waiting = 0;
  await withTable(folder, async (table) => {
    waiting = (await table.indexStats('vector_idx'))?.numUnindexedRows ?? -1;
  });
  return waiting;
}

function untilIndexed(folder: string): Promise<void> {
  return waitUntil(async () => (await waitingVectors(folder)) === 0, 'the vectors to be indexed');
}

test('finds all unindexed vectors without delaying the job, then indexes them', () =>
  withFolder((folder) =>
    withHeld(folder, async (collection, builder) => {
      // A later search must not use an outdated count.
      assert.equal(await groupsNearAxis(collection), new Set(['old']));
      await collection.replace([nearAxis()], neverAborted);
      const first = await Promise.race([
        collection.optimize().then(() => 'the job to end'),
        builder.asked.then(() => 'the index to be built'),
      ]);
      assert.is(first, 'the job to end');
      await builder.asked;
      assert.is(await waitingVectors(folder), newRows);
      assert.equal(await groupsNearAxis(collection), new Set(['new']));
      builder.tell();
      await untilIndexed(folder);
      assert.equal(await groupsNearAxis(collection), new Set(['new']));
    }),
  ));

test('finds the texts of a small job while vectors of another are indexed', () =>
  withFolder((folder) =>
    withHeld(folder, async (collection, builder) => {
      await collection.replace([nearAxis()], neverAborted);
      await collection.optimize();
      await builder.asked;
      await collection.replace([groupOf('small', smallCount, 'fresh')], neverAborted);
      const ended = collection.optimize();
      const sparse = { terms: ['fresh'], pairs: [] };
      const { sparse: found } = await collection.search({
        sparse,
        pairWeight: 0,
        candidates: 1,
        signal: neverAborted.signal,
      });
      assert.is.not(found.length, 0);
      builder.tell();
      await ended;
    }),
  ));

test('finds unindexed vectors of another process and indexes them after its exit', () =>
  withFolder((folder) =>
    withHeld(folder, async (collection) => {
      await collection.replace([nearAxis()], neverAborted);
      await collection.optimize();
      await withCollection(folder, async (other) => {
        assert.equal(await groupsNearAxis(other), new Set(['new']));
        await untilIndexed(folder);
        assert.equal(await groupsNearAxis(other), new Set(['new']));
      });
    }),
  ));

test('waits for the index when rewritten vectors would be found instead', () =>
  withFolder((folder) =>
    withHeld(folder, async (collection, builder) => {
      await collection.replace([groupOf('old', oldRows, 'again'), nearAxis()], neverAborted);
      const first = await Promise.race([
        collection.optimize().then(() => 'the job to end'),
        builder.asked.then(() => 'the index to be built'),
      ]);
      assert.is(first, 'the index to be built');
    }),
  ));

test.run();
