import { isTroveError } from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { found, root, sync, World } from './support/engine.js';
import { assertCheap } from '../../../scripts/test-support/patience.js';

const test = suite<{ world: World; engine: Engine }>('rules for objects');

test.before.each(async (context) => {
  context.world = new World();
  context.engine = await context.world.open();
});
test.after.each(async ({ engine }) => {
  await engine.close();
});

const paths = ['extra/a.csv', 'extra/deep/b.md', 'other/extra/c.md', 'other/d.tsv', 'e.md'];
const patterns: readonly [match: string, leftOut: readonly string[]][] = [
  ['/extra', ['extra/a.csv', 'extra/deep/b.md']],
  ['extra', ['extra/a.csv', 'extra/deep/b.md', 'other/extra/c.md']],
  ['extra/', ['extra/a.csv', 'extra/deep/b.md', 'other/extra/c.md']],
  ['/extra/*.csv', ['extra/a.csv']],
  ['**/deep/**', ['extra/deep/b.md']],
  ['*.{csv,tsv}', ['extra/a.csv', 'other/d.tsv']],
  ['/e.md', ['e.md']],
  ['*', paths],
];

for (const [match, leftOut] of patterns) {
  test(`"${match}" leaves out what it means, and nothing else`, async ({ world, engine }) => {
    for (const path of paths) world.source.set(path, `apples of ${path}`);
    await sync(engine, { config: { objects: [{ match, indexable: false }] } });
    const expected = paths.filter((path) => !leftOut.includes(path));
    const hits = (await found(engine, 'apples')).map((uri) => uri.slice(root.length + 1));
    assert.equal(hits.toSorted(), expected.toSorted());
  });
}

test('a rule that matched nothing is said at the end of a sync', async ({ world, engine }) => {
  for (const path of paths) world.source.set(path, `apples of ${path}`);
  const objects = ['/extra', 'extra/*.csv', '/none'].map((match) => ({ match, priority: 1 }));
  const said = ['extra/*.csv', '/none'].map(
    (match) => `The rule for objects \`${match}\` matched nothing.`,
  );
  assert.equal((await sync(engine, { config: { objects } })).notes, said);
  assert.equal((await sync(engine)).notes, said);
});

test('an estimate leaves out what the rules leave out, and stops where they stop', async ({
  world,
  engine,
}) => {
  const text = 'apples and pears of a long garden\n'.repeat(600);
  for (const path of ['in/a.md', 'in/b.md', 'out/c.md']) world.source.set(path, text);
  const config = {
    objects: [
      { match: '/out', indexable: false },
      { match: '*', chunk_max: 3 },
    ],
  };
  const { objects, est_chunks } = await engine.estimate({ target: root, config });
  assert.equal({ objects, est_chunks }, { objects: 3, est_chunks: 6 });
  assert.is((await sync(engine, { config })).chunks, 6);
});

test('no pattern keeps the process from answering', async ({ world, engine }) => {
  world.source.set(`${'a'.repeat(250)}.txt`, 'red apples');
  world.source.set(`${'a/'.repeat(500)}c`, 'apples');
  const hostile = ['*a*a*a*a*a*a*a*b', '**/a/'.repeat(50) + 'b', '{a,b}*'.repeat(6) + 'c'];
  const config = { objects: hostile.map((match) => ({ match, indexable: false })) };
  await assertCheap(30_000, () => sync(engine, { config }));
  assert.is((await found(engine, 'apples')).length, 2);
});

test('a rule that cannot hold is refused with its place', async ({ engine }) => {
  const reason = async (rule: object): Promise<string> => {
    const error: unknown = await engine
      .add({ target: root, config: { objects: [{ match: '*' }, rule] } })
      .catch((thrown: unknown) => thrown);
    return isTroveError(error) ? `${error.code} ${error.detail}` : String(error);
  };
  assert.match(await reason({ match: 'a[b' }), 'config_invalid config.objects[1].match: ');
  assert.match(await reason({ match: '{a,b}'.repeat(7) }), 'over 100 alternatives');
  for (const name of ['lines', 'chars']) {
    const text = await reason({ match: '*', locator_fields: ['id', name] });
    assert.match(text, `config_invalid config.objects[1].locator_fields: ${name} may not be used`);
  }
});

test.run();
