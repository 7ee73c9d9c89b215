import type { SourceRecord } from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { sync, World } from './support/engine.js';

const test = suite('fields of threads');
const path = 'issues';

function said(id: number, text: string, more: Partial<SourceRecord> = {}): SourceRecord {
  return { key: { id }, fields: { room: 'bow' }, text, at: id * 1000, thread: 'leak', ...more };
}

const long = 'The pump is loud. '.repeat(60);
const opened = said(1, `The hull leaks. ${long}`, {
  threadFields: { state: 'open', labels: ['hull', 'urgent'] },
});
const closed = said(3, `The hull is mended. ${long}`, { threadFields: { state: 'closed' } });
const answer = said(2, `Where does it leak? ${long}`);
/** The last message comes first. */
const issue = [closed, opened, answer];

interface Tracker {
  readonly world: World;
  readonly engine: Engine;
  /** Returns one field of each hit. */
  readonly fields: (name: string, filter?: string) => Promise<unknown[]>;
}

async function withTracker(
  records: readonly SourceRecord[],
  use: (tracker: Tracker) => Promise<void>,
  { threads = true, rule }: { threads?: boolean; rule?: Readonly<Record<string, unknown>> } = {},
): Promise<void> {
  const world = new World();
  const engine = await world.open({ connector: { incremental: true, threads } });
  try {
    world.source.set(path, records);
    const config = rule === undefined ? {} : { config: { objects: [{ match: path, ...rule }] } };
    assert.is((await sync(engine, config)).status, 'succeeded');
    const fields: Tracker['fields'] = async (name, filter) => {
      const { results } = await engine.search({
        q: 'pump',
        mode: 'keyword',
        ...(filter === undefined ? {} : { filter }),
      });
      return results.map(({ metadata }) => metadata.fields[name]);
    };
    await use({ world, engine, fields });
  } finally {
    await engine.close();
  }
}

for (const threads of [true, false]) {
  const source = threads ? 'a source of threads' : 'a source of messages';

  test(`${source}: the fields of the latest message are on each chunk of its thread`, () =>
    withTracker(
      issue,
      async ({ engine, fields }) => {
        const { chunk_count: chunks } = (await engine.status()).connectors[0] ?? {};
        assert.is(chunks, 3);
        assert.equal(await fields('state'), ['closed', 'closed', 'closed']);
        assert.equal(await fields('state', "state = 'closed'"), ['closed', 'closed', 'closed']);
        assert.equal(await fields('state', "state = 'open'"), []);
        assert.equal(await fields('labels'), [undefined, undefined, undefined], 'as a whole');
      },
      { threads },
    ));

  test(`${source}: a thread keeps its fields when another message changes`, () =>
    withTracker(
      issue,
      async ({ world, engine, fields }) => {
        world.source.putRecord(path, said(2, `Near the rudder. ${long}`));
        assert.is((await sync(engine)).status, 'succeeded');
        const { results } = await engine.search({ q: 'rudder', mode: 'keyword' });
        assert.is(results[0]?.metadata.fields['state'], 'closed');
        world.source.removeRecord(path, closed.key);
        assert.is((await sync(engine)).status, 'succeeded');
        assert.equal(await fields('state'), ['open', 'open']);
        assert.equal(await fields('state', "labels = 'urgent'"), ['open', 'open']);
      },
      { threads },
    ));
}

test('changed fields of a thread count as a change of a message without version', () =>
  withTracker([said(1, long, { threadFields: { state: 'open' } })], async (tracker) => {
    const { world, engine, fields } = tracker;
    world.source.putRecord(path, said(1, long, { threadFields: { state: 'closed' } }));
    await sync(engine);
    assert.equal(await fields('state'), ['closed']);
    world.source.putRecord(path, said(1, long, { threadFields: { state: 'old' }, version: '1' }));
    await sync(engine);
    world.source.putRecord(path, said(1, long, { threadFields: { state: 'new' }, version: '1' }));
    await sync(engine);
    assert.equal(await fields('state'), ['old'], 'the version has not changed');
  }));

test('a message outside of threads has its own fields of a thread', () => {
  const { thread: _, ...alone } = said(1, 'A pump alone.', { threadFields: { state: 'open' } });
  return withTracker([alone], async ({ fields }) => {
    assert.equal(await fields('state', "state = 'open'"), ['open']);
  });
});

test('fields of a thread take precedence, except over pages and authors', () => {
  const threadFields = { room: 'stern', url: 'https://x.org/all', author: 'all', state: null };
  const first = said(1, 'A pump.', { threadFields, url: 'https://x.org/1', author: 'Ada' });
  return withTracker([first, said(2, 'Two pumps.')], async ({ engine, fields }) => {
    assert.equal(await fields('room'), ['stern']);
    assert.equal(await fields('state'), [null]);
    const { results } = await engine.search({ q: 'pump', mode: 'keyword' });
    const { url, author } = results[0]?.metadata ?? {};
    assert.equal([url, author], ['https://x.org/1', 'Ada']);
  });
});

test('a rule selects fields of threads', () =>
  withTracker(
    issue.filter((record) => record !== closed),
    async ({ fields }) => {
      assert.equal(await fields('state'), ['open', 'open']);
      assert.equal(await fields('labels'), [undefined, undefined]);
      assert.equal(await fields('room'), [undefined, undefined]);
    },
    { rule: { metadata_fields: ['state'] } },
  ));

test('in a group of a rule, fields of threads belong to their messages', () => {
  const threadFields = { state: 'open' };
  const other = said(4, 'The mast creaks, the pump is silent.', { thread: 'mast', threadFields });
  return withTracker(
    [said(3, 'A pump is closed.', { threadFields: { state: 'closed' } }), other],
    async ({ fields }) => {
      assert.equal(await fields('state', "state = 'open'"), [['closed', 'open']]);
      assert.equal(await fields('state', "state = 'closed'"), [['closed', 'open']]);
    },
    { rule: { group_by: 'room' } },
  );
});

test.run();
