import { TroveError, type Change, type CompleteScope, type SourceRecord } from '@trove/core';
import type { Engine, JobResponse } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { maxWaitMs, waitUntil } from '@trove/test-support/waiting.js';
import { CompleteScopes } from '../src/ingest/records/complete-scopes.js';
import { found, root, sync, World } from './support/engine.js';

const test = suite('complete scopes of changed records');
const path = 'chat';
/** The word that finds each message. */
const words = ['harbour', 'soup', 'salad', 'lighthouse', 'violin', 'glacier'] as const;
type Word = (typeof words)[number];

function message(
  word: Word,
  thread: string | null,
  more: Partial<SourceRecord> = {},
): SourceRecord {
  const at = (words.indexOf(word) + 1) * 1000;
  const said = { key: { word }, fields: {}, text: `About the ${word}.`, at, ...more };
  return thread === null ? said : { ...said, thread };
}

const harbour = message('harbour', 'ship');
const soup = message('soup', 'lunch');
const salad = message('salad', 'lunch');
const lighthouse = message('lighthouse', 'ship');
const violin = message('violin', null);
const { at: _, ...glacier } = message('glacier', null);
const talk = [harbour, soup, salad, lighthouse, violin, glacier];
const untouched = ['soup', 'salad', 'violin', 'glacier'];

function reported(records: readonly SourceRecord[], complete?: CompleteScope): Change {
  const change = { path, records, removedKeys: [] };
  return complete === undefined ? change : { ...change, complete };
}

const checkpoint: Change = { checkpoint: 'page 2' };

/** Fills the rest of a part after `before` changes. A part has at most 2,000 changes. */
function restOfPart(before: number): Change[] {
  return Array.from({ length: 2000 - before }, () => ({ removed: 'nothing' }));
}

interface Chat {
  readonly world: World;
  readonly engine: Engine;
  /** Syncs these changes. */
  readonly report: (...changes: Change[]) => Promise<JobResponse>;
  /** Returns the words of the messages that searches find. */
  readonly findable: () => Promise<Word[]>;
}

/** Runs with an indexed chat. */
async function withChat(
  use: (chat: Chat) => Promise<void>,
  { records = talk, threads = true }: { records?: SourceRecord[]; threads?: boolean } = {},
): Promise<void> {
  const world = new World();
  const engine = await world.open({ connector: { incremental: true, threads, keysOnly: false } });
  try {
    world.source.set(path, records);
    await sync(engine);
    world.source.recordsRead = 0;
    const report = async (...changes: Change[]): Promise<JobResponse> => {
      world.source.changeStream = async function* () {
        yield* changes;
      };
      const job = await sync(engine);
      assert.is(job.status, 'succeeded');
      return job;
    };
    await use({ world, engine, report, findable: () => findableIn(engine) });
  } finally {
    await engine.close();
  }
}

async function findableIn(engine: Engine): Promise<Word[]> {
  const findable: Word[] = [];
  for (const word of words) if ((await found(engine, word)).length > 0) findable.push(word);
  return findable;
}

for (const threads of [true, false]) {
  const source = threads ? 'a source of threads' : 'a source of messages';

  test(`${source}: a complete thread loses its unreported messages`, () =>
    withChat(
      async ({ engine, world, report, findable }) => {
        await report(reported([harbour], { thread: 'ship' }));
        assert.equal(await findable(), ['harbour', ...untouched]);
        const { results } = await engine.search({ q: 'harbour', mode: 'keyword' });
        assert.is(results[0]?.content, 'About the harbour.');
        assert.is((await engine.status()).connectors[0]?.chunk_count, 4);
        assert.is(world.source.recordsRead, 0, 'nothing is read');
      },
      { threads },
    ));

  test(`${source}: a complete thread without messages disappears`, () =>
    withChat(
      async ({ engine, world, report, findable }) => {
        await report(reported([], { thread: 'ship' }), reported([], { thread: 'unknown' }));
        assert.equal(await findable(), untouched);
        assert.is((await engine.status()).connectors[0]?.chunk_count, 3);
        const [collection] = world.storage.collections.values();
        assert.is(await collection?.count(), 3);
        assert.is(world.source.recordsRead, 0, 'nothing is read');
      },
      { threads },
    ));

  test(`${source}: a complete time loses its unreported records, except its end`, () =>
    withChat(
      async ({ report, findable, world }) => {
        world.source.set(path, [harbour, salad, lighthouse, violin, glacier]);
        await report(reported([salad], { from: 2000, to: 4000 }));
        assert.equal(await findable(), ['harbour', 'salad', 'lighthouse', 'violin', 'glacier']);
        assert.is(world.source.recordsRead, 0, 'nothing is read');
        await report(reported([], { from: 5000, to: 7000 }));
        assert.equal(await findable(), ['harbour', 'salad', 'lighthouse', 'glacier']);
      },
      { threads },
    ));
}

test('a complete object loses its unreported records', () =>
  withChat(async ({ world, report, findable }) => {
    world.source.set(path, [soup, salad, glacier]);
    await report(reported([salad]), reported([soup, glacier], 'object'));
    assert.equal(await findable(), ['soup', 'salad', 'glacier']);
    assert.is(world.source.recordsRead, 0, 'nothing is read');
  }));

