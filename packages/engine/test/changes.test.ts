import { defineConnector, type Change } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { found, root, sync, World } from './support/engine.js';

const test = suite('sources that report changes');

test('a cursor is kept only when its job succeeded', async () => {
  const world = new World();
  const engine = await world.open({ connector: { incremental: true } });
  try {
    world.source.set('a.md', 'apples');
    world.source.set('b.md', 'pears');
    world.source.failReading.set('b.md', new Error('not now'));
    assert.is((await sync(engine)).status, 'partial');
    world.source.failReading.clear();
    // Nothing changed since, but the cursor of the failed job was not kept: b.md is met again.
    assert.is((await sync(engine)).status, 'succeeded');
    assert.equal(await found(engine, 'pears'), [`${root}/b.md`]);
    assert.is((await sync(engine)).total_objects, 0);

    world.source.remove('a.md');
    await sync(engine);
    assert.equal(await found(engine, 'apples'), []);
  } finally {
    await engine.close();
  }
});

test('of what a source says of an object in one go, the last word counts', async () => {
  const world = new World();
  const there = { entry: { path: 'a', size: 1, modifiedAt: 1, fingerprint: '1' } };
  const gone = { removed: 'a' };
  let said: Change[] = [there];
  const plugin = defineConnector({
    scheme: 'reports',
    configSchema: { type: 'object' },
    create: () => ({
      list: async function* () {},
      changes: async function* () {
        yield* said;
      },
      read: async () => ({ bytes: Buffer.from('apples') }),
    }),
  });
  const engine = await world.open({ plugins: [plugin] });
  try {
    const target = 'reports://x';
    await sync(engine, { target });
    said = [gone, there];
    await sync(engine, { target });
    assert.equal(await found(engine, 'apples'), [`${target}/a`]);
    said = [{ entry: { ...there.entry, fingerprint: '2' } }, gone];
    await sync(engine, { target });
    assert.equal(await found(engine, 'apples'), []);
  } finally {
    await engine.close();
  }
});

test.run();
