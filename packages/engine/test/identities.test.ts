import type { Engine } from '@trove/engine';
import type { SourceCall } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { root, sync, World } from './support/engine.js';

interface Context {
  world: World;
  engine: Engine;
  calls: SourceCall[];
}

const test = suite<Context>('identities of objects');
const table = [
  { key: { id: 1 }, fields: { name: 'apple' } },
  { key: { id: 2 }, fields: { name: 'pear' } },
];

test.before.each(async (context) => {
  const world = new World();
  world.source.set('a.md', 'red apples\n');
  world.source.set('packed.txt.gz', 'green apples\n');
  world.source.set('table', table);
  context.world = world;
  context.calls = [];
  context.engine = await world.open();
  world.source.onCall = (call) => void context.calls.push(call);
});

test.after.each(({ engine }) => engine.close());

/** Asserts that there were calls of these methods, all with the identity of their object. */
function assertIdentified(
  { world, calls }: Context,
  methods: readonly SourceCall['method'][],
): void {
  assert.equal([...new Set(calls.map(({ method }) => method))].sort(), methods);
  for (const { method, path, identity } of calls)
    assert.is(identity, world.source.objects.get(path)?.identity, `${method} of ${path}`);
}

test('indexing passes the listed identity', async (context) => {
  assert.is((await sync(context.engine)).status, 'succeeded');
  assertIdentified(context, ['read', 'records']);
});

for (const [what, methods, use] of [
  ['cat', ['read', 'stat'], (engine) => engine.cat({ path: `${root}/a.md` })],
  [
    'cat of a byte range',
    ['read', 'stat'],
    (engine) => engine.cat({ path: `${root}/a.md`, bytes: '0:3' }),
  ],
  [
    'cat of a record',
    ['records', 'stat'],
    (engine) => engine.cat({ path: `${root}/table`, locator: '{"id":2}' }),
  ],
  ['head', ['read', 'stat'], (engine) => engine.head({ path: `${root}/a.md`, n: 1 })],
  ['tail', ['read', 'stat'], (engine) => engine.tail({ path: `${root}/a.md`, n: 1 })],
  ['export', ['records', 'stat'], (engine) => exported(engine)],
  ['ls of an object', ['stat'], (engine) => engine.ls({ path: `${root}/a.md` })],
  [
    'grep by the source',
    ['grep'],
    (engine) => engine.grep({ pattern: 'apples', path: `${root}/a.md` }),
  ],
  [
    'grep by reading',
    ['grep', 'read'],
    (engine) => engine.grep({ pattern: 'apples', path: `${root}/packed.txt.gz` }),
  ],
  ['an estimate', ['read', 'records'], (engine) => engine.estimate({ target: root })],
] as const satisfies readonly (readonly [
  string,
  readonly SourceCall['method'][],
  (engine: Engine) => Promise<unknown>,
])[]) {
  test(`${what} passes the known identity`, async (context) => {
    await sync(context.engine);
    context.calls.length = 0;
    await use(context.engine);
    assertIdentified(context, methods);
  });
}

test('a search of the whole source passes no identity', async ({ engine, calls }) => {
  await sync(engine);
  calls.length = 0;
  await engine.grep({ pattern: 'red', path: root });
  assert.equal(
    calls.filter(({ method }) => method === 'grep').map(({ identity }) => identity),
    [undefined],
  );
});

async function exported(engine: Engine): Promise<void> {
  await engine.export({ path: `${root}/table` });
}

test.run();
