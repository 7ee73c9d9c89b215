import { defineConnector, type Content, type Entry } from '@trove/core';
import type { Engine } from '@trove/engine';
import { KnownSecrets } from '@trove/runtime';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { EventLoopCounter } from '@trove/test-support/event-loop-counter.js';
import { ConnectorState } from '../src/sources/connectors/connector-state.js';
import { GuardedConnector } from '../src/sources/connectors/guarded-connector.js';
import { ObjectRules } from '../src/sources/objects/object-rules.js';
import { Contents } from '../src/content/contents.js';
import { collectBytes } from '../src/content/byte-buffer.js';
import { root, sync, World } from './support/engine.js';

interface Context {
  world: World;
  engine: Engine;
}

const test = suite<Context>('one way to read an object');
const mebibyte = 1024 * 1024;

test.before.each(async (context) => {
  context.world = new World();
  context.engine = await context.world.open();
});

test.after.each(async ({ engine }) => {
  await engine.close();
});

/** Two records per object, with various names and kinds. */
const shelves = defineConnector({
  keys: ['shelves'],
  configSchema: { type: 'object' },
  create: () => ({
    async *list(): AsyncGenerator<Entry> {
      yield {
        path: 'books.md',
        kind: 'document',
        size: null,
        modifiedAt: null,
        fingerprint: '1',
      };
    },
    async *records(_path, { offset = 0, limit = Infinity }) {
      const all = [
        { key: { id: 1 }, fields: { title: 'Dune', note: 'one great worm' } },
        { key: { id: 2 }, fields: { title: 'Emma', note: 'long talks'.repeat(30) } },
      ];
      yield* all.slice(offset, offset + limit);
    },
  }),
});

test('an object without bytes is read as records whatever its stated kind', async ({ world }) => {
  const engine = await world.open({ plugins: [shelves] });
  try {
    const target = 'shelves://x';
    const config = { objects: [{ match: '*.md', text_fields: ['title'] }] };
    assert.is((await engine.estimate({ target, config })).est_chunks, 2);
    const job = await sync(engine, { target, config });
    assert.is(job.chunks, 2);
    const path = `${target}/books.md`;
    const { results } = await engine.grep({ pattern: 'one great worm' });
    assert.equal(
      results.map(({ content, locator }) => [content, locator]),
      [['{"title":"Dune","note":"one great worm"}', { id: 1 }]],
    );
    assert.match((await engine.cat({ path })).content, results[0]?.content ?? 'none');
    const code = async (query: object) =>
      (await rejection(() => engine.cat({ path, ...query }))).code;
    const [first = '', second] = (await engine.cat({ path })).content.trimEnd().split('\n');
    for (const [range, lines] of [
      ['1:1', [first]],
      ['2:', [second]],
      ['2:9', [second]],
      [':2', [first, second]],
      ['3:4', []],
    ] as const) {
      const { content } = await engine.cat({ path, range });
      assert.equal(content.trimEnd(), lines.join('\n'), range);
    }
    assert.is(await code({ range: '2:1' }), 'validation_error');
    assert.is(await code({ bytes: '0:9' }), 'range_unsupported');
    assert.is(await code({ density: 'peek' }), 'density_unsupported');
    assert.is(await code({ locator: '{"id":3}' }), 'locator_not_found');
  } finally {
    await engine.close();
  }
});

test('an outline follows the content of the object, like its chunks', async ({ world, engine }) => {
  world.source.set(
    'deploy',
    '#!/usr/bin/env python\nclass Deploy:\n    def run(self):\n        pass\n',
  );
  world.source.set('notes', new Uint8Array(Buffer.from('\ufeffa note\n', 'utf16le')));
  await sync(engine);
  const { entries } = await engine.ls({ path: root });
  assert.equal(
    entries.map(({ media_type: type }) => type),
    ['text/x-python', 'text/plain'],
  );
  const { content } = await engine.cat({ path: `${root}/deploy`, density: 'peek' });
  assert.is(content, '2: class Deploy:\n3:     def run(self):');
});

test('an estimate follows the rules for objects', async ({ world, engine }) => {
  for (let i = 0; i < 4; i++) world.source.set(`${i}.txt`, 'a line of text\n'.repeat(2000));
  const config = {
    objects: [
      { match: '/0.txt', indexable: false },
      { match: '*.txt', chunk_max: 2 },
    ],
  };
  const estimate = await engine.estimate({ target: root, config });
  assert.is(estimate.est_chunks, 6);
  assert.is((await sync(engine, { config })).chunks, 6);
});

