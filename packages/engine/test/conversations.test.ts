import {
  defineConnector,
  isTroveError,
  type Change,
  type ChangesRequest,
  type RecordsOptions,
  type SourceRecord,
} from '@trove/core';
import type { Engine, EngineOptions } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { countThreadChunks, chunkThread } from '../src/content/chunking/index.js';
import { ThreadBuffer } from '../src/ingest/records/thread-buffer.js';
import { alteredIndex, found, root, sync, World } from './support/engine.js';

const test = suite('conversations');
const chat = `${root}/chat`;

type Options = Partial<EngineOptions> & {
  incremental?: boolean;
  threads?: boolean;
  keysOnly?: boolean;
};

/** `written`: the contents of the rows written since the last call; '' for a removed group. */
async function inWorld(
  use: (engine: Engine, world: World, written: () => string[], failures: Error[]) => Promise<void>,
  { incremental = false, threads = true, keysOnly = true, ...rest }: Options = {},
): Promise<void> {
  const world = new World();
  const seen: string[] = [];
  const failures: Error[] = [];
  const index = alteredIndex(world.storage, (collection) => {
    const replace = collection.replace.bind(collection);
    collection.replace = async (groups, given) => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      for (const { rows } of groups) seen.push(rows.map(({ content }) => content).join(' | '));
      return replace(groups, given);
    };
  });
  const engine = await world.open({
    index: { uri: 'altered://index' },
    plugins: [index],
    connector: { incremental, threads, keysOnly },
    ...rest,
  });
  try {
    await use(engine, world, () => seen.splice(0).sort(), failures);
  } finally {
    await engine.close();
  }
}

function said(
  id: number,
  thread: string | null,
  text: string,
  more: Partial<SourceRecord> = {},
): SourceRecord {
  const author = id % 2 === 0 ? 'Ada' : 'Ben';
  const message = { key: { id }, fields: { room: id }, text, author, at: id * 1000, ...more };
  return thread === null ? message : { ...message, thread };
}

const talk = [
  said(1, 'ship', 'Where is the harbour?'),
  said(2, 'lunch', 'Soup or salad?'),
  said(4, 'ship', 'Behind the lighthouse.'),
  said(3, 'lunch', 'Salad.'),
  said(5, null, 'Nobody answers this.'),
];

