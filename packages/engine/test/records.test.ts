import {
  defineConnector,
  type Connector,
  type ConnectorCapabilities,
  type GrepRequest,
  type RecordsOptions,
  type SourceRecord,
} from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { found, root, sync, World } from './support/engine.js';

const test = suite('sources of records');
const target = 'table://x';

/** A table of people that records its requests. */
class Table {
  people: SourceRecord[] = ['Ada', 'Ben', 'Cem'].map((name, at) => ({
    key: { id: at + 1 },
    fields: { name },
    text: `The notes of ${name} on sailing`,
  }));
  readonly asked: Omit<RecordsOptions, 'signal'>[] = [];
  readonly searched: GrepRequest[] = [];

  plugin(capabilities: ConnectorCapabilities = {}, members: Partial<Connector> = {}) {
    return defineConnector({
      keys: ['table'],
      configSchema: { type: 'object' },
      capabilities,
      create: (): Connector => ({
        list: async function* () {
          const facts = { size: null, modifiedAt: null, fingerprint: null };
          yield { path: 'people', kind: 'table_rows', keyFields: ['id'], ...facts };
        },
        records: (_, options) => this.#records(options),
        ...members,
      }),
    });
  }

  async *#records({ signal: _, ...options }: RecordsOptions) {
    this.asked.push(options);
    const { key, offset = 0, limit = Infinity } = options;
    const some = this.people.filter(
      (record) => key === undefined || record.key['id'] === key['id'],
    );
    yield* some.slice(offset, offset + limit);
  }

  /** Finds literal texts and ignores other options. */
  async *grep(request: GrepRequest) {
    this.searched.push(request);
    for (const { key, fields } of this.people) {
      const content = JSON.stringify(fields);
      if (content.includes(request.pattern)) yield { path: 'people', key, content };
    }
  }
}

async function withTable(
  use: (engine: Engine, table: Table) => Promise<void>,
  plugin: (table: Table) => ReturnType<Table['plugin']> = (table) => table.plugin(),
): Promise<void> {
  const table = new Table();
  const engine = await new World().open({ plugins: [plugin(table)] });
  try {
    await sync(engine, { target });
    await use(engine, table);
  } finally {
    await engine.close();
  }
}

test("search finds a record's own text and shows it with its fields", () =>
  withTable(async (engine) => {
    const { results } = await engine.search({ q: 'notes of Ben', mode: 'keyword' });
    const [hit] = results;
    assert.is(hit?.content, 'The notes of Ben on sailing');
    const locator = JSON.stringify(hit?.locator);
    assert.is(locator, '{"id":2}');
    const shown = await engine.cat({ path: `${target}/people`, locator });
    assert.is(shown.content, '{"name":"Ben","text":"The notes of Ben on sailing"}\n');
  }));

test('a locator is checked against key names before the source reads it', () =>
  withTable(async (engine, table) => {
    const path = `${target}/people`;
    table.asked.length = 0;
    for (const locator of ['{"name":"Ben"}', '{"id":2,"name":"Ben"}', '{"lines":[1,2]}']) {
      const error = await rejection(() => engine.cat({ path, locator }));
      assert.is(error.code, 'validation_error');
      assert.match(error.message, 'named by `id`');
    }
    assert.equal(table.asked, []);
    await engine.cat({ path, locator: '{"id":2}' });
    assert.equal(table.asked, [{ key: { id: 2 } }]);
  }));

test('head requests only the records that it shows', () =>
  withTable(async (engine, table) => {
    table.asked.length = 0;
    const { content } = await engine.head({ path: `${target}/people`, n: 2 });
    assert.is(content.split('\n').length, 3);
    assert.equal(table.asked, [{ limit: 2 }]);
  }));