test('the outline of a large object does not block the event loop', async ({ world, engine }) => {
  const section = `## A heading\n\n${'Words of a paragraph. '.repeat(30)}\n\n`;
  const text = (size: number) => section.repeat(Math.floor((size * mebibyte) / section.length));
  world.source.set('small.md', section);
  await sync(engine);
  world.source.set('large.md', text(4));
  world.source.set('larger.md', text(60));
  // Starts the thread.
  await engine.cat({ path: `${root}/small.md`, density: 'peek' });

  const turns = new EventLoopCounter();
  const { content } = await engine.cat({ path: `${root}/large.md`, density: 'peek' });
  assert.ok(content.length > 50_000);
  assert.ok(turns.end() > 50, 'the event loop kept running');

  const error = await rejection(() => engine.cat({ path: `${root}/larger.md`, density: 'peek' }));
  assert.is(error.code, 'object_too_large_for_cat');
});

/** Opens an object of a connector with a given `read`, without conversion. */
function opened(content: Content) {
  const { rules } = ObjectRules.split(null);
  const connector = new GuardedConnector({
    plugin: {},
    rootUri: 'plain://x',
    rules,
    secrets: [],
    state: new ConnectorState(
      async () => undefined,
      () => undefined,
    ),
    knownSecrets: new KnownSecrets(),
    warnings: [],
    create: async () => ({
      async *list() {},
      read: async () => content,
    }),
  });
  const contents = new Contents(
    {
      hasNoConverters: true,
      findConverterKey: () => null,
      maxBytes: 0,
      convert: () => Promise.reject(new Error('nothing is converted')),
    },
    { run: () => Promise.reject(new Error('nothing is unpacked')) },
    { maxFileBytes: 0 },
  );
  const { signal } = new AbortController();
  return async () => {
    const object = { path: 'a', size: null };
    const found = await contents.open(connector, object, 'reads', signal);
    return found.form === 'bytes' ? found.bytes(60 * mebibyte) : null;
  };
}

test('a whole object of unknown size reserves its maximum size', async () => {
  const bytes = opened({ bytes: Buffer.from('text') });
  const first = await bytes();
  let isSecondRead = false;
  const second = bytes().finally(() => (isSecondRead = true));
  await new Promise((resolve) => setImmediate(resolve));
  assert.not(isSecondRead, 'there is room for one');
  first?.release();
  (await second)?.release();
});

test('only transferable bytes are used without a copy', async () => {
  const bytes = new Uint8Array([1, 2, 3]);
  for (const transferable of [true, false]) {
    const held = await opened({ bytes, transferable })();
    assert.is(held?.object.bytes === bytes, transferable);
  }
});

test('a limit applies to the actual bytes, not the stated size', async () => {
  const pieces = ['ab', 'cde', '', 'f'].map((piece) => Buffer.from(piece));
  async function* stream() {
    yield* pieces;
  }
  const text = async (expected: number, limit: number) => {
    const bytes = await collectBytes({ bytes: stream() }, expected, limit);
    return bytes && Buffer.from(bytes).toString();
  };
  for (const expected of [0, 3, 6, 9]) assert.is(await text(expected, 10), 'abcdef');
  assert.is(await text(6, 6), 'abcdef');
  assert.is(await text(3, 5), null);
  const kept = Buffer.from('kept');
  const own = await collectBytes({ bytes: kept }, 4, 4);
  assert.is.not(own?.buffer, kept.buffer);
  assert.is(await collectBytes({ bytes: kept }, 0, 3), null);
});

test('transferable bytes are not copied, and their pieces are freed', async () => {
  const alone = new Uint8Array([1, 2, 3]);
  assert.is(await collectBytes({ bytes: alone, transferable: true }, 0, 3), alone);
  assert.is(await collectBytes({ bytes: alone, transferable: true }, 3, 2), null);

  const part = new Uint8Array([1, 2, 3]).subarray(1);
  const copy = await collectBytes({ bytes: part, transferable: true }, 2, 2);
  assert.is.not(copy?.buffer, part.buffer);
  assert.equal([...(copy ?? [])], [2, 3]);

  const pieces = [new Uint8Array([1, 2]), new Uint8Array([3])];
  async function* stream() {
    yield* pieces;
  }
  assert.equal([...((await collectBytes({ bytes: stream() }, 0, 3)) ?? [])], [1, 2, 3]);
  assert.equal(
    pieces.map(({ length }) => length),
    [2, 1],
  );
  const whole = await collectBytes({ bytes: stream(), transferable: true }, 0, 3);
  assert.equal([...(whole ?? [])], [1, 2, 3]);
  assert.equal(
    pieces.map(({ length }) => length),
    [0, 0],
  );
});

test.run();
