import { defineConnector, type Connector, type JsonSchema } from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from './support/rejection.js';
import { sync, World } from './support/engine.js';

const test = suite("an author's mistakes");

const entry = { path: 'a.txt', size: null, modifiedAt: null, fingerprint: null };

/** An engine with a connector that is right but for the given members, which are as JavaScript may have them. */
async function using(
  members: object,
  work: (engine: Engine, world: World) => Promise<void>,
  configSchema: JsonSchema = { type: 'object' },
) {
  const right: Connector = {
    async *list() {
      yield entry;
    },
    read: async () => ({ bytes: Buffer.from('text') }),
  };
  const plugin = defineConnector({
    scheme: 'plain',
    configSchema,
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

test('a record whose key or time is none fails its object, in words', async () => {
  for (const [record, problem] of [
    [{ key: { id: () => 1 }, fields: {} }, '`key` holds something else'],
    [{ key: { id: 1 }, fields: {}, at: 'now' }, '`at` is no number'],
  ] as const) {
    await using(
      {
        read: undefined,
        async *records() {
          yield record;
        },
      },
      async (engine) => {
        const [failure] = (await sync(engine, { target })).failures;
        assert.is(failure?.code, 'plugin_invalid');
        assert.match(failure?.error ?? '', problem);
      },
    );
  }
});

test('bytes that are none fail their object, and the engine can still be closed', async () => {
  const stream = async function* () {
    yield 'text';
  };
  for (const bytes of [() => 'text', stream]) {
    await using({ read: async () => ({ bytes: bytes() }) }, async (engine) => {
      const [failure] = (await sync(engine, { target })).failures;
      assert.is(failure?.code, 'plugin_invalid');
      const error = await rejection(() => engine.cat({ path: `${target}/a.txt` }));
      assert.is(error.code, 'plugin_invalid');
    });
  }
});

test('an answer that no thread can take fails its object alone', () =>
  using(
    {
      list: async function* () {
        yield { ...entry, path: 'wrong' };
        yield { ...entry, path: 'right' };
      },
      read: async (path: string) => ({
        bytes: Buffer.from('text'),
        ...(path === 'wrong' ? { mediaType: () => 'text/plain' } : {}),
      }),
    },
    async (engine) => {
      const job = await sync(engine, { target });
      assert.equal([job.status, job.failed_objects, job.succeeded_objects], ['partial', 1, 1]);
      assert.match(job.failures[0]?.error ?? '', 'It could not be sent');
    },
  ));

test('bytes that break off fail their object as the source would, without its secrets', () =>
  using(
    {
      list: async function* () {
        yield { ...entry, path: 'broken' };
        yield { ...entry, path: 'gone' };
      },
      read: async (path: string) => ({
        bytes: (async function* () {
          yield Buffer.from('the beginning');
          throw Object.assign(new Error(`lost ${path} of key s3cret`), {
            code: path === 'gone' ? 'not_found' : 'plugin_invalid',
          });
        })(),
      }),
    },
    async (engine) => {
      const job = await sync(engine, { target, config: { key: 's3cret' } });
      assert.equal([job.status, job.failed_objects, job.succeeded_objects], ['partial', 1, 0]);
      assert.is(job.failures[0]?.code, 'plugin_invalid');
      assert.match(job.failures[0]?.error ?? '', /lost broken of key \*\*\*/);
    },
    {
      type: 'object',
      properties: { key: { type: 'string', writeOnly: true } },
    },
  ));

test('a check that resolves to nothing refuses the add', () =>
  using({ check: async () => undefined }, async (engine) => {
    const error = await rejection(() => engine.add({ target }));
    assert.is(error.code, 'plugin_invalid');
    assert.match(error.message, 'check must resolve');
  }));

test.run();