/** // Both kinds of sources must give the same result. */
for (const threads of [true, false]) {
  const source = threads ? 'a source of threads' : 'a source of messages';

  test(`${source}: a conversation is one chunk in time order and opens as a whole`, () =>
    inWorld(
      async (engine, world, written) => {
        world.source.set('chat', talk);
        const job = await sync(engine);
        assert.equal([job.status, job.chunks], ['succeeded', 3]);
        const ship = 'Ben: Where is the harbour?\n\nAda: Behind the lighthouse.';
        assert.equal(written(), [
          'Ada: Soup or salad?\n\nBen: Salad.',
          ship,
          'Nobody answers this.',
        ]);
        const { results } = await engine.search({ q: 'lighthouse', mode: 'keyword' });
        const [hit] = results;
        assert.equal([results.length, hit?.content, hit?.locator], [1, ship, { thread: 'ship' }]);
        assert.is(hit?.metadata.chunk_kind, 'thread_aggregate');
        assert.equal([hit?.metadata.author, hit?.metadata.fields['room']], ['Ben, Ada', [1, 4]]);
        assert.is(hit?.metadata.modified_at, new Date(4000).toISOString());
        const locator = JSON.stringify(hit?.locator);
        assert.is((await engine.cat({ path: chat, locator })).content, `${ship}\n`);
        for (const filter of ['author = "Ada"', 'room = 4']) {
          const filtered = await engine.search({ q: 'harbour', mode: 'keyword', filter });
          assert.is(filtered.results.length, 1, filter);
        }
      },
      { threads },
    ));

  test(`${source}: a changed message replaces only its conversation`, () =>
    inWorld(
      async (engine, world, written) => {
        world.source.set('chat', talk);
        await sync(engine);
        written();
        world.source.set('chat', [...talk, said(6, 'ship', 'Thank you.')]);
        const job = await sync(engine);
        assert.equal([job.changed, job.chunks], [1, 1]);
        const ship = 'Ben: Where is the harbour?\n\nAda: Behind the lighthouse.';
        assert.equal(written(), [`${ship}\n\nAda: Thank you.`]);
        const edited = talk.map((each) => (each === talk[1] ? said(2, 'lunch', 'Stew?') : each));
        world.source.set('chat', edited);
        await sync(engine);
        assert.equal(written(), ['Ada: Stew?\n\nBen: Salad.', ship]);
        world.source.set('chat', edited.slice(0, -2));
        await sync(engine);
        assert.equal(written(), ['', 'Ada: Stew?']);
        world.source.set('chat', edited.slice(0, 1));
        await sync(engine);
        assert.equal(written(), ['', 'Ben: Where is the harbour?']);
        assert.is((await engine.status()).connectors[0]?.chunk_count, 1);
        world.source.set('chat', edited.slice(0, 1));
        assert.equal([(await sync(engine)).unchanged, written()], [1, []]);
      },
      { threads },
    ));

  test(`${source}: a moved message leaves no rows in its former conversation`, () =>
    inWorld(
      async (engine, world, written) => {
        world.source.set('chat', talk);
        await sync(engine);
        const moved = [
          said(1, 'harbour', 'Where is the harbour?'),
          said(2, 'lunch', 'Soup or salad?'),
          said(4, 'harbour', 'Behind the lighthouse.'),
          said(3, null, 'Salad.'),
          said(5, 'lunch', 'Nobody answers this.'),
        ];
        written();
        world.source.set('chat', moved);
        await sync(engine);
        for (const each of ['harbour', 'salad', 'nobody'])
          assert.is(
            (await engine.search({ q: each, mode: 'keyword' })).results.length,
            each === 'salad' ? 2 : 1,
            each,
          );
        assert.is((await engine.status()).connectors[0]?.chunk_count, 3);
        const [collection] = world.storage.collections.values();
        assert.is(await collection?.count(), 3);
        await missing(engine, { thread: 'ship' });
        written();
        world.source.set('chat', moved);
        await sync(engine);
        assert.equal(written(), []);
        world.source.set('chat', [said(1, 'lunch', 'Where is the harbour?'), ...moved.slice(1)]);
        await sync(engine);
        assert.is((await engine.status()).connectors[0]?.chunk_count, 3);
        for (const each of ['harbour', 'lighthouse'])
          assert.equal(await found(engine, each), [chat], 'what stays, and what comes');
      },
      { threads },
    ));

  test(`${source}: reported messages replace their conversations`, () =>
    inWorld(
      async (engine, world, written) => {
        world.source.set('chat', talk);
        await sync(engine);
        written();
        world.source.putRecord('chat', said(6, 'ship', 'Thank you.'));
        world.source.removeRecord('chat', { id: 2 });
        world.source.putRecord('chat', said(7, 'new', 'Hello?'));
        const job = await sync(engine);
        assert.is(job.status, 'succeeded');
        const ship = 'Ben: Where is the harbour?\n\nAda: Behind the lighthouse.\n\nAda: Thank you.';
        assert.equal(written(), ['Ben: Hello?', 'Ben: Salad.', ship]);
        for (const id of [3, 7]) world.source.removeRecord('chat', { id });
        await sync(engine);
        assert.equal(written(), ['', '']);
        assert.is((await engine.status()).connectors[0]?.chunk_count, 2);
        world.source.recordsRead = 0;
        world.source.removeRecord('chat', { id: 6 });
        await sync(engine);
        assert.ok(!threads || world.source.recordsRead === 2, 'more than its thread was read');
      },
      { threads, incremental: true, keysOnly: false },
    ));

  test(`${source}: the next sync writes conversations that were not written`, () =>
    inWorld(
      async (engine, world, written, failures) => {
        world.source.set('chat', talk);
        await sync(engine);
        const more = [...talk, said(6, 'ship', 'Thank you.')];
        world.source.set('chat', more);
        for (let attempt = 0; attempt < 10; attempt++) failures.push(new Error('no'));
        assert.is((await sync(engine)).status, 'partial');
        failures.splice(0);
        written();
        world.source.set('chat', more);
        assert.is((await sync(engine)).status, 'succeeded');
        assert.is(written().length, 1);
        assert.equal(await found(engine, 'thank'), [chat]);
      },
      { threads },
    ));

  test(`${source}: a mailbox larger than memory is read until all are written`, () =>
    inWorld(
      async (engine, world) => {
        const names =
          'ash birch cedar elm fir oak pine yew lime plum pear fig rowan hazel box holly';
        const long = 'word '.repeat(220_000);
        const mails = [1, 2].flatMap((turn) =>
          names.split(' ').map((name, at) => said(turn * 20 + at, name, turn === 1 ? name : long)),
        );
        world.source.set('chat', mails);
        await sync(engine);
        for (const name of names.split(' ')) assert.equal(await found(engine, name), [chat], name);
        assert.is((await engine.status()).connectors[0]?.chunk_count, 2 * 16);
      },
      { threads, ingest: { chunkMax: 2 } },
    ));
}

