import { defineConnector, type Change } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { found, root, sync, World } from './support/engine.js';

const test = suite('sources that report changes');

test('a failed object is retried although the source no longer reports it', async () => {
  const world = new World();
  const engine = await world.open({ connector: { incremental: true } });
  try {
    world.source.set('a.md', 'apples');
    world.source.set('b.md', 'pears');
    world.source.failReading.set('b.md', new Error('not now'));
    assert.is((await sync(engine)).status, 'partial');
    world.source.failReading.clear();
    const { entries } = await engine.ls({ path: `${root}/b.md` });
    assert.match(entries[0]?.reason ?? '', /not now/);
    const again = await sync(engine);
    assert.equal([again.status, again.total_objects, again.added], ['succeeded', 1, 1]);
    assert.equal(await found(engine, 'pears'), [`${root}/b.md`]);
    assert.is((await sync(engine)).total_objects, 0);

    world.source.remove('a.md');
    await sync(engine);
    assert.equal(await found(engine, 'apples'), []);
  } finally {
    await engine.close();
  }
});

test('a full sync lists everything and removes missing objects', async () => {
  const world = new World();
  const engine = await world.open({ connector: { incremental: true } });
  try {
    world.source.set('a.md', 'apples');
    world.source.set('b.md', 'pears');
    assert.is((await sync(engine)).added, 2);
    world.source.objects.delete('b.md');
    assert.is((await sync(engine)).total_objects, 0, 'the source does not say that it is gone');
    assert.equal(await found(engine, 'pears'), [`${root}/b.md`]);
    const job = await sync(engine, { full: true });
    assert.equal([job.changed, job.removed], [1, 1]);
    assert.equal(await found(engine, 'pears'), []);
    assert.is((await engine.status()).connectors[0]?.object_count, 1);
  } finally {
    await engine.close();
  }
});

test('a new configuration applies to unchanged objects and finds removals', async () => {
  const world = new World();
  const engine = await world.open({ connector: { incremental: true } });
  try {
    for (const path of ['a.md', 'b.md', 'c.md']) world.source.set(path, `apples of ${path}`);
    await sync(engine);
    assert.is((await sync(engine)).total_objects, 0);
    world.source.remove('c.md');
    const objects = [{ match: '/a.md', indexable: false }];
    await sync(engine, { config: { objects }, update: true });
    assert.equal(await found(engine, 'apples'), [`${root}/b.md`]);
    assert.is((await sync(engine)).total_objects, 0);
  } finally {
    await engine.close();
  }
});

test('the last of several changes of an object counts', async () => {
  const world = new World();
  const there = { entry: { path: 'a', size: 1, modifiedAt: 1, fingerprint: '1' } };
  const gone = { removed: 'a' };
  let said: Change[] = [there];
  const plugin = defineConnector({
    keys: ['reports'],
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

test('a reset removes missing objects; record changes of a text reread it', async () => {
  const world = new World();
  const texts = new Map([
    ['a', 'apples'],
    ['b', 'pears'],
  ]);
  const entryOf = (path: string) => ({ path, size: 1, modifiedAt: 1, fingerprint: '1' });
  let said: Change[] = [{ entry: entryOf('a') }, { entry: entryOf('b') }];
  const plugin = defineConnector({
    keys: ['reports'],
    configSchema: { type: 'object' },
    create: () => ({
      list: async function* () {},
      changes: async function* ({ commit }) {
        yield* said;
        commit(1);
      },
      stat: async (path) => entryOf(path),
      read: async (path) => ({ bytes: Buffer.from(texts.get(path) ?? '') }),
    }),
  });
  const engine = await world.open({ plugins: [plugin] });
  try {
    const target = 'reports://x';
    await sync(engine, { target });
    texts.set('a', 'cherries');
    said = [{ path: 'a', records: [], removedKeys: [] }];
    await sync(engine, { target });
    assert.equal(await found(engine, 'cherries'), [`${target}/a`]);
    said = [{ reset: true }, { entry: entryOf('a') }];
    const job = await sync(engine, { target });
    assert.is(job.removed, 1);
    assert.equal(await found(engine, 'pears'), []);
  } finally {
    await engine.close();
  }
});

test.run();