test('a removed message is rewritten out of a thread that is reported in part', () =>
  withChat(async ({ engine, world, report, findable }) => {
    world.source.set(path, [harbour, violin, { ...salad, thread: 'ship' }, lighthouse]);
    await report(reported([{ ...salad, thread: 'ship' }], { from: 1000, to: 4000 }));
    assert.equal(await findable(), ['salad', 'lighthouse', 'violin', 'glacier']);
    const { results } = await engine.search({ q: 'lighthouse', mode: 'keyword' });
    assert.is(results[0]?.content, 'About the salad.\n\nAbout the lighthouse.');
  }));

test('changes of earlier parts count as reported: unchanged, changed and new', () => {
  const changed = { ...violin, text: 'The violin is new.' };
  return withChat(
    async ({ report, findable }) => {
      const first = [harbour, changed, lighthouse];
      await report(reported(first), ...restOfPart(1), reported([soup], 'object'));
      assert.equal(await findable(), ['harbour', 'soup', 'lighthouse', 'violin']);
    },
    { records: [harbour, soup, salad, violin, glacier] },
  );
});

for (const rest of [[], restOfPart(2)]) {
  test(`a checkpoint ends what a scope covers, ${rest.length === 0 ? 'in' : 'between'} parts`, () =>
    withChat(async ({ report, findable }) => {
      const before = reported([harbour, { ...violin, text: 'The violin is new.' }]);
      const after = reported([soup, salad, lighthouse], 'object');
      await report(before, checkpoint, ...rest, after);
      assert.equal(await findable(), ['soup', 'salad', 'lighthouse']);
    }));
}

test('a retry from a checkpoint forgets what it reported after it', () =>
  withChat(async ({ engine, world, findable }) => {
    const resumes: unknown[] = [];
    world.source.changeStream = async function* ({ resume }) {
      resumes.push(resume);
      if (resume === undefined) {
        yield reported([soup]);
        yield checkpoint;
        yield reported([harbour, salad]);
        throw new TroveError('connector_unhealthy', 'Too many requests', {
          retryable: true,
          retryAfterMs: 1,
        });
      }
      yield reported([salad, violin], 'object');
    };
    assert.is((await sync(engine)).status, 'succeeded');
    assert.equal(resumes, [undefined, 'page 2']);
    assert.equal(await findable(), ['salad', 'violin']);
  }));

test('a restarted process applies the changes that it gets again', async () => {
  const world = new World();
  const open = (): Promise<Engine> => world.open({ connector: { incremental: true } });
  const first = await open();
  world.source.set(path, talk);
  await sync(first);
  const newSalad = { ...salad, text: 'About the salad and rain.' };
  world.source.putRecord(path, newSalad);
  world.source.changeStream = async function* () {
    yield reported([glacier]);
    yield checkpoint;
    yield reported([harbour, newSalad]);
    // The stream lasts until the process ends.
    for (;;) yield* restOfPart(0);
  };
  const { job_id: id } = await first.add({ target: root });
  first.startWorker();
  await waitUntil(async () => (await found(first, 'rain')).length > 0, 'the first part');
  await first.close();
  // The message about the harbour is gone by now.
  let resumed: unknown;
  world.source.changeStream = async function* ({ resume }) {
    resumed = resume;
    yield reported([newSalad]);
    yield* restOfPart(1);
    yield reported([violin], 'object');
  };
  const second = await open();
  try {
    second.startWorker();
    const job = await second.waitForJob(id, { signal: AbortSignal.timeout(maxWaitMs) });
    assert.is(job.status, 'succeeded');
    assert.is(resumed, 'page 2');
    assert.equal(await findableIn(second), ['salad', 'violin']);
  } finally {
    await second.close();
  }
});

test('a rule that groups messages makes a complete thread read the object', () =>
  withChat(async ({ engine, world, findable }) => {
    const room = (record: SourceRecord): SourceRecord => ({ ...record, fields: { room: 1 } });
    world.source.set(path, talk.map(room));
    const objects = [{ match: path, group_by: 'room' }];
    await sync(engine, { config: { objects }, update: true });
    world.source.removeRecord(path, lighthouse.key);
    world.source.changeStream = async function* () {
      yield reported([room(harbour)], { thread: 'ship' });
    };
    assert.is((await sync(engine)).status, 'succeeded');
    assert.equal(await findable(), ['harbour', ...untouched]);
  }));

test('scopes that overlap or touch are read once', () => {
  const ranges = [
    { from: 5, to: 9 },
    { from: 0, to: 2 },
    { from: 2, to: 3 },
    { from: 6, to: 7 },
  ];
  const scopes = new CompleteScopes([...ranges, { thread: 'a' }, { thread: 'a' }]);
  assert.equal(scopes.selections(), [
    { threads: ['a'] },
    { times: { from: 0, to: 3 } },
    { times: { from: 5, to: 9 } },
  ]);
  assert.equal(new CompleteScopes([...ranges, 'object']).selections(), [{}]);
  assert.equal(new CompleteScopes([]).selections(), []);
});

test.run();