test('cat numbers records, and context adds records', () =>
  withTable(async (engine, table) => {
    const path = `${target}/people`;
    table.asked.length = 0;
    const answer = await engine.cat({ path, range: '2:2', context: 1, numbers: true });
    assert.match(answer.content, /^ {5}1\t\{.*\n {5}2\t\{"name":"Ben"/);
    assert.is('lines' in answer && answer.lines, null);
    assert.equal(table.asked, [{ offset: 0, limit: 3 }]);
    const error = await rejection(() => engine.cat({ path, range: '1:1', enclosing: true }));
    assert.match(error.message, 'records have no definitions');
  }));

test('a record with an unexpected key fails with a specific code', async () => {
  const table = new Table();
  table.people[1] = { key: { number: 2 }, fields: {} };
  const engine = await new World().open({ plugins: [table.plugin()] });
  try {
    const job = await sync(engine, { target });
    assert.is(job.failures?.[0]?.code, 'records_incomplete');
    assert.match(job.failures?.[0]?.error ?? '', '`key` consists of number');
  } finally {
    await engine.close();
  }
});

test('an invalid record fails its reader and appears in grep as a notice', () =>
  withTable(async (engine, table) => {
    table.people[1] = { key: { id: 2 }, fields: { name: 2n } };
    const path = `${target}/people`;
    const { results } = await engine.grep({ pattern: 'name', path: target });
    assert.equal(
      results.map(({ locator }) => locator),
      [{ id: 1 }, { id: 3 }, null],
    );
    assert.match(results[2]?.content ?? '', 'cannot be written as JSON');
    assert.match((await engine.cat({ path, locator: '{"id":3}' })).content, 'Cem');
    const error = await engine.cat({ path, locator: '{"id":2}' }).catch((each: unknown) => each);
    assert.match(String(error), 'cannot be written as JSON');
  }));

test('a source searches only with options that it supports', () =>
  withTable(
    async (engine, table) => {
      const vias = async (query: Partial<Parameters<Engine['grep']>[0]>) => {
        const { results } = await engine.grep({ pattern: 'Be', path: target, ...query });
        return results.map(({ via, locator }) => [via, locator]);
      };
      assert.equal(await vias({}), [['pushdown', { id: 2 }]]);
      assert.is(table.searched.length, 1);
      assert.equal(await vias({ pattern: 'B.n', regex: true }), [['linear', { id: 2 }]]);
      assert.equal(await vias({ pattern: 'be', ignore_case: true }), [['linear', { id: 2 }]]);
      assert.is(table.searched.length, 1);
    },
    (table) => table.plugin({ grep: {} }, { grep: (request) => table.grep(request) }),
  ));

test('a source searches with the options of its connector, not of its plugin', () =>
  withTable(
    async (engine, table) => {
      await engine.grep({ pattern: 'NAME', path: target, ignore_case: true });
      assert.equal(
        table.searched.map(({ ignoreCase }) => ignoreCase),
        [true],
      );
      await engine.grep({ pattern: 'n.me', path: target, regex: true });
      assert.is(table.searched.length, 1);
    },
    (table) =>
      table.plugin(
        { grep: { regex: true } },
        { grep: (request) => table.grep(request), capabilities: { grep: { ignoreCase: true } } },
      ),
  ));

test('the engine pages the results of a search without paging', () =>
  withTable(
    async (engine, table) => {
      const ask = (query: object) => engine.grep({ pattern: 'name', path: target, ...query });
      const keys: unknown[] = [];
      let cursor: string | undefined;
      do {
        const page = await ask({ limit: 1, ...(cursor === undefined ? {} : { cursor }) });
        keys.push(...page.results.map(({ locator }) => locator));
        cursor = page.next ?? undefined;
      } while (cursor !== undefined);
      assert.equal(keys, [{ id: 1 }, { id: 2 }, { id: 3 }]);
      assert.is((await ask({ max_per_object: 2 })).results.length, 2);
      assert.equal((await ask({ glob: '!people' })).results, []);
      for (const { globs, after } of table.searched) assert.equal([globs, after], [[], null]);
    },
    (table) => table.plugin({ grep: {} }, { grep: (request) => table.grep(request) }),
  ));

test('a list field matches each of its values', async () => {
  const table = new Table();
  const tags = (id: number, list: unknown): SourceRecord => ({
    key: { id },
    fields: { list },
    text: 'x',
  });
  table.people = [tags(1, ['red', 'blue']), tags(2, ['green', null]), tags(3, []), tags(4, 'red')];
  const engine = await new World().open({ plugins: [table.plugin()] });
  try {
    await sync(engine, { target });
    const ids = async (filter: string) => {
      const { results } = await engine.search({ q: 'x', mode: 'keyword', filter });
      return new Set(results.map(({ locator }) => locator?.['id']));
    };
    assert.equal(await ids("list = 'red'"), new Set([1, 4]));
    assert.equal(await ids("list in ('blue', 'green')"), new Set([1, 2]));
    assert.equal(await ids('list = null'), new Set([3]));
    const { results } = await engine.search({ q: 'x', mode: 'keyword', filter: "list = 'blue'" });
    assert.equal(results[0]?.metadata.fields, { list: ['red', 'blue'] });
  } finally {
    await engine.close();
  }
});

test('a long text field is left out of row fields; the others are kept', () =>
  withTable(
    async (engine) => {
      const all = await engine.search({ q: 'rope', mode: 'keyword', top_k: 100 });
      assert.ok(all.results.length > 10);
      for (const { metadata } of all.results) {
        assert.equal(Object.keys(metadata.fields), ['state', 'tags', '__proto__']);
        assert.equal(metadata.fields['tags'], ['a', 'b']);
      }
      const filter = 'state = "open" and tags = "b"';
      const { results } = await engine.search({ q: 'rope', filter, top_k: 100 });
      assert.is(results.length, all.results.length);
    },
    (table) => {
      const body = 'A rope on the deck of the boat. '.repeat(1000);
      const fields = Object.fromEntries([
        ['body', body],
        ['state', 'open'],
        ['list', Array.from({ length: 20 }, (_, at) => `${at}${body.slice(0, 900)}`)],
        ['tags', ['a', 'b']],
        ['__proto__', 'x'],
      ]);
      table.people = [{ key: { id: 1 }, fields }];
      return table.plugin();
    },
  ));

test('titles and authors of records have the length limit of entries', async () => {
  const long = 'x'.repeat(5000);
  const record = (id: number): SourceRecord => ({
    key: { id },
    fields: { name: 'Ada' },
    title: `title ${long}`,
    author: `author ${long}`,
    text: 'notes on sailing',
  });
  const table = new Table();
  table.people = [record(1)];
  const changes: Connector['changes'] = async function* ({ commit, cursor }) {
    if (cursor === 1) yield { path: 'people', records: [record(2)], removedKeys: [] };
    else yield { reset: true };
    commit(1);
    if (cursor !== 1) {
      const facts = { size: null, modifiedAt: null, fingerprint: '1' };
      yield { entry: { path: 'people', kind: 'table_rows', keyFields: ['id'], ...facts } };
    }
  };
  const plugin = table.plugin({}, { changes });
  await using engine = await new World().open({ plugins: [plugin] });
  for (const hits of [1, 2]) {
    await sync(engine, { target });
    const { results } = await engine.search({ q: 'sailing', mode: 'keyword' });
    assert.is(results.length, hits);
    for (const { metadata } of results) {
      assert.is(metadata.title?.length, 1000);
      assert.is(metadata.author?.length, 1000);
    }
  }
});

test('an expired cursor lists everything and removes missing records', async () => {
  const world = new World();
  const engine = await world.open({ connector: { incremental: true } });
  try {
    world.source.set('a.md', 'apples');
    world.source.set('b.md', 'pears');
    await sync(engine);
    world.source.objects.delete('b.md');
    assert.is((await sync(engine)).total_objects, 0);
    world.source.expireCursors();
    const job = await sync(engine);
    assert.equal([job.status, job.unchanged, job.removed], ['succeeded', 1, 1]);
    assert.equal(await found(engine, 'pears'), []);
    assert.is((await sync(engine)).total_objects, 0, 'the new cursor is good');
  } finally {
    await engine.close();
  }
});

test('finds changed records and no removed ones', async () => {
  const world = new World();
  const engine = await world.open({ connector: { incremental: true } });
  try {
    const records = ['apples', 'pears', 'plums'].map((fruit, id) => ({
      key: { id },
      fields: { fruit },
    }));
    world.source.set('fruit', records);
    await sync(engine);
    world.source.putRecord('fruit', { key: { id: 1 }, fields: { fruit: 'quinces' } });
    world.source.putRecord('fruit', { key: { id: 3 }, fields: { fruit: 'figs' } });
    world.source.removeRecord('fruit', { id: 2 });
    const job = await sync(engine);
    assert.equal([job.status, job.total_objects, job.changed], ['succeeded', 1, 1]);
    const all = ['apples', 'pears', 'plums', 'quinces', 'figs'];
    const hits = await Promise.all(all.map(async (word) => (await found(engine, word)).length));
    assert.equal(hits, [1, 0, 0, 1, 1]);
    assert.is(
      (await engine.cat({ path: `${root}/fruit`, locator: '{"id":3}' })).content,
      '{"fruit":"figs"}\n',
    );
  } finally {
    await engine.close();
  }
});

test.run();
