import { TroveError } from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { withTimeout, waitUntil } from '@trove/test-support/waiting.js';
import { SampledContent } from '../src/ingest/training/sampled-content.js';
import { found, root, sync, World } from './support/engine.js';
import { learner } from './support/learner.js';

const test = suite('embedder training');

const enough = 300;

const opened: Engine[] = [];

async function open(world: World): Promise<Engine> {
  const plugins = [await learner()];
  const engine = await world.open({ plugins, embedding: { provider: 'learner' } });
  opened.push(engine);
  return engine;
}

test.after.each(async () => {
  await Promise.all(opened.splice(0).map((engine) => engine.close()));
});

function fill(world: World, word: string, count = enough, folder = 'docs'): void {
  for (let at = 0; at < count; at++) world.source.set(`${folder}/${at}.txt`, `${word} ${at}`);
}

/** The training state behind the vectors in the index: none, or the counts of texts. */
async function marks(engine: Engine, world: World): Promise<string[]> {
  const { id } = await engine.inspect({ target: root });
  const [collection] = world.storage.collections.values();
  if (collection === undefined) throw new Error('there is no collection');
  const told = new Set<string>();
  await collection.groups(String(id), async (groups) => {
    for (const group of groups.keys())
      for (const { vector } of await collection.rows(group)) told.add(markOf(vector));
  });
  return [...told].sort();
}

function markOf(vector: Float32Array | null): string {
  const [none = 0, pears = 0, apples = 0, one = 1] = vector ?? [];
  return none === 1 ? 'none' : `${Math.round(pears / one) - 1}:${Math.round(apples / one) - 1}`;
}

test('the first sync trains before it embeds', async () => {
  const world = new World();
  fill(world, 'pears');
  const engine = await open(world);
  assert.is((await sync(engine)).status, 'succeeded');
  assert.equal(await marks(engine, world), [`${enough}:0`]);
  const [hit] = (await engine.search({ q: 'pears', mode: 'semantic' })).results;
  assert.ok((hit?.metadata.scores.dense ?? 0) > 0.999, 'the query is embedded with it, too');
});

test('few texts do not cause training or reads', async () => {
  const world = new World();
  fill(world, 'pears', 20);
  let reads = 0;
  world.source.onRead = () => void reads++;
  const engine = await open(world);
  await sync(engine);
  assert.equal(await marks(engine, world), ['none']);
  assert.is(reads, 20);
});

test('the trained state stays for later changes and engines', async () => {
  const world = new World();
  fill(world, 'pears');
  const first = await open(world);
  await sync(first);
  await first.close();
  fill(world, 'apples', 2 * enough, 'more');
  const second = await open(world);
  await sync(second);
  assert.equal(await marks(second, world), [`${enough}:0`]);
  const job = await sync(second);
  assert.is(job.skipped_objects, 3 * enough, 'nothing is stale');
});

test('a full sync trains again and embeds everything', async () => {
  const world = new World();
  fill(world, 'pears');
  const engine = await open(world);
  await sync(engine);
  fill(world, 'apples');
  await sync(engine, { full: true });
  assert.equal(await marks(engine, world), [`0:${enough}`]);
});

test('another process uses the new trained state for queries', async () => {
  const world = new World();
  fill(world, 'pears');
  const [engine, other] = [await open(world), await open(world)];
  assert.equal((await other.search({ q: 'pears' })).results, []);
  await sync(engine);
  await waitUntil(async () => {
    const [hit] = (await other.search({ q: 'pears', mode: 'semantic' })).results;
    return (hit?.metadata.scores.dense ?? 0) > 0.999;
  }, 'the query is embedded with what the other has learned');
});

test('records are sampled, too', async () => {
  const world = new World();
  const records = Array.from({ length: enough }, (_, id) => ({
    key: { id },
    fields: { id, note: 'pears' },
  }));
  world.source.set('table', records);
  const engine = await open(world);
  await sync(engine);
  assert.equal(await marks(engine, world), [`${enough}:0`]);
});

test('one object with most of the texts suffices for training', async () => {
  const world = new World();
  const records = Array.from({ length: enough }, (_, id) => ({
    key: { id },
    fields: { id, note: 'pears' },
  }));
  world.source.set('table', records);
  fill(world, 'apples', 10);
  const engine = await open(world);
  await sync(engine);
  assert.equal(await marks(engine, world), [`${enough}:10`]);
});

