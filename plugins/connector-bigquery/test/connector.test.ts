import type { Entry } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import {
  changedPaths,
  entriesOf,
  neverAborted,
  recordsAt,
} from '@trove/test-support/connector-reads.js';
import { id, name, note, requestsOf, withBigQuery } from './source.js';

const test = suite('BigQuery connector');

const days = {
  '20261130': [['3', 'Cleo']],
  '20261129': [['2', 'Ben']],
};

function stateful(): {
  readonly get: () => Promise<unknown>;
  readonly set: (value: unknown) => void;
} {
  let state: unknown;
  return {
    get: () => Promise.resolve(state),
    set: (value) => {
      state = structuredClone(value);
    },
  };
}

function skipsOf(entries: ReadonlyMap<string, Entry>): readonly (readonly [string, string])[] {
  return [...entries.values()].flatMap(({ path, skip }) =>
    skip === undefined ? [] : [[path, skip]],
  );
}

test('reads every type of value', () =>
  withBigQuery(async ({ fake: { world }, connector }) => {
    const nested = {
      name: 'lines',
      type: 'RECORD',
      mode: 'REPEATED',
      fields: [
        { name: 'item', type: 'STRING' },
        { name: 'count', type: 'INTEGER' },
      ],
    } as const;
    world.addTable('sales', 'orders', {
      key: ['id'],
      fields: [
        id,
        { name: 'big', type: 'INTEGER' },
        { name: 'price', type: 'FLOAT' },
        { name: 'isPaid', type: 'BOOLEAN' },
        { name: 'updated_at', type: 'TIMESTAMP' },
        { name: 'seen', type: 'TIMESTAMP' },
        { name: 'hash', type: 'BYTES' },
        { name: 'facts', type: 'JSON' },
        { name: 'total', type: 'NUMERIC' },
        { name: 'tags', type: 'STRING', mode: 'REPEATED' },
        nested,
      ],
      rows: [
        [
          '1',
          '9007199254740993',
          '2.5',
          'true',
          '1772445600123456',
          '1.7724456E9',
          Buffer.from([1, 254]).toString('base64'),
          '{"a":[1]}',
          '12.50',
          [{ v: 'x' }, { v: 'y' }],
          [{ v: { f: [{ v: 'tea' }, { v: '2' }] } }],
        ],
      ],
    });
    const [record] = await recordsAt(connector, 'sales/orders/rows.jsonl');
    assert.equal(record, {
      key: { id: 1 },
      fields: {
        id: 1,
        big: '9007199254740993',
        price: 2.5,
        isPaid: true,
        updated_at: '2026-03-02T10:00:00.123456Z',
        seen: '2026-03-02T10:00:00.000Z',
        hash: String.raw`\x01fe`,
        facts: { a: [1] },
        total: '12.50',
        tags: ['x', 'y'],
        lines: [{ item: 'tea', count: 2 }],
      },
      at: Date.parse('2026-03-02T10:00:00.123Z'),
    });
  }));

test('runs no query for tables, and finds changes in free facts', () =>
  withBigQuery(async ({ fake, connector }) => {
    const { world } = fake;
    world.rowsPerPage = 2;
    const rows = [
      ['1', 'Ada'],
      ['2', 'Ben'],
      ['3', 'Cleo'],
    ];
    world.addTable('sales', 'people', { fields: [id, name], rows });
    world.addTable('sales', 'orders', { fields: [id], rows: [['1']] });
    const before = await entriesOf(connector);
    assert.is((await recordsAt(connector, 'sales/people/rows.jsonl')).length, 3);
    assert.equal(changedPaths(before, await entriesOf(connector)), []);
    world.write('sales.people', (all) => void all.push(['4', 'Dan']));
    assert.equal(changedPaths(before, await entriesOf(connector)), ['sales/people/rows.jsonl']);
    assert.not.ok(requestsOf(fake).some((text) => /jobs|queries/.test(text)));
  }));

test('sees rows in the streaming buffer', () =>
  withBigQuery(async ({ fake: { world }, connector }) => {
    const table = world.addTable('sales', 'people', { fields: [id] });
    const before = await entriesOf(connector);
    table.streamingRows = 1;
    assert.equal(changedPaths(before, await entriesOf(connector)), ['sales/people/rows.jsonl']);
  }));

test('sends two requests and one per table to find that nothing has changed', () =>
  withBigQuery(async ({ fake, connector }) => {
    for (const table of ['a', 'b']) fake.world.addTable('sales', table, { fields: [id] });
    await entriesOf(connector);
    fake.service.forget();
    await entriesOf(connector);
    assert.equal(requestsOf(fake), [
      'GET /datasets',
      'GET /datasets/sales/tables',
      'GET /datasets/sales/tables/a',
      'GET /datasets/sales/tables/b',
    ]);
  }));

