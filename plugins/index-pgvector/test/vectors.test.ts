// test-timeout: 300
import type { Collection } from '@trove/core/index';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Client } from 'pg';
import { startPgvector, type TestPgvector } from '@trove/test-support/pgvector.js';
import { neverAborted, row } from '@trove/test-support/index-rows.js';
import { randomFrom } from '@trove/test-support/random.js';
import { withCollection } from './world.js';

const test = suite('nearest vectors');
let server: TestPgvector;

test.before(async () => {
  server = await startPgvector();
});

test.before.each(() => server.empty());

test.after(() => server.stop());

const testDimension = 24;
const vectorCount = 2000;
const queries = 15;
const nearestCount = 10;
const spec = { name: 'default', dimension: testDimension, embedding: `test/${testDimension}` };

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

function unitVector(random: () => number): Float32Array {
  const vector = Float32Array.from({ length: testDimension }, () => 2 * random() - 1);
  return vector.map((value) => value / Math.hypot(...vector));
}

type Vectors = Map<string, Float32Array>;

/** Replaces a group by random vectors and records the vectors by row id. */
async function fill(
  collection: Collection,
  vectors: Vectors,
  group: string,
  size: number,
  random: () => number,
): Promise<void> {
  for (const id of vectors.keys()) if (id.startsWith(`${group}-`)) vectors.delete(id);
  const rows = Array.from({ length: size }, (_, ordinal) => {
    const id = `${group}-${ordinal}`;
    const vector = unitVector(random);
    vectors.set(id, vector);
    return row(id, group, { ordinal, vector, fields: ordinal % 400 === 0 ? { rare: true } : {} });
  });
  await collection.replace([{ group, rows }], neverAborted);
}

/** Returns the share of the true nearest neighbours that searches find. Checks that scores are cosines. */
async function recall(
  collection: Collection,
  vectors: Vectors,
  random: () => number,
): Promise<number> {
  let found = 0;
  for (let i = 0; i < queries; i++) {
    const vector = unitVector(random);
    const query = { vector, pairWeight: 0, candidates: nearestCount, signal: neverAborted.signal };
    const { dense } = await collection.search(query);
    const ids = (await collection.identify(dense.map(({ key }) => key))).map((each) => each?.id);
    assert.is(new Set(ids).size, nearestCount);
    const cosineOf = (id: string): number => dot(vectors.get(id) ?? new Float32Array(), vector);
    for (const [at, { score }] of dense.entries()) {
      assert.ok(Math.abs(score - cosineOf(ids[at] ?? '')) < 1e-3, `score of ${ids[at]}`);
    }
    const best = [...vectors.keys()].map(cosineOf).sort((a, b) => b - a);
    const enough = (best[nearestCount - 1] ?? 0) - 1e-3;
    found += ids.filter((id) => cosineOf(id ?? '') >= enough).length;
  }
  return found / (queries * nearestCount);
}

async function graphs(): Promise<number> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  const { rowCount } = await client.query(
    "select 1 from pg_indexes where indexdef ilike '%using hnsw%'",
  );
  await client.end();
  return rowCount ?? 0;
}

test('compares all vectors of a small collection and uses a graph in a large one', async () => {
  const random = randomFrom(5);
  const vectors: Vectors = new Map();
  const limits = { minGraphRows: vectorCount, blocksWrites: server.isSerial };
  await withCollection(
    server,
    async (collection) => {
      await fill(collection, vectors, 'first', vectorCount - 1, random);
      await collection.optimize();
      assert.is(await recall(collection, vectors, random), 1, 'without a graph');
    },
    spec,
    limits,
  );
  assert.is(await graphs(), 0);
  await withCollection(
    server,
    async (collection) => {
      await fill(collection, vectors, 'second', 500, random);
      await collection.optimize();
      assert.ok((await recall(collection, vectors, random)) > 0.95, 'a new graph');
      await fill(collection, vectors, 'second', 300, random);
      await fill(collection, vectors, 'third', 100, random);
      assert.ok((await recall(collection, vectors, random)) > 0.95, 'after changes');
      const filter = { op: 'compare', field: 'rare', comparison: '=', value: true } as const;
      const asked = { vector: unitVector(random), pairWeight: 0, signal: neverAborted.signal };
      const { dense } = await collection.search({ ...asked, candidates: 50, filter });
      assert.is(dense.length, await collection.count({ filter }), 'all rows that pass the filter');
      const most = await collection.search({ ...asked, candidates: 2000 });
      assert.is(most.dense.length, 2000, 'more candidates than the graph returns');
    },
    spec,
    limits,
  );
  assert.is(await graphs(), 1);
});

test.run();
