import {
  connectorCases,
  selectConnectorCases,
  type ConnectorSubject,
  type KnownObject,
} from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { noMariadb, startMariadb } from '@trove/test-support/mariadb.js';
import { testUnless } from '@trove/test-support/optional.js';
import { plugin, World } from './support.js';

const test = suite('mysql connector, conformance');

const column = (name: string, type: string, more = {}): object => ({
  name,
  type,
  nullable: true,
  default: null,
  comment: null,
  ...more,
});
const never = { nullable: false };
const odd = '`50% off/#1 ?`';
const oddTable = '`☺ ``x`';
const oddFolder = '50%25 off%2F#1 ?/☺ `x';

const schemas = {
  'shop/people/schema.json': {
    schema: 'shop',
    name: 'people',
    kind: 'table',
    comment: 'Who is who',
    columns: [
      column('id', 'int(11)', never),
      column('name', 'varchar(40)', { ...never, comment: 'As on the passport' }),
      column('note', 'text', { default: "'none'" }),
    ],
    key: ['id'],
    references: [],
    indexes: [{ name: 'PRIMARY', unique: true, columns: ['id'] }],
  },
  'shop/shown/schema.json': {
    schema: 'shop',
    name: 'shown',
    kind: 'view',
    comment: null,
    columns: [
      column('uuid', 'int(11)', never),
      column('name', 'varchar(40)', { ...never, comment: 'As on the passport' }),
    ],
    key: null,
    references: [],
    indexes: [],
    sql: 'select `shop`.`people`.`id` AS `uuid`,`shop`.`people`.`name` AS `name` from `shop`.`people`',
  },
  [`${oddFolder}/schema.json`]: {
    schema: '50% off/#1 ?',
    name: '☺ `x',
    kind: 'table',
    comment: null,
    columns: [column('a b?', 'varchar(20)', never), column('n', 'int(11)', never)],
    key: ['a b?', 'n'],
    references: [],
    indexes: [{ name: 'PRIMARY', unique: true, columns: ['a b?', 'n'] }],
  },
};

const objects: KnownObject[] = [
  {
    path: 'shop/people/rows.jsonl',
    records: [
      { key: { id: 1 }, fields: { id: 1, name: 'Ada', note: 'likes .* and %_' }, title: 'Ada' },
      { key: { id: 7 }, fields: { id: 7, name: 'Ben', note: null }, title: 'Ben' },
    ],
  },
  {
    path: `${oddFolder}/rows.jsonl`,
    records: [
      { key: { 'a b?': 'x', n: 1 }, fields: { 'a b?': 'x', n: 1 } },
      { key: { 'a b?': 'x', n: 2 }, fields: { 'a b?': 'x', n: 2 } },
      { key: { 'a b?': 'y', n: 1 }, fields: { 'a b?': 'y', n: 1 } },
    ],
  },
  {
    path: 'shop/shown/rows.jsonl',
    records: [
      { key: { uuid: 1 }, fields: { uuid: 1, name: 'Ada' }, title: 'Ada' },
      { key: { uuid: 7 }, fields: { uuid: 7, name: 'Ben' }, title: 'Ben' },
    ],
  },
  ...Object.entries(schemas).map(([path, schema]) => ({
    path,
    bytes: Buffer.from(`${JSON.stringify(schema, null, 2)}\n`),
  })),
];

function filesOf(folder: string): string[] {
  return ['rows.jsonl', 'schema.json'].map((name) => `${folder}/${name}`);
}

async function subjectOn(world: World): Promise<ConnectorSubject> {
  await world.clear();
  await world.write(`
    create table people(id int primary key, name varchar(40) not null comment 'As on the passport',
      note text default 'none') comment = 'Who is who';
    insert into people values (1, 'Ada', 'likes .* and %_'), (7, 'Ben', null);
    create view shown as select id as uuid, name from people;
    create database ${odd};
    create table ${odd}.${oddTable}(\`a b?\` varchar(20), n int, primary key(\`a b?\`, n));
    insert into ${odd}.${oddTable} values ('y', 1), ('x', 2), ('x', 1)`);
  return {
    plugin,
    target: world.target({ database: '' }),
    config: { ...world.config, schemas: [] },
    objects,
    absent: 'shop/nothing here/schema.json',
    change: async (path) => {
      await world.write(
        path.includes('shop')
          ? `alter table people add column extra int; update people set name = 'Adam';
             alter view shown as select id as uuid, name, extra from people`
          : `alter table ${odd}.${oddTable} add column extra int`,
      );
    },
    changeRecords: async (path) => {
      if (!path.includes('people')) return;
      await world.write(`update people set name = 'Adam' where id = 1; delete from people where id = 7;
        insert into people(id, name) values (9, 'Cleo')`);
    },
    refused: [{ tls: 'maybe' }, { timeout_s: 0 }, { pasword: 'x' }],
    coupled: [['people', 'shown'].flatMap((name) => filesOf(`shop/${name}`)), filesOf(oddFolder)],
    remove: async (path) => {
      await world.write(
        path.startsWith(oddFolder)
          ? `drop table ${odd}.${oddTable}`
          : 'drop view shown; drop table people',
      );
    },
    unreachable: { config: { ...world.config, password: 'a very wrong secret' } },
    secret: 'a very wrong secret',
  };
}

if (noMariadb === null) {
  const server = await startMariadb();
  test.after(() => server.stop());
  const world = new World(server);
  const { cases, skipped } = await selectConnectorCases(await subjectOn(world));
  for (const each of cases) test(each.title, async () => each.run(await subjectOn(world)));

  test('only what tables cannot have is skipped', () => {
    assert.equal([...new Set(skipped.map(({ reason }) => reason))].sort(), [
      'the connector has no `browse`',
      'the connector has no `watch`',
      "the plugin's capabilities do not have `grep.context`",
      "the plugin's capabilities do not have `grep.ignoreCase`",
      "the plugin's capabilities do not have `grep.onlyMatching`",
      "the plugin's capabilities do not have `grep.regex`",
      "the plugin's capabilities do not have `paths`",
      "the plugin's capabilities do not have `since`",
      "the plugin's capabilities do not have `threads`",
      'the subject has no `emptyTarget`',
      'the subject has no `expireAccess`',
      'the subject has no `expireCursors`',
      'the subject has no `replaceCredential`',
    ]);
    assert.is(cases.length + skipped.length, connectorCases.length);
  });
} else testUnless(noMariadb, test)('it holds on MariaDB', () => undefined);

test.run();