async function missing(engine: Engine, locator: object): Promise<void> {
  const error = await engine.cat({ path: chat, locator: JSON.stringify(locator) }).then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(isTroveError(error) && error.code === 'locator_not_found', String(error));
}

test('leftover rows of a conversation are repaired, then removed with it', () =>
  inWorld(async (engine, world, written) => {
    world.source.set('chat', [...talk, said(9, 'ship', 'Ahoy.', { at: 1 })]);
    await sync(engine);
    const [collection] = world.storage.collections.values();
    const { id } = await engine.inspect({ target: root });
    const groups: string[] = [];
    await collection?.groups(String(id), (some) => void groups.push(...some.keys()));
    assert.is(groups.length, 3);
    const { signal } = new AbortController();
    for (const group of groups) {
      await collection?.replace([{ group, rows: [] }], { signal });
      written();
      await sync(engine);
      assert.is(written().length, 1);
    }
    assert.equal(await found(engine, 'lighthouse'), [chat]);
    world.source.remove('chat');
    await sync(engine);
    assert.is(await collection?.count(), 0);
  }));

test('known messages are read by key, and not at all if all were reported', async () => {
  const asked: Omit<RecordsOptions, 'signal'>[] = [];
  const messages = [said(1, 'ship', 'Where is the harbour?')];
  const entry = { path: 'chat', size: null, modifiedAt: null, keyFields: ['id'] };
  const stamped = () => ({ ...entry, fingerprint: String(messages.length) });
  const plugin = defineConnector({
    keys: ['told'],
    capabilities: { threads: true },
    configSchema: { type: 'object', additionalProperties: false, properties: {} },
    create: () => ({
      async *list() {
        yield stamped();
      },
      async *records(_path, { signal: _, ...options }) {
        asked.push(options);
        yield* messages.filter(
          ({ thread }) => options.thread === undefined || thread === options.thread,
        );
      },
      async *changes({ cursor, commit }: ChangesRequest): AsyncGenerator<Change> {
        const records = messages.slice(Number(cursor ?? 0));
        if (cursor === undefined) yield { entry: stamped() };
        else if (records.length > 0) yield { path: 'chat', records, removedKeys: [] };
        commit(messages.length);
      },
      stat: async () => stamped(),
    }),
  });
  const engine = await new World().open({ plugins: [plugin] });
  const target = 'told://talk';
  const told = async (...some: SourceRecord[]): Promise<unknown[]> => {
    asked.length = 0;
    messages.push(...some);
    assert.is((await sync(engine, { target })).status, 'succeeded');
    return [...asked];
  };
  await told();
  const answer = said(2, 'ship', 'Behind the lighthouse.');
  assert.equal(await told(answer), [{ thread: 'ship', messageKeys: [{ id: 1 }, { id: 2 }] }]);
  const { results } = await engine.search({ q: 'lighthouse', mode: 'keyword' });
  assert.is(results[0]?.content, 'Ben: Where is the harbour?\n\nAda: Behind the lighthouse.');
  assert.equal(await told(said(3, 'lunch', 'Soup?'), said(4, 'lunch', 'Salad.')), []);
  const lunch = await engine.search({ q: 'salad', mode: 'keyword' });
  assert.is(lunch.results[0]?.content, 'Ben: Soup?\n\nAda: Salad.');
  const id = 'long '.repeat(100);
  await told({ ...said(5, 'dusk', 'Fog comes.'), key: { id } });
  assert.equal(await told(said(6, 'dusk', 'Wait here.')), [{ thread: 'dusk' }]);
  await engine.close();
});

