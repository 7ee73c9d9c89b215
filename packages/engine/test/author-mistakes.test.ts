import { defineConnector, type Connector } from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from './support/rejection.js';
import { sync, World } from './support/engine.js';

const test = suite("an author's mistakes");

const entry = { path: 'a.txt', size: null, modifiedAt: null, fingerprint: null };

/** An engine with a connector that is right but for the given members, which are as JavaScript may have them. */
async function using(members: object, work: (engine: Engine, world: World) => Promise<void>) {
  const right: Connector = {
    async *list() {
      yield entry;
    },
    read: async () => ({ bytes: Buffer.from('text') }),
  };
  const plugin = defineConnector({
    scheme: 'plain',
    configSchema: { type: 'object' },
    create: (): Connector => ({ ...right, ...members }),
  });
  const world = new World();
  const engine = await world.open({ plugins: [plugin] });
  try {
    await work(engine, world);
  } finally {
    await engine.close();
  }
}

const target = 'plain://x';

for (const [member, wrong] of Object.entries({
  path: '../outside',
  size: undefined,
  modifiedAt: 'yesterday',
  fingerprint: undefined,
})) {
  test(`an entry whose ${member} is wrong ends the listing, and the log names the member`, () =>
    using(
      {
        async *list() {
          yield { ...entry, [member]: wrong };
        },
        check: async () => ({ ok: true, detail: 'reachable' }),
      },
      async (engine, world) => {
        const { status, error } = await sync(engine, { target });
        assert.equal([status, error], ['failed', 'plugin_invalid']);
        assert.match(world.log.join('\n'), `\`${member}\``);
      },
    ));
}

test('so does a change that says nothing, and one whose entry is wrong', async () => {
  for (const change of [{}, { entry: { ...entry, path: '/a' } }]) {
    await using(
      {
        async *changes() {
          yield change;
        },
      },
      async (engine) => {
        assert.is((await sync(engine, { target })).error, 'plugin_invalid');
      },
    );
  }
});

test('a record without fields fails its object, in words', () =>
  using(
    {
      read: undefined,
      async *records() {
        yield { key: { id: 1 } };
      },
    },
    async (engine) => {
      const [failure] = (await sync(engine, { target })).failures;
      assert.is(failure?.code, 'plugin_invalid');
      assert.match(failure?.error ?? '', '`key` and `fields` must be objects');
    },
  ));

test('a check that resolves to nothing refuses the add', () =>
  using({ check: async () => undefined }, async (engine) => {
    const error = await rejection(() => engine.add({ target }));
    assert.is(error.code, 'plugin_invalid');
    assert.match(error.message, 'check must resolve');
  }));

test.run();
