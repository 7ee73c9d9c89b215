// test-timeout: 300
import type { ConnectorSubject, KnownObject } from '@trove/testkit';
import { suite } from 'uvu';

import { missingInDatabases, testConformance } from '@trove/test-support/conformance.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { column, nameComment, notNull } from '@trove/test-support/sql/subject.js';
import plugin from '../src/index.js';
import { newKey, startFakeBigQuery, type FakeBigQuery } from './fake.js';
import { id, name, note, settingsFor, target } from './source.js';

const test = suite('BigQuery connector, conformance');

const oddFolder = 'sales/50%25 off #1 ? 😀';
const oddTable = 'sales.50% off #1 ? 😀';

function subjectOn(fake: FakeBigQuery): ConnectorSubject {
  const { world } = fake;
  world.addTable('sales', 'people', {
    comment: 'Who is who',
    key: ['id'],
    fields: [id, { ...name, description: 'As on the passport' }, note],
    rows: [
      ['1', 'Ada', 'likes .* and %_'],
      ['7', 'Ben', null],
    ],
  });
  world.addTable('sales', '50% off #1 ? 😀', {
    key: ['name', 'id'],
    fields: [name, id],
    rows: [
      ['x', '1'],
      ['x', '2'],
      ['y', '1'],
    ],
  });
  world.addTable('shop', 'orders', { fields: [id], key: ['id'], partitions: { '2026': [['5']] } });
  const config = settingsFor(fake);
  const isPeople = (path: string): boolean => path.includes('people');
  const tableOf = (path: string): string => {
    if (path.startsWith('shop')) return 'shop.orders';
    return isPeople(path) ? 'sales.people' : oddTable;
  };
  return {
    plugin,
    target,
    config,
    http: connectorHttp(),
    objects,
    absent: 'sales/nothing here/schema.json',
    change: (path) => {
      const table = world.table(tableOf(path));
      table.fields = [...table.fields, { name: 'extra', type: 'STRING' }];
      const partition = table.partitions === null ? undefined : '2026';
      world.write(tableOf(path), (rows) => rows.forEach((row) => row.push('more')), partition);
      return Promise.resolve();
    },
    remove: (path) => Promise.resolve(world.remove(tableOf(path))),
    coupled: [
      ['sales/people/rows.jsonl', 'sales/people/schema.json'],
      [`${oddFolder}/rows.jsonl`, `${oddFolder}/schema.json`],
      ['shop/orders/2026/rows.jsonl', 'shop/orders/schema.json'],
    ],
    expireAccess: () => Promise.resolve(world.accessTokens.clear()),
    replaceCredential: () => Promise.resolve({ service_account_key: newKey(world) }),
    refused: [{ max_bytes: 0 }, { tables: 'people' }, { dataset: ['x'] }],
    unreachable: { config: { ...config, base_url: 'http://127.0.0.1:1' } },
  };
}

function schemaOf(schema: string, table: string, more: object): Uint8Array {
  const described = { schema, name: table, kind: 'table', comment: null, ...more };
  return Buffer.from(`${JSON.stringify(described, null, 2)}\n`);
}

const idColumn = column('id', 'INTEGER', notNull);
const nothingElse = { references: [], indexes: [] };

const objects: readonly KnownObject[] = [
  {
    path: 'sales/people/rows.jsonl',
    records: [
      { key: { id: 1 }, fields: { id: 1, name: 'Ada', note: 'likes .* and %_' }, title: 'Ada' },
      { key: { id: 7 }, fields: { id: 7, name: 'Ben', note: null }, title: 'Ben' },
    ],
  },
  {
    path: `${oddFolder}/rows.jsonl`,
    records: [
      { key: { name: 'x', id: 1 }, fields: { name: 'x', id: 1 }, title: 'x' },
      { key: { name: 'x', id: 2 }, fields: { name: 'x', id: 2 }, title: 'x' },
      { key: { name: 'y', id: 1 }, fields: { name: 'y', id: 1 }, title: 'y' },
    ],
  },
  { path: 'shop/orders/2026/rows.jsonl', records: [{ key: { id: 5 }, fields: { id: 5 } }] },
  {
    path: 'sales/people/schema.json',
    bytes: schemaOf('sales', 'people', {
      comment: 'Who is who',
      columns: [
        idColumn,
        column('name', 'STRING', { ...notNull, ...nameComment }),
        column('note', 'STRING'),
      ],
      key: ['id'],
      ...nothingElse,
    }),
  },
  {
    path: `${oddFolder}/schema.json`,
    bytes: schemaOf('sales', '50% off #1 ? 😀', {
      columns: [column('name', 'STRING', notNull), idColumn],
      key: ['name', 'id'],
      ...nothingElse,
    }),
  },
  {
    path: 'shop/orders/schema.json',
    bytes: schemaOf('shop', 'orders', { columns: [idColumn], key: ['id'], ...nothingElse }),
  },
];

await testConformance(
  test,
  async (work) => {
    await using fake = await startFakeBigQuery();
    await work(subjectOn(fake));
  },
  [
    ...missingInDatabases.filter((need) => need !== 'expireAccess'),
    'changes',
    'emptyTarget',
    'keysOnly',
    'secret',
  ],
);

test.run();
