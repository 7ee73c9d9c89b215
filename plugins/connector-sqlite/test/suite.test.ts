import type { ConnectorSubject, KnownObject } from '@trove/testkit';
import { suite } from 'uvu';

import { missingInDatabases, testConformance } from '@trove/test-support/conformance.js';
import { inWorld, plugin, type World } from './support.js';

const test = suite('sqlite connector, conformance');

const people = 'create table people(id integer primary key, name text not null, note)';
const odd = 'create table "50% off/#1 ?"("a b" text, n int, primary key("a b", n)) without rowid';
const view = 'create view 😀 as select id as uuid, name from people';
const column = (name: string, type = '', more = {}): object => ({
  name,
  type,
  nullable: true,
  default: null,
  primaryKey: false,
  ...more,
});

const schemas = {
  'main/50%25 off%2F#1 ?/schema.json': {
    name: '50% off/#1 ?',
    kind: 'table',
    columns: [
      column('a b', 'TEXT', { nullable: false, primaryKey: true }),
      column('n', 'INT', { nullable: false, primaryKey: true }),
    ],
    key: ['a b', 'n'],
    references: [],
    indexes: [{ name: 'sqlite_autoindex_50% off/#1 ?_1', unique: true, columns: 'a b, n' }],
    sql: odd.replace('create table', 'CREATE TABLE'),
  },
  'main/people/schema.json': {
    name: 'people',
    kind: 'table',
    columns: [
      column('id', 'INTEGER', { primaryKey: true }),
      column('name', 'TEXT', { nullable: false }),
      column('note'),
    ],
    key: ['id'],
    references: [],
    indexes: [],
    sql: people.replace('create table', 'CREATE TABLE'),
  },
  'main/😀/schema.json': {
    name: '😀',
    kind: 'view',
    columns: [column('uuid', 'INTEGER'), column('name', 'TEXT')],
    key: null,
    references: [],
    indexes: [],
    sql: view.replace('create view', 'CREATE VIEW'),
  },
};

const objects: KnownObject[] = [
  {
    path: 'main/people/rows.jsonl',
    records: [
      { key: { id: 1 }, fields: { id: 1, name: 'Ada', note: 'likes .* and %_' }, title: 'Ada' },
      { key: { id: 7 }, fields: { id: 7, name: 'Ben', note: null }, title: 'Ben' },
    ],
  },
  {
    path: 'main/50%25 off%2F#1 ?/rows.jsonl',
    records: [
      { key: { 'a b': 'x', n: 1 }, fields: { 'a b': 'x', n: 1 } },
      { key: { 'a b': 'x', n: 2 }, fields: { 'a b': 'x', n: 2 } },
      { key: { 'a b': 'y', n: 1 }, fields: { 'a b': 'y', n: 1 } },
    ],
  },
  {
    path: 'main/😀/rows.jsonl',
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
  return ['rows.jsonl', 'schema.json'].map((name) => `main/${folder}/${name}`);
}

async function subjectOn(world: World): Promise<ConnectorSubject> {
  await world.write(`${people}; ${odd}; ${view};
    insert into people values (1, 'Ada', 'likes .* and %_'), (7, 'Ben', null);
    insert into "50% off/#1 ?" values ('y', 1), ('x', 2), ('x', 1)`);
  await world.write('', 'empty.db');
  return {
    plugin,
    target: world.target(),
    refused: [{ tables: 'people' }, { views: 'no' }],
    objects,
    absent: 'main/nothing here/schema.json',
    change: (path) =>
      world.write(
        path.includes('people')
          ? `alter table people add column extra; update people set name = 'Adam'`
          : `alter table "50% off/#1 ?" add column extra`,
      ),
    coupled: [['people', '😀'].flatMap((name) => filesOf(name)), filesOf('50%25 off%2F#1 ?')],
    remove: (path) =>
      world.write(
        path.includes('50%25') ? 'drop table "50% off/#1 ?"' : 'drop view 😀; drop table people',
      ),
    emptyTarget: world.target('empty.db'),
    unreachable: { target: world.target('nowhere.db') },
  };
}

await testConformance(test, (work) => inWorld(async (world) => work(await subjectOn(world)))(), [
  ...missingInDatabases,
  'changes',
  'keysOnly',
  'replaceCredential',
  'secret',
]);

test.run();
