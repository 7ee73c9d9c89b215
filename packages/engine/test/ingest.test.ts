import { TroveError, type SourceRecord } from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { waitUntil } from '@trove/test-support/waiting.js';
import { alteredIndex, found, root, sync, World } from './support/engine.js';

interface Context {
  world: World;
  engine: Engine;
}

const test = suite<Context>('ingest');

test.before.each(async (context) => {
  context.world = new World();
  context.engine = await context.world.open();
});

test.after.each(async ({ engine }) => {
  await engine.close();
});

const counts = (job: Awaited<ReturnType<typeof sync>>) => [
  job.status,
  job.total_objects,
  job.succeeded_objects,
  job.skipped_objects,
  job.failed_objects,
];

test('indexes all objects at first and only changes later', async ({ world, engine }) => {
  world.source.set('a.md', '# Apples\n\nred apples');
  world.source.set('b/c.txt', 'green pears');
  assert.equal(counts(await sync(engine)), ['succeeded', 2, 2, 0, 0]);
  assert.equal(await found(engine, 'pears'), [`${root}/b/c.txt`]);

  world.source.set('b/c.txt', 'yellow quinces');
  assert.equal(counts(await sync(engine)), ['succeeded', 2, 1, 1, 0]);
  assert.equal(await found(engine, 'pears'), []);
  assert.equal(await found(engine, 'quinces'), [`${root}/b/c.txt`]);
});

test('equal bytes with a new fingerprint are not indexed again', async ({ world, engine }) => {
  world.source.set('a.md', 'apples');
  await sync(engine);
  world.source.set('a.md', 'apples');
  assert.equal(counts(await sync(engine)), ['succeeded', 1, 0, 1, 0]);
  assert.equal(counts(await sync(engine, { full: true })), ['succeeded', 1, 1, 0, 0]);
});

test('removes objects that a full listing does not contain', async ({ world, engine }) => {
  world.source.set('a.md', 'apples');
  world.source.set('b.md', 'pears');
  await sync(engine);
  world.source.remove('b.md');
  await sync(engine);
  assert.equal(await found(engine, 'pears'), []);
  assert.equal((await engine.status()).connectors[0]?.object_count, 1);
});

test('a bad object fails alone with a reason and is retried by the next sync', async ({
  world,
  engine,
}) => {
  for (const name of ['a', 'b', 'c']) world.source.set(`${name}.md`, `fruit ${name}`);
  world.source.failReading.set(
    'b.md',
    Object.assign(new Error('the disk squeaks'), { code: 'EIO' }),
  );
  const job = await sync(engine);
  assert.equal(counts(job), ['partial', 3, 2, 0, 1]);
  assert.is(job.failures[0]?.path, 'b.md');
  assert.match(job.failures[0]?.error ?? '', /the disk squeaks/);
  assert.equal((await found(engine, 'fruit')).length, 2);

  world.source.failReading.clear();
  assert.equal(counts(await sync(engine)), ['succeeded', 3, 1, 2, 0]);
});

test('an object that disappears before it is read does not fail', async ({ world, engine }) => {
  world.source.set('a.md', 'apples');
  world.source.set('b.md', 'pears');
  await sync(engine);
  world.source.set('b.md', 'quinces');
  world.source.failReading.set('b.md', Object.assign(new Error('gone'), { code: 'not_found' }));
  assert.is((await sync(engine)).status, 'succeeded');
  assert.equal(await found(engine, 'pears'), []);
});

for (const [failure, code] of [
  ['auth', 'embedding_auth_failed'],
  ['quota', 'embedding_quota_exceeded'],
] as const) {
  test(`an embedder that reports ${code} ends the job with that code`, async ({
    world,
    engine,
  }) => {
    world.source.set('a.md', 'apples');
    world.faults.failure = failure;
    const job = await sync(engine);
    assert.equal([job.status, job.error], ['failed', code]);
    world.faults.failure = null;
    assert.is((await sync(engine)).status, 'succeeded');
    assert.equal(await found(engine, 'apples'), [`${root}/a.md`]);
  });
}

