// test-timeout: 300
import type { ConnectorSubject, KnownObject } from '@trove/testkit';
import { suite } from 'uvu';

import { missingInDatabases, testConformance } from '@trove/test-support/conformance.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { column, nameComment, notNull } from '@trove/test-support/sql/subject.js';
import plugin from '../src/index.js';
import { replaceKey, startFakeSnowflake, type FakeSnowflake } from './fake.js';
import { id, name, note, settingsFor, target } from './source.js';

const test = suite('Snowflake connector, conformance');

const odd = { schema: '50% off/#1 ?', table: '😀 "x"' };
const oddFolder = '50%25 off%2F#1 ?/😀 "x"';
const oddTable = `${odd.schema}.${odd.table}`;

function subjectOn(fake: FakeSnowflake): ConnectorSubject {
  const { world } = fake;
  world.addTable('PUBLIC', 'PEOPLE', {
    comment: 'Who is who',
    key: ['ID'],
    columns: [id, { ...name, comment: 'As on the passport' }, note],
    rows: [
      ['1', 'Ada', 'likes .* and %_'],
      ['7', 'Ben', null],
    ],
  });
  world.addTable(odd.schema, odd.table, {
    key: ['NAME', 'ID'],
    columns: [name, id],
    rows: [
      ['x', '1'],
      ['x', '2'],
      ['y', '1'],
    ],
  });
  const config = settingsFor(fake);
  const tableOf = (path: string): string => (path.includes('PEOPLE') ? 'PUBLIC.PEOPLE' : oddTable);
  return {
    plugin,
    target,
    config,
    http: connectorHttp(),
    objects,
    absent: 'PUBLIC/nothing here/schema.json',
    change: (path) => {
      const table = world.table(tableOf(path));
      table.columns = [...table.columns, { name: 'EXTRA', type: 'TEXT' }];
      world.write(tableOf(path), (rows) => rows.forEach((row) => row.push('more')));
      return Promise.resolve();
    },
    remove: (path) => Promise.resolve(world.remove(tableOf(path))),
    coupled: ['PUBLIC/PEOPLE', oddFolder].map((folder) => [
      `${folder}/rows.jsonl`,
      `${folder}/schema.json`,
    ]),
    expireAccess: () => {
      world.refusedTokens = 1;
      return Promise.resolve();
    },
    replaceCredential: () => Promise.resolve({ private_key: replaceKey(world) }),
    refused: [{ max_bytes: 0 }, { tables: 'people' }, { schema: ['x'] }],
    unreachable: { config: { ...config, base_url: 'http://127.0.0.1:1' } },
  };
}

function schemaOf(schema: string, table: string, more: object): Uint8Array {
  const described = { schema, name: table, kind: 'table', comment: null, ...more };
  return Buffer.from(`${JSON.stringify(described, null, 2)}\n`);
}

const idColumn = column('ID', 'NUMBER(38,0)', notNull);
const nothingElse = { references: [], indexes: [] };

const objects: readonly KnownObject[] = [
  {
    path: 'PUBLIC/PEOPLE/rows.jsonl',
    records: [
      { key: { ID: 1 }, fields: { ID: 1, NAME: 'Ada', NOTE: 'likes .* and %_' }, title: 'Ada' },
      { key: { ID: 7 }, fields: { ID: 7, NAME: 'Ben', NOTE: null }, title: 'Ben' },
    ],
  },
  {
    path: `${oddFolder}/rows.jsonl`,
    records: [
      { key: { NAME: 'x', ID: 1 }, fields: { NAME: 'x', ID: 1 }, title: 'x' },
      { key: { NAME: 'x', ID: 2 }, fields: { NAME: 'x', ID: 2 }, title: 'x' },
      { key: { NAME: 'y', ID: 1 }, fields: { NAME: 'y', ID: 1 }, title: 'y' },
    ],
  },
  {
    path: 'PUBLIC/PEOPLE/schema.json',
    bytes: schemaOf('PUBLIC', 'PEOPLE', {
      comment: 'Who is who',
      columns: [
        idColumn,
        column('NAME', 'VARCHAR(40)', { ...notNull, ...nameComment }),
        column('NOTE', 'VARCHAR(40)'),
      ],
      key: ['ID'],
      ...nothingElse,
    }),
  },
  {
    path: `${oddFolder}/schema.json`,
    bytes: schemaOf(odd.schema, odd.table, {
      columns: [column('NAME', 'VARCHAR(40)', notNull), idColumn],
      key: ['NAME', 'ID'],
      ...nothingElse,
    }),
  },
];

await testConformance(
  test,
  async (work) => {
    await using fake = await startFakeSnowflake();
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
