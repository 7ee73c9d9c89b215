// test-waits
import { defineConnector } from '@trove/core';
import { memoryConnector, MemorySource } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { waitUntil } from '@trove/test-support/waiting.js';
import { found, root, sync, World } from './support/engine.js';
import {
  close,
  closeAll,
  embedded,
  embedder,
  held,
  indexed,
  minutesPass,
  nearness,
  open,
  progress,
} from './support/switching.js';

const test = suite('switching embedders');
test.after.each(closeAll);

test('the old generation answers until the new one is complete', async () => {
  const world = await indexed(embedder('first', 64));
  const second = embedder('second');
  const release = held(second);
  const engine = await open(world, second);
  // While only terms are indexed, queries without matching terms find nothing in any mode.
  for (const mode of ['keyword', 'hybrid', 'semantic'] as const)
    assert.equal(await found(engine, 'apples', mode), [`${root}/a.md`], mode);
  const { entries } = await engine.ls({ path: root });
  assert.equal(
    entries.map(({ search_status }) => search_status),
    ['indexed', 'indexed'],
  );
  assert.equal(await progress(engine), {
    from: ['first/64'],
    sources: 1,
    sources_done: 0,
    objects: 2,
    objects_done: 0,
  });
  const { connectors, embedding } = await engine.status();
  assert.is(embedding.name, 'second/32');
  assert.equal([connectors[0]?.object_count, connectors[0]?.last_synced_at === null], [2, false]);
  release();
  await waitUntil(async () => (await progress(engine)) === null, 'the new embedder takes over');
  assert.ok(Number(await nearness(engine)) > 0.1, 'hits are found by their vectors');
  assert.is(embedded(second), 2);
  const [job] = await engine.jobs();
  assert.equal([job?.trigger, job?.status], ['embedder', 'succeeded']);
  assert.equal([...world.storage.collections.keys()], ['default_chunks', 'default_chunks_2']);
  await minutesPass(() => world.storage.collections.size === 1, 'the former index is removed');
  assert.equal([...world.storage.collections.keys()], ['default_chunks_2']);
  assert.equal(await found(engine, 'apples'), [`${root}/a.md`]);
  assert.is((await sync(engine)).skipped_objects, 2, 'nothing is indexed anew');
});

test('switching back needs no embedding', async () => {
  const first = embedder('first', 64);
  const world = await indexed(first);
  const second = embedder('second');
  held(second);
  const engine = await open(world, second);
  await waitUntil(async () => (await engine.jobs({ status: 'running' })).length > 0, 'a job runs');
  await close(engine);
  const again = await open(world, first);
  assert.is(await progress(again), null);
  assert.ok(Number(await nearness(again)) > 0.1);
  assert.is((await sync(again)).skipped_objects, 2);
  assert.is(embedded(first), 2);
  await minutesPass(() => world.storage.collections.size === 1, 'what was begun is removed');
  const jobs = (await again.jobs()).map(({ trigger, status }) => `${trigger} ${status}`);
  assert.equal(jobs.sort(), ['embedder cancelled', 'manual succeeded', 'manual succeeded']);
});

test('a new engine continues an interrupted switch', async () => {
  const world = new World();
  const count = 40;
  for (let at = 0; at < count; at++) world.source.set(`${at}.md`, `text ${at} of apples`);
  const before = await open(world, embedder('first', 64));
  await sync(before);
  await close(before);
  const second = embedder('second');
  const engine = await open(world, second, { batchSize: 1 });
  await waitUntil(() => embedded(second) > 0, 'some are embedded');
  held(second);
  await close(engine);
  const done = embedded(second);
  second.faults.hold = null;
  const again = await open(world, second);
  await waitUntil(async () => (await progress(again)) === null, 'the new embedder takes over');
  assert.is((await sync(again)).skipped_objects, count);
  assert.ok(embedded(second) <= count + done, 'what was written is not embedded again');
});

test('sources switch one by one, and searches combine both generations', async () => {
  const world = await indexed(embedder('first', 64));
  const second = embedder('second');
  const engine = await open(world, second, { works: false });
  const fresh = new MemorySource();
  fresh.set('c.md', 'apples and more apples');
  const plugins = [defineConnector({ ...memoryConnector(fresh), keys: ['fresh'] })];
  await close(engine);
  const both = await open(world, second, { works: false, plugins });
  await sync(both, { target: 'fresh://local' });
  const hits = await both.search({ q: 'apples', mode: 'hybrid' });
  assert.equal(
    hits.results.map(({ source, metadata }) => [source, metadata.scores.dense !== null]),
    [
      [`${root}/a.md`, false],
      ['fresh://local/c.md', true],
    ],
  );
  assert.ok(hits.results.every(({ score }) => score !== null && score > 0 && score <= 1));
  const [second_ = null] = (await both.search({ q: 'apples', top_k: 1, offset: 1 })).results;
  assert.is(second_?.source, hits.results[1]?.source, 'the second page');
  assert.equal(
    (await both.search({ q: 'apples', path: 'fresh://local' })).results.map(({ source }) => source),
    ['fresh://local/c.md'],
  );
  const progressed = await progress(both);
  assert.equal([progressed?.sources, progressed?.sources_done], [2, 1]);
});

test('an unreachable embedder leaves all objects searchable', async () => {
  const world = await indexed(embedder('first', 64));
  const second = embedder('second');
  second.faults.failure = 'auth';
  const engine = await open(world, second);
  await waitUntil(
    async () => (await engine.jobs({ status: 'failed' })).length > 0,
    'its job fails',
  );
  for (const mode of ['keyword', 'hybrid', 'semantic'] as const)
    assert.equal(await found(engine, 'apples', mode), [`${root}/a.md`], mode);
  assert.is((await progress(engine))?.sources_done, 0);
  second.faults.failure = null;
  assert.is((await sync(engine)).status, 'succeeded');
  assert.is(await progress(engine), null);
});

test('servers with the former and the new embedder run side by side', async () => {
  const first = embedder('first', 64);
  const world = await indexed(first);
  const second = embedder('second');
  const [old, fresh] = [await open(world, first), await open(world, second)];
  await waitUntil(async () => (await progress(fresh)) === null, 'the new embedder takes over');
  world.source.set('c.md', 'yellow apples');
  for (const engine of [old, fresh, old, fresh]) await sync(engine);
  assert.equal([embedded(first), embedded(second)], [3, 3], 'each has embedded each text once');
  for (const engine of [old, fresh]) {
    assert.is((await found(engine, 'apples')).length, 2);
    assert.ok(Number(await nearness(engine)) > 0.1);
  }
  assert.is(world.storage.collections.size, 2);
});

test('removing a source during the switch removes it from both', async () => {
  const world = await indexed(embedder('first', 64));
  const second = embedder('second');
  const engine = await open(world, second, { works: false });
  await engine.remove({ target: root });
  for (const collection of world.storage.collections.values())
    assert.is(await collection.count(), 0);
  assert.equal(await found(engine, 'apples'), []);
});

test.run();