test('a rename keeps the vectors without embedding', async ({ world, engine }) => {
  world.source.set('old.md', 'red apples');
  world.source.set('other.md', 'green pears');
  await sync(engine);
  // Embedding would fail, so the rename must not need it.
  world.faults.failure = 'auth';
  world.source.rename('old.md', 'new/name.md');
  assert.is((await sync(engine)).status, 'succeeded');
  assert.equal(await found(engine, 'apples'), [`${root}/new/name.md`]);
  world.faults.failure = null;
  assert.equal(
    (await found(engine, 'apples', 'semantic')).filter((uri) => uri.includes('old')),
    [],
  );
});

test('lost rows do not make an object count as removed', async ({ world }) => {
  const forgetful = alteredIndex(world.storage, (collection) => {
    collection.rows = async () => {
      throw new TroveError('not_found', 'There is no such row');
    };
  });
  const engine = await world.open({ plugins: [forgetful], index: { uri: 'altered://index' } });
  try {
    world.source.set('old.md', 'red apples');
    await sync(engine);
    world.source.rename('old.md', 'new.md');
    const job = await sync(engine);
    assert.equal([job.status, job.failures[0]?.code], ['partial', 'not_found']);
    const [entry] = (await engine.ls({ path: `${root}/new.md` })).entries;
    assert.match(entry?.reason ?? '', /There is no such row/);
  } finally {
    await engine.close();
  }
});

test('a renamed object that disappears is removed under both names', async ({ world, engine }) => {
  world.source.set('old.md', 'red apples');
  await sync(engine);
  // Its changed content has to be read.
  world.source.set('old.md', 'more red apples');
  world.source.rename('old.md', 'new.md');
  world.source.failReading.set('new.md', Object.assign(new Error('gone'), { code: 'not_found' }));
  assert.is((await sync(engine)).status, 'succeeded');
  assert.equal(await found(engine, 'apples'), []);
});

test('an unreadable renamed object is not found under its old name', async ({ world, engine }) => {
  world.source.set('old.md', 'red apples');
  await sync(engine);
  // Its changed content has to be read.
  world.source.set('old.md', 'more red apples');
  world.source.rename('old.md', 'new.md');
  world.source.failReading.set(
    'new.md',
    Object.assign(new Error('no'), { code: 'path_not_allowed' }),
  );
  assert.is((await sync(engine)).status, 'partial');
  assert.equal(await found(engine, 'apples'), []);
  world.source.failReading.clear();
  assert.is((await sync(engine)).status, 'succeeded');
  assert.equal(await found(engine, 'apples'), [`${root}/new.md`]);
});

test('a rename with changed content is indexed as new', async ({ world, engine }) => {
  world.source.set('old.md', 'red apples');
  await sync(engine);
  world.source.rename('old.md', 'new.md');
  world.source.set('new.md', 'blue plums');
  await sync(engine);
  assert.equal(await found(engine, 'apples'), []);
  assert.equal(await found(engine, 'plums'), [`${root}/new.md`]);
});

test('a changed rule applies to unchanged objects at the next sync', async ({ world, engine }) => {
  world.source.set('keep.md', 'apples');
  world.source.set('private/diary.md', 'apples, said the diary');
  await sync(engine);
  assert.is((await found(engine, 'apples')).length, 2);

  const objects = [{ match: 'private/**', indexable: false }];
  await sync(engine, { config: { objects }, update: true });
  assert.equal(await found(engine, 'apples'), [`${root}/keep.md`]);
  const [entry] = (await engine.ls({ path: `${root}/private/diary.md` })).entries;
  assert.equal([entry?.search_status, entry?.indexable], ['not_indexed', false]);
  assert.match(entry?.reason ?? '', /private/);

  await sync(engine, { config: { objects: [] }, update: true });
  assert.is((await found(engine, 'apples')).length, 2);
});