test('an unknown conversation, and a table with a column of that name', () =>
  inWorld(async (engine, world) => {
    world.source.set('chat', talk);
    await missing(engine, { thread: 'none' }).catch(() => undefined);
    await sync(engine);
    await missing(engine, { thread: 'none' });
    world.source.set('table', [{ key: { thread: 'x' }, fields: { name: 'apple' } }]);
    await sync(engine);
    const { results } = await engine.search({ q: 'apple', mode: 'keyword' });
    const [hit] = results;
    const path = hit?.source ?? '';
    const { content } = await engine.cat({ path, locator: JSON.stringify(hit?.locator) });
    assert.match(content, 'apple');
  }));

test('an estimate counts conversations', () =>
  inWorld(async (engine, world) => {
    const many = Array.from({ length: 300 }, (_, id) => said(id, `t${id % 3}`, 'a short word'));
    world.source.set('chat', many);
    const { est_chunks: counted } = await engine.estimate({ target: root });
    const { chunks } = await sync(engine);
    assert.ok(chunks !== null);
    assert.ok(Math.abs(counted - chunks) <= 0.3 * chunks, `${counted} of ${chunks}`);
  }));

test('chunks have about 1,500 characters and repeat the last two messages', () => {
  const messages = Array.from({ length: 40 }, (_, at) => `${at}: ${'x'.repeat(90)}`);
  const chunks = [...chunkThread(messages, 2048)];
  const whole = messages.join('\n\n');
  assert.ok(chunks.every(({ text }) => whole.includes(text) && text.length <= 1500));
  for (const [at, { first }] of chunks.entries()) {
    const before = chunks[at - 1];
    if (before !== undefined) assert.is(first, before.last - 1);
  }
  assert.is(chunks.at(-1)?.last, 39);
  const lengths = messages.map(({ length }) => length);
  assert.is(countThreadChunks(lengths, 2048), chunks.length);
});

test('a long message has chunks of its own, and its neighbors are kept', () => {
  const messages = ['short', 'y'.repeat(5000), 'z'.repeat(900), 'end'];
  const chunks = [...chunkThread(messages, 2048)];
  assert.equal(
    chunks.map(({ first, last, text }) => [first, last, text.length]),
    [
      [0, 0, 5],
      [1, 1, 2048],
      [1, 1, 2048],
      [1, 1, 904],
      [2, 3, 905],
    ],
  );
});

test('conversations are buffered completely, unless one alone is too long', () => {
  const some = new ThreadBuffer();
  const facts = { name: '', version: '', title: null, at: undefined };
  const long = { ...facts, fields: {}, threadFields: null };
  const add = (thread: string, chars: number) =>
    some.add(thread, { ...long, text: 'x'.repeat(chars) });
  add('a', 5_000_000);
  add('b', 3_000_000);
  add('b', 3_000_000);
  add('c', 1);
  assert.is(some.isFull, true);
  assert.equal([some.take('b'), some.take('c')], [undefined, undefined]);
  add('a', 5_000_000);
  const a = some.take('a');
  assert.equal([a?.messages.length, a?.isTruncated], [1, true]);
});

test.run();
