import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

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

test('a listing that breaks off deletes nothing, and fails the job with its reason', async ({
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

test('what a listing named before it broke off is indexed all the same', async ({
  world,
  engine,
}) => {
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
      ['c.md', 'no sync has met it yet'],
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

test.run();