test('chunk_max truncates an object and reports it', async ({ world, engine }) => {
  world.source.set(
    'long.txt',
    Array.from({ length: 400 }, (_, i) => `line ${i} of a long text`).join('\n'),
  );
  await sync(engine, { config: { objects: [{ match: '*.txt', chunk_max: 2 }] } });
  const [entry] = (await engine.ls({ path: `${root}/long.txt` })).entries;
  assert.is(entry?.search_status, 'partial');
  assert.match(entry?.reason ?? '', /first 2 chunks/);
  assert.is((await engine.status()).connectors[0]?.chunk_count, 2);
});

test('binary and oversized objects are listed with the reason', async ({ world }) => {
  const engine = await world.open({ ingest: { maxFileBytes: 100 } });
  try {
    world.source.set('image.bin', new Uint8Array([0, 1, 2, 0, 0, 255]));
    world.source.set('large.txt', 'x '.repeat(100));
    const job = await sync(engine);
    assert.equal(counts(job), ['succeeded', 2, 0, 2, 0]);
    const { entries } = await engine.ls({ path: root });
    assert.match(entries.find(({ name }) => name === 'image.bin')?.reason ?? '', /not a text/);
    assert.match(
      entries.find(({ name }) => name === 'large.txt')?.reason ?? '',
      /larger than 100 bytes/,
    );
  } finally {
    await engine.close();
  }
});

test('each record is a chunk that opens by its key', async ({ world, engine }) => {
  const records: SourceRecord[] = [
    { key: { id: 7 }, fields: { id: 7, title: 'broken lamp', open: true } },
    { key: { id: 8 }, fields: { id: 8, title: 'squeaking door', open: false } },
  ];
  world.source.set('tickets', records, { kind: 'table_rows' });
  await sync(engine);
  const { results } = await engine.search({ q: 'squeaking door', mode: 'keyword', top_k: 1 });
  assert.equal(results[0]?.locator, { id: 8 });
  assert.is(results[0]?.metadata.chunk_kind, 'row_text');
  const cat = await engine.cat({ path: `${root}/tickets`, locator: '{"id":8}' });
  assert.equal(JSON.parse(cat.content), { id: 8, title: 'squeaking door', open: false });
  const filtered = await engine.search({ q: 'lamp door', mode: 'keyword', filter: 'open = true' });
  assert.equal(
    filtered.results.map(({ locator }) => locator),
    [{ id: 7 }],
  );
});

test('cancel ends the job, keeps finished objects and is false if repeated', async ({
  world,
  engine,
}) => {
  world.source.set('a.md', 'apples');
  let reached: () => void = () => {};
  const listing = new Promise<void>((resolve) => (reached = resolve));
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let calls = 0;
  world.source.set('b.md', 'pears');
  world.source.pause = async () => {
    if (++calls === 2) {
      reached();
      await held;
    }
  };
  engine.startWorker();
  const { job_id: id } = await engine.add({ target: root });
  await listing;
  assert.equal(await engine.cancel(id), { job_id: id, cancelled: true });
  // The source hangs until the job has ended.
  const job = await engine.waitForJob(id);
  release();
  assert.equal([job.status, job.error], ['cancelled', 'cancelled']);
  assert.equal(await engine.cancel(id), { job_id: id, cancelled: false });
});

test('one of four concurrent adds succeeds', async ({ world, engine }) => {
  world.source.set('a.md', 'apples');
  const adds = await Promise.allSettled(
    Array.from({ length: 4 }, () => engine.add({ target: root })),
  );
  const codes = adds.map((add) =>
    add.status === 'fulfilled' ? 'ok' : (add.reason as { code: string }).code,
  );
  assert.equal(codes.toSorted(), [
    'ok',
    'sync_already_running',
    'sync_already_running',
    'sync_already_running',
  ]);
});

