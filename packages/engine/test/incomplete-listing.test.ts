import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { maxWaitMs } from '@trove/test-support/waiting.js';
import { found, root, sync, World } from './support/engine.js';

interface Context {
  world: World;
  engine: Engine;
}

const test = suite<Context>('listings that break off');

test.before.each(async (context) => {
  context.world = new World();
  context.engine = await context.world.open();
});
test.after.each(({ engine }) => engine.close());

test('a failed listing deletes nothing and fails the job with its reason', async ({
  world,
  engine,
}) => {
  for (const name of ['a', 'b', 'c']) world.source.set(`${name}.md`, `fruit ${name}`);
  await sync(engine);
  world.source.remove('a.md');
  world.source.failListingAfter = 1;
  const job = await sync(engine);
  assert.equal([job.status, job.error], ['failed', 'connector_unhealthy']);
  assert.equal((await found(engine, 'fruit')).length, 3);
  assert.equal((await engine.status()).connectors[0]?.status, 'error');

  world.source.failListingAfter = null;
  assert.is((await sync(engine)).status, 'succeeded');
  assert.equal((await found(engine, 'fruit')).length, 2);
});

test('objects listed before a failure are indexed', async ({ world, engine }) => {
  for (const name of ['a', 'b', 'c']) world.source.set(`${name}.md`, `fruit ${name}`);
  world.source.failListingAfter = 2;
  const job = await sync(engine);
  assert.equal([job.status, job.error, job.added], ['failed', 'connector_unhealthy', 2]);
  assert.equal((await found(engine, 'fruit')).sort(), [`${root}/a.md`, `${root}/b.md`]);
  const { entries } = await engine.ls({ path: root });
  assert.equal(
    entries.map(({ name, reason }) => [name, reason]),
    [
      ['a.md', null],
      ['b.md', null],
      ['c.md', 'not synced yet'],
    ],
  );

  world.source.rename('a.md', 'moved.md');
  world.source.set('d.md', 'fruit d');
  world.source.failListingAfter = 3;
  const next = await sync(engine);
  assert.equal([next.status, next.changed, next.added, next.unchanged], ['failed', 1, 1, 1]);
  const sources = ['b', 'c', 'moved'].map((name) => `${root}/${name}.md`);
  assert.equal((await found(engine, 'fruit')).sort(), sources);
});

test('an unlisted part makes the job partial without removals and cursor', async ({
  world,
  engine,
}) => {
  for (const name of ['a', 'shut/b', 'c']) world.source.set(`${name}.md`, `fruit ${name}`);
  await sync(engine);
  world.source.remove('c.md');
  world.source.set('d.md', 'fruit d');
  world.source.unlistable = 'shut';
  const job = await sync(engine);
  assert.equal([job.status, job.error, job.detail], ['partial', ...unlisted]);
  assert.equal([job.added, job.unchanged, job.removed], [1, 1, 0]);
  assert.is((await found(engine, 'fruit')).length, 4);
  const [row] = (await engine.status()).connectors;
  assert.equal([row?.status, row?.error], ['active', null]);

  world.source.unlistable = null;
  const whole = await sync(engine);
  assert.equal([whole.status, whole.error, whole.removed], ['succeeded', null, 1]);
});

test('an empty listing keeps many objects until a full sync', async ({ world, engine }) => {
  const names = Array.from({ length: 100 }, (_, number) => `${number}.md`);
  for (const name of names) world.source.set(name, `fruit ${name}`);
  await sync(engine);
  for (const name of names) world.source.remove(name);
  const job = await sync(engine);
  assert.equal([job.status, job.error, job.removed], ['partial', 'listing_incomplete', 0]);
  const command = `trove add ${root} --full`;
  assert.ok(job.detail?.includes(command), job.detail ?? '');

  const full = await sync(engine, { full: true });
  assert.equal([full.status, full.removed], ['succeeded', 100]);
});

test('an empty listing keeps an object of many records and removes a large file', async ({
  world,
  engine,
}) => {
  const numbers = Array.from({ length: 120 }, (_, number) => number);
  const text = 'fruit and other words '.repeat(100);
  const chunks = async () => (await engine.status()).connectors[0]?.chunk_count ?? 0;
  const records = numbers.map((id) => ({ key: { id }, text: `${id} ${text}`, fields: {} }));
  world.source.set('table', records);
  await sync(engine);
  assert.ok((await chunks()) >= 100);
  world.source.remove('table');
  const job = await sync(engine);
  assert.equal([job.error, job.removed], ['listing_incomplete', 0]);

  world.source.set('large.md', numbers.map((id) => `# Part ${id}\n\n${text}`).join('\n\n'));
  assert.is((await sync(engine)).removed, 1);
  assert.ok((await chunks()) >= 100);
  world.source.remove('large.md');
  assert.is((await sync(engine)).removed, 1);
});

test('an empty listing removes a few objects', async ({ world, engine }) => {
  world.source.set('a.md', 'fruit');
  await sync(engine);
  world.source.remove('a.md');
  assert.is((await sync(engine)).removed, 1);
});

test('an estimate counts the listable objects', async ({ world, engine }) => {
  for (const name of ['a', 'shut/b']) world.source.set(`${name}.md`, `fruit ${name}`);
  world.source.unlistable = 'shut';
  assert.is((await engine.estimate({ target: root })).objects, 1);
});

for (const [how, status, error] of [
  ['cannot list everything', 'partial', 'listing_incomplete'],
  ['breaks off', 'failed', 'connector_unhealthy'],
] as const) {
  test(`reports that the listing ${how} when another worker ends the job`, async ({
    world,
    engine,
  }) => {
    for (const name of ['a', 'b', 'shut/c']) world.source.set(`${name}.md`, `fruit ${name}`);
    if (status === 'partial') world.source.unlistable = 'shut';
    else world.source.failListingAfter = 2;
    world.faults.hold = new Promise(() => {});
    engine.startWorker();
    const { job_id: id } = await engine.add({ target: root });
    const listed = async () => (await engine.job(id)).phase === 'indexing';
    while (!(await listed())) await new Promise((resolve) => setImmediate(resolve));
    assert.is((await engine.job(id)).error, null, 'while it runs');
    await engine.close();

    world.faults.hold = null;
    const next = await world.open();
    try {
      next.startWorker();
      const job = await next.waitForJob(id, { signal: AbortSignal.timeout(maxWaitMs) });
      assert.equal([job.status, job.error, job.added], [status, error, 2]);
    } finally {
      await next.close();
    }
  });
}

const unlisted = ['listing_incomplete', 'The folder shut could not be listed.'];

test.run();