test('numbers equal rows of a table without a key', () =>
  withBigQuery(async ({ fake: { world }, connector }) => {
    const rows = [['same'], ['other'], ['same']];
    world.addTable('sales', 'log', { fields: [note], rows });
    const path = 'sales/log/rows.jsonl';
    const keys = (await recordsAt(connector, path)).map(({ key }) => String(key['row']));
    assert.match(keys[0] ?? '', /^[0-9a-f]{32}$/);
    assert.is(keys[2], `${keys[0]}-2`);
    const [found] = await recordsAt(connector, path, { key: { row: keys[2] ?? '' } });
    assert.equal(found?.fields, { note: 'same' });
    const [last] = await recordsAt(connector, path, { offset: 2, limit: 1 });
    assert.is(last?.key['row'], keys[2]);
  }));

test('uses a configured key', () =>
  withBigQuery(
    async ({ fake: { world }, connector }) => {
      world.addTable('sales', 'log', { fields: [id, note], rows: [['7', 'x']] });
      const [record] = await recordsAt(connector, 'sales/log/rows.jsonl');
      assert.equal(record?.key, { note: 'x', id: 7 });
      const entry = (await entriesOf(connector)).get('sales/log/rows.jsonl');
      assert.equal(entry?.keyFields, ['note', 'id']);
    },
    { keys: { 'sales.log': ['note', 'id'] } },
  ));

test('reads only the changed partition again', () =>
  withBigQuery(
    async ({ fake, connector }) => {
      const { world } = fake;
      world.addTable('sales', 'orders', { fields: [id, name], key: ['id'], partitions: days });
      const before = await entriesOf(connector);
      assert.equal(
        [...before.keys()],
        [
          'sales/orders/schema.json',
          'sales/orders/20261129/rows.jsonl',
          'sales/orders/20261130/rows.jsonl',
        ],
      );
      const [row] = await recordsAt(connector, 'sales/orders/20261129/rows.jsonl');
      assert.equal(row?.fields, { id: 2, name: 'Ben' });
      world.write('sales.orders', (rows) => void rows.push(['4', 'Dan']), '20261130');
      const after = await entriesOf(connector);
      assert.equal(changedPaths(before, after), ['sales/orders/20261130/rows.jsonl']);
      fake.service.forget();
      await entriesOf(connector);
      assert.not.ok(requestsOf(fake).some((text) => text.includes('queries')));
    },
    {},
    { state: stateful() },
  ));

test('includes only the newest partitions', () =>
  withBigQuery(
    async ({ fake: { world }, connector }) => {
      world.addTable('sales', 'orders', { fields: [id, name], partitions: days });
      assert.equal(
        [...(await entriesOf(connector)).keys()],
        ['sales/orders/schema.json', 'sales/orders/20261130/rows.jsonl'],
      );
    },
    { partitions: 1 },
  ));

test('reads a view again only after a change of its tables', () =>
  withBigQuery(async ({ fake, connector }) => {
    const { world } = fake;
    world.addTable('sales', 'people', { fields: [id, name], rows: [['1', 'Ada']] });
    world.addView('sales', 'names', 'sales.people', ['name']);
    world.slowPolls = 2;
    const before = await entriesOf(connector);
    const [record] = await recordsAt(connector, 'sales/names/rows.jsonl');
    assert.equal(record?.fields, { name: 'Ada' });
    assert.equal(changedPaths(before, await entriesOf(connector)), []);
    world.write('sales.people', (rows) => void rows.push(['2', 'Ben']));
    assert.equal(changedPaths(before, await entriesOf(connector)), [
      'sales/names/rows.jsonl',
      'sales/people/rows.jsonl',
    ]);
  }));

test('pages through the rows of a view', () =>
  withBigQuery(async ({ fake: { world }, connector }) => {
    const rows = Array.from({ length: 5 }, (_, at) => [String(at), `n${at}`]);
    world.addTable('sales', 'people', { fields: [id, name], rows });
    world.addView('sales', 'names', 'sales.people', ['name']);
    world.rowsPerPage = 2;
    assert.is((await recordsAt(connector, 'sales/names/rows.jsonl')).length, 5);
  }));