test('a refused add leaves no trace', async ({ world, engine }) => {
  world.source.token = 'secret';
  await rejects(() => engine.add({ target: root }), 'connector_unhealthy');
  await rejects(() => engine.add({ target: root, config: { nonsense: 1 } }), 'config_invalid');
  await rejects(
    () => engine.add({ target: root, config: { token: 'env:TROVE_TEST_ABSENT' } }),
    'credential_error',
  );
  await rejects(() => engine.add({ target: 'nothing://here' }), 'not_available');
  assert.equal((await engine.status()).connectors, []);
  assert.equal(await engine.jobs(), []);
});

test('secrets never appear in responses or logs', async ({ world, engine }) => {
  world.source.token = 'canary-5ecret';
  world.source.set('a.md', 'apples');
  world.source.failReading.set('a.md', new Error('refused the token canary-5ecret'));
  const job = await sync(engine, { config: { token: 'canary-5ecret' } });
  const shown = JSON.stringify([
    job,
    await engine.inspect({ target: root }),
    await engine.status(),
    world.log,
  ]);
  assert.not.match(shown, /canary/);
  assert.match(shown, /\*\*\*/);
});

test('a changed configuration requires `update`', async ({ world, engine }) => {
  world.source.set('a.md', 'apples');
  await sync(engine);
  const config = { objects: [{ match: '*', priority: 5 }] };
  await rejects(() => engine.add({ target: root, config }), 'connector_already_registered');
  await sync(engine, { config, update: true });
  // Adding the source again without a configuration uses the stored one.
  assert.is((await sync(engine)).status, 'succeeded');
  assert.equal((await engine.inspect({ target: root }))['config'], config);
});

test('removing deletes rows, objects and the registration', async ({ world, engine }) => {
  world.source.set('a/b.md', 'apples');
  await sync(engine);
  await rejects(() => engine.remove({ target: `${root}/a` }), 'remove_requires_connector_root');
  assert.equal(await engine.remove({ target: root }), { target: root, removed: true });
  assert.equal(await found(engine, 'apples'), []);
  await rejects(() => engine.remove({ target: root }), 'not_found');
  await rejects(() => engine.ls({ path: root }), 'not_found');
});

test('a failed removal is resumed automatically', async () => {
  const world = new World();
  let failures = 1;
  const index = alteredIndex(world.storage, (collection) => {
    const remove = collection.removeScope.bind(collection);
    collection.removeScope = async (scope) => {
      if (failures-- > 0) throw new Error('the disk is full');
      await remove(scope);
    };
  });
  const engine = await world.open({ plugins: [index], index: { uri: 'altered://index' } });
  try {
    world.source.set('a.md', 'apples');
    await sync(engine);
    await rejects(() => engine.remove({ target: root }), 'storage_unavailable');
    await waitUntil(async () => (await engine.status()).connectors.length === 0, 'it is removed');
  } finally {
    await engine.close();
  }
});

async function rejects(work: () => Promise<unknown>, code: string): Promise<void> {
  try {
    await work();
  } catch (error) {
    assert.is((error as { code?: string }).code, code);
    return;
  }
  assert.unreachable(`expected ${code}`);
}

test('deletions reach the index in batches', async () => {
  const world = new World();
  let writes = 0;
  const index = alteredIndex(world.storage, (collection) => {
    const replace = collection.replace.bind(collection);
    collection.replace = (...args) => {
      writes++;
      return replace(...args);
    };
  });
  const paths = Array.from({ length: 300 }, (_, at) => `${at}.md`);
  for (const path of paths) world.source.set(path, 'fruit');
  world.source.set('last.md', 'stone');
  const engine = await world.open({ plugins: [index], index: { uri: 'altered://index' } });
  try {
    await sync(engine);
    for (const path of paths) world.source.remove(path);
    world.source.set('other.md', 'stone');
    writes = 0;
    assert.is((await sync(engine)).status, 'succeeded');
    assert.equal(await found(engine, 'fruit'), []);
    assert.ok(writes <= 10, `${writes} writes`);
  } finally {
    await engine.close();
  }
});

test.run();
