import type { Collection } from '@trove/core/index';
import type { Engine, JobResponse } from '@trove/engine';
import type { SourceCall } from '@trove/testkit';
import { codeOf } from '@trove/test-support/rejection.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { alteredIndex, found, sync as syncTarget, World } from './support/engine.js';

const test = suite('moves of sources');

const root = 'memory://local/old';
const other = 'memory://local/new';

function sync(engine: Engine, target = root): Promise<JobResponse> {
  return syncTarget(engine, { target });
}

/** Fills a source with texts and records. */
function fill(world: World): void {
  const options = { modifiedAt: 7 };
  world.source.set('a.txt', 'The lighthouse is tall.', options);
  world.source.set('sub/b.txt', 'A harbour is quiet.', options);
  world.source.set('sub/sub/b.txt', 'A ship is old.', options);
  const fruit = ['apple', 'pear'].map((name, id) => ({ key: { id }, fields: { name } }));
  world.source.set('fruit', fruit, options);
}

async function move(
  engine: Engine,
  to: string,
  more: Partial<Parameters<Engine['move']>[0]> = {},
): Promise<JobResponse> {
  const { job_id: id } = await engine.move({ target: root, to, ...more });
  engine.startWorker();
  return engine.waitForJob(id);
}

async function sourcesOf(world: World): Promise<string[]> {
  return [...new Set((await world.rows()).map(({ source }) => source))].sort();
}

const paths = ['a.txt', 'fruit', 'sub/b.txt', 'sub/sub/b.txt'];

for (const to of [other, `${root}/sub`])
  test(`moves a source to ${to} without reading or embedding`, async () => {
    const world = new World();
    fill(world);
    const engine = await world.open();
    try {
      await sync(engine);
      const before = await world.rows();
      const calls: SourceCall[] = [];
      world.source.onCall = (call) => void calls.push(call);
      world.faults.failure = 'auth';
      const job = await move(engine, to);
      world.faults.failure = null;
      assert.equal([job.status, job.target, job.unchanged], ['succeeded', to, 4]);
      assert.equal(
        calls.filter(({ method }) => method !== 'stat'),
        [],
      );
      assert.equal(
        await sourcesOf(world),
        paths.map((path) => `${to}/${path}`),
      );
      const withoutSource = (await world.rows()).map((row) => ({ ...row, source: '' }));
      assert.equal(
        withoutSource,
        before.map((row) => ({ ...row, source: '' })),
      );
      assert.equal(await found(engine, 'lighthouse'), [`${to}/a.txt`]);
      assert.equal((await engine.ls({ path: to })).entries.length, 3);
      assert.is((await engine.jobs({ target: to })).length, 2);
    } finally {
      await engine.close();
    }
  });

test('a move changes only the given keys of the configuration', async () => {
  const world = new World();
  fill(world);
  const engine = await world.open();
  try {
    const rules = [{ match: 'sub/**', indexable: false }];
    await engine.add({ target: root, config: { every: '1d', objects: rules }, process: true });
    const stored = async () => (await engine.inspect({ target: other })).config;
    await move(engine, other, { config: { hours: '22:00-06:00', objects: null } });
    assert.equal(await stored(), { every: '1d', hours: '22:00-06:00' });
    const [source] = (await engine.status()).connectors;
    assert.type(source?.next_sync_at, 'string');
    assert.is(source?.object_count, 4);
  } finally {
    await engine.close();
  }
});

test('the former place can be added again, and both sources be removed', async () => {
  const world = new World();
  fill(world);
  const engine = await world.open();
  try {
    await sync(engine);
    await move(engine, other);
    assert.is((await sync(engine)).added, 4);
    assert.is((await sourcesOf(world)).length, 8);
    await engine.remove({ target: root });
    assert.equal(
      await sourcesOf(world),
      paths.map((path) => `${other}/${path}`),
    );
    await engine.remove({ target: other });
    assert.equal(await world.rows(), []);
  } finally {
    await engine.close();
  }
});

test('the next sync continues an interrupted move', async () => {
  const world = new World();
  fill(world);
  let isBroken = false;
  const alter = (collection: Collection): void => {
    const replace = collection.replace.bind(collection);
    collection.replace = async (groups, options) => {
      if (!isBroken) return replace(groups, options);
      // Writes a part, as a process does that is killed.
      await replace(groups.slice(0, 2), options);
      throw new Error('the disk is gone');
    };
  };
  const engine = await world.open({
    plugins: [alteredIndex(world.storage, alter)],
    index: { uri: 'altered://index' },
  });
  try {
    await sync(engine);
    isBroken = true;
    assert.is((await move(engine, `${root}/sub`)).status, 'failed');
    isBroken = false;
    const { job_id } = await engine.add({ target: `${root}/sub` });
    assert.is((await engine.waitForJob(job_id)).unchanged, 4);
    assert.equal(
      await sourcesOf(world),
      paths.map((path) => `${root}/sub/${path}`),
    );
  } finally {
    await engine.close();
  }
});

test('refuses another source unless the move is forced', async () => {
  const world = new World();
  fill(world);
  const engine = await world.open();
  try {
    await sync(engine);
    for (const path of paths) world.source.remove(path);
    world.source.set('a.txt', 'The lighthouse is tall.');
    world.source.set('new.txt', 'Everything else is new.');
    assert.is(await codeOf(engine.move({ target: root, to: other })), 'source_differs');
    assert.is((await engine.status()).connectors[0]?.root_uri, root);
    const job = await move(engine, other, { force: true });
    assert.equal([job.status, job.added, job.removed], ['succeeded', 1, 3]);
  } finally {
    await engine.close();
  }
});

test('refuses unknown sources, taken places and other schemes', async () => {
  const world = new World();
  fill(world);
  const engine = await world.open();
  try {
    await sync(engine);
    await sync(engine, other);
    const codes = [
      { target: 'memory://nowhere', to: 'memory://new' },
      { target: root, to: other },
      { target: root, to: root },
      { target: root, to: 'https://example.com/' },
    ].map((request) => codeOf(engine.move(request)));
    assert.equal(await Promise.all(codes), [
      'not_found',
      'connector_already_registered',
      'validation_error',
      'not_available',
    ]);
  } finally {
    await engine.close();
  }
});

test.run();