test('reads no more bytes in one sync than allowed', () =>
  withBigQuery(
    async ({ fake: { world }, connector }) => {
      const large = world.addTable('sales', 'large', { fields: [id], rows: [['1']] });
      for (const table of ['a', 'b']) {
        world.addTable('sales', table, { fields: [id], rows: [['1']] }).bytes = 600;
      }
      large.bytes = 3 * 1024;
      world.addView('sales', 'wide', 'sales.large', ['id']);
      const skips = skipsOf(await entriesOf(connector));
      assert.equal(
        skips.map(([path]) => path),
        ['sales/large/rows.jsonl', 'sales/wide/rows.jsonl'],
      );
      assert.match(skips[0]?.[1] ?? '', /takes 3 KiB, and `max_bytes` allows 1 KiB/);
      await recordsAt(connector, 'sales/a/rows.jsonl');
      const error = await rejection(() => recordsAt(connector, 'sales/b/rows.jsonl'));
      assert.is(error.pluginCode, 'bigquery.byte_limit');
      assert.match(error.message, 'takes 600 bytes');
      await entriesOf(connector);
      assert.is((await recordsAt(connector, 'sales/b/rows.jsonl')).length, 1);
    },
    { max_bytes: 1024 },
  ));

test('has the service limit the bytes of each query', () =>
  withBigQuery(
    async ({ fake, connector }) => {
      const { world } = fake;
      world.addTable('sales', 'people', { fields: [id], rows: [['1']] });
      world.addView('sales', 'v', 'sales.people', ['id']);
      await recordsAt(connector, 'sales/v/rows.jsonl');
      const query = fake.service.exchanges.find(({ request }) => request.path.endsWith('/queries'));
      const { maximumBytesBilled }: { readonly maximumBytesBilled?: string } = Object(
        query?.request.body,
      );
      assert.is(maximumBytesBilled, '1024');
    },
    { max_bytes: 1024 },
  ));

test('finds a row of a large table with a query', () =>
  withBigQuery(async ({ fake, connector }) => {
    const rows = [
      ['1', 'Ada'],
      ['2', 'Ben'],
    ];
    const table = fake.world.addTable('sales', 'people', { fields: [id, name], key: ['id'], rows });
    table.bytes = 20 * 1024 * 1024;
    const path = 'sales/people/rows.jsonl';
    const found = await recordsAt(connector, path, { key: { id: 2 } });
    assert.equal(
      found.map(({ fields }) => fields['name']),
      ['Ben'],
    );
    assert.ok(requestsOf(fake).includes('POST /queries'));
  }));

test('leaves out external tables and broken views', () =>
  withBigQuery(async ({ fake: { world }, connector }) => {
    world.addTable('sales', 'gone', { fields: [id] });
    world.addView('sales', 'broken', 'sales.gone', ['id']);
    world.addTable('sales', 'sheet', { type: 'EXTERNAL', fields: [id], rows: [['1']] });
    world.remove('sales.gone');
    const skips = new Map(skipsOf(await entriesOf(connector)));
    assert.match(skips.get('sales/broken/rows.jsonl') ?? '', 'Not found: Table sales.gone');
    assert.match(skips.get('sales/sheet/rows.jsonl') ?? '', /billed for a query/);
  }));

test('tells in a check what a first sync would read', () =>
  withBigQuery(async ({ fake: { world }, connector }) => {
    const check = async (): Promise<string> => {
      const health = await connector.check?.({ signal: neverAborted() });
      return `${health?.ok} ${health?.detail}`;
    };
    world.addTable('sales', 'people', { fields: [id], rows: [['1']] }).bytes = 5 * 1024 * 1024;
    world.addView('sales', 'v', 'sales.people', ['id']);
    world.addTable('sales', 'huge', { fields: [id] }).bytes = 3 * 1024 ** 3;
    assert.is(
      await check(),
      'true A BigQuery source with 3 tables and views. A first sync reads 10 MiB. Left out: 1, for example sales.huge: reading it takes 3 GiB, and `max_bytes` allows 1 GiB in one sync. Queries on views account for 5 MiB and are billed.',
    );
    world.hasRight = false;
    assert.match(await check(), /^false .*bigquery\.datasets\.get/);
  }));

test('deletes nothing when its dataset is not found', async () => {
  const target = 'bigquery://acme/sales';
  await withBigQuery(
    async ({ fake: { world }, connector }) => {
      world.addTable('sales', 'people', { fields: [id], rows: [['1']] });
      assert.equal(
        [...(await entriesOf(connector)).keys()],
        ['people/rows.jsonl', 'people/schema.json'],
      );
      world.datasets.clear();
      const error = await rejection(() => entriesOf(connector));
      assert.match(error.message, 'has no dataset sales');
    },
    {},
    { target },
  );
});

test('names datasets that do not exist', () =>
  withBigQuery(
    async ({ fake: { world }, connector }) => {
      world.addDataset('sales');
      const health = await connector.check?.({ signal: neverAborted() });
      assert.is(health?.ok, false);
      assert.match(health?.detail ?? '', 'has no dataset shop. It has: sales');
    },
    { datasets: ['shop'] },
  ));

test.run();