test('failed reads do not change the training sample', async () => {
  const world = new World();
  fill(world, 'pears');
  const path = 'docs/7.txt';
  const failures = 2;
  let reads = 0;
  const error = new TroveError('timed_out', 'no answer', { retryable: true });
  world.source.onRead = (read) => {
    if (read !== path) return;
    if (reads++ < failures) world.source.failReading.set(path, error);
    else world.source.failReading.delete(path);
  };
  const engine = await open(world);
  assert.is((await sync(engine)).status, 'succeeded');
  assert.is(reads, failures + 1, 'its task uses what the sample has read');
  assert.equal(await marks(engine, world), [`${enough}:0`]);
});

test('an embedder whose training fails still embeds', async () => {
  const world = new World();
  fill(world, 'poison');
  const engine = await open(world);
  assert.is((await sync(engine)).status, 'succeeded');
  assert.equal(await marks(engine, world), ['none']);
  assert.ok(world.log.some((line) => line.startsWith('warn training the embedder failed')));
});

test('objects listed before a failure are indexed', async () => {
  const world = new World();
  fill(world, 'pears');
  world.source.failListingAfter = 280;
  const engine = await open(world);
  assert.is((await sync(engine)).status, 'failed');
  assert.equal(await marks(engine, world), ['280:0']);
});

test('a job that ends during training leaves a consistent state', async () => {
  const world = new World();
  fill(world, 'pears');
  let reads = 0;
  let stopped: () => void = () => {};
  const reading = new Promise<void>((resolve) => (stopped = resolve));
  world.source.onRead = () => (++reads === 40 ? stopped() : undefined);
  const engine = await open(world);
  const { job_id: id } = await engine.add({ target: root, process: false });
  engine.startWorker();
  await withTimeout(reading, 'a sample is read');
  await engine.close();
  const next = await open(world);
  next.startWorker();
  assert.is((await withTimeout(next.waitForJob(id), 'the job ends')).status, 'succeeded');
  assert.equal(await marks(next, world), [`${enough}:0`]);
});

test('the task of an object uses what the sample has read', async () => {
  const world = new World();
  fill(world, 'pears');
  const reads: string[] = [];
  world.source.onCall = ({ path }) => void reads.push(path);
  const engine = await open(world);
  const job = await sync(engine);
  assert.equal([job.status, job.added], ['succeeded', enough]);
  assert.equal(reads.sort(), [...world.source.objects.keys()].sort());
  assert.is((await found(engine, 'pears')).length > 0, true);
});

test('the task of a table requests only the records after the sample', async () => {
  const world = new World();
  const count = 3000;
  const records = Array.from({ length: count }, (_, id) => ({
    key: { id },
    fields: { name: `pear ${id}` },
  }));
  world.source.set('table', records);
  const offsets: (number | undefined)[] = [];
  world.source.onCall = ({ offset }) => void offsets.push(offset);
  const engine = await open(world);
  assert.is((await sync(engine)).status, 'succeeded');
  assert.is(offsets.length, 2);
  assert.is(offsets[0], undefined);
  assert.ok((offsets[1] ?? 0) >= 2000, `continued after ${offsets[1]} records`);
  assert.is((await world.rows()).length, count);
});

test('an object that was listed differently after the sample is read again', async () => {
  const sampled = new SampledContent();
  const entry = { path: 'a', size: 3, modifiedAt: 1, fingerprint: 'first' };
  const object = {
    bytes: Uint8Array.of(1, 2, 3),
    name: 'a',
    kind: null,
    mediaType: null,
    conversion: null,
    encoding: null,
  };
  sampled.keepBytes(entry, object);
  assert.is(sampled.takeBytes({ ...entry, fingerprint: 'second' }), null);
  sampled.keepBytes(entry, object);
  assert.equal(sampled.takeBytes(entry)?.bytes, object.bytes);
  assert.is(sampled.takeBytes(entry), null, 'taken before');
});

test('a sample keeps a limited number of bytes', async () => {
  const sampled = new SampledContent();
  const facts = { name: 'a', kind: null, mediaType: null, conversion: null, encoding: null };
  const paths = ['a', 'b', 'c', 'd', 'e'];
  for (const path of paths) {
    const bytes = new Uint8Array(4 * 1024 * 1024);
    sampled.keepBytes(entryAt(path), { ...facts, bytes });
  }
  const kept = (): string[] => paths.filter((path) => sampled.bytes(entryAt(path)) !== null);
  assert.equal(kept(), ['a', 'b', 'c', 'd']);
  sampled.takeBytes(entryAt('a'));
  const collection = sampled.collect(entryAt('e'));
  const text = 'x'.repeat(1024 * 1024);
  for (let id = 0; id < 5; id++) collection.add([{ key: { id }, fields: { text } }]);
  collection.end(true);
  assert.is(sampled.records(entryAt('e')), null);
});

function entryAt(path: string) {
  return { path, size: null, modifiedAt: null, fingerprint: null };
}

test.run();
