import {
  connectorCases,
  selectConnectorCases,
  type ConnectorSubject,
  type KnownObject,
} from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { startOwnPostgres } from '@trove/test-support/postgres.js';
import { plugin, World } from './support.js';

const test = suite('postgres connector, conformance');
const server = await startOwnPostgres();
const world = await World.make(server);
const empty = await World.make(server);
test.after(async () => {
  for (const each of [world, empty]) await each.remove();
  await server.stop();
});

const column = (name: string, type: string, more = {}): object => ({
  name,
  type,
  nullable: true,
  default: null,
  comment: null,
  ...more,
});
const never = { nullable: false };

const schemas = {
  'public/people/schema.json': {
    schema: 'public',
    name: 'people',
    kind: 'table',
    comment: 'Who is who',
    columns: [
      column('id', 'integer', never),
      column('name', 'character varying(40)', { ...never, comment: 'As on the passport' }),
      column('note', 'text', { default: "'none'::text" }),
      column('words', 'tsvector', {
        default: "to_tsvector('simple'::regconfig, (name)::text)",
        shown: false,
      }),
    ],
    key: ['id'],
    references: [],
    indexes: [
      {
        name: 'people_pkey',
        unique: true,
        sql: 'CREATE UNIQUE INDEX people_pkey ON public.people USING btree (id)',
      },
    ],
  },
  'public/shown/schema.json': {
    schema: 'public',
    name: 'shown',
    kind: 'view',
    comment: null,
    columns: [column('uuid', 'integer'), column('name', 'character varying(40)')],
    key: null,
    references: [],
    indexes: [],
    sql: ' SELECT id AS uuid,\n    name\n   FROM people;',
  },
};

const odd = '"50% off/#1 ?"."😀 "';
const oddFolder = '50%25 off%2F#1 ?/😀 ';

const objects: KnownObject[] = [
  {
    path: 'public/people/rows.jsonl',
    records: [
      { key: { id: 1 }, fields: { id: 1, name: 'Ada', note: 'likes .* and %_' }, title: 'Ada' },
      { key: { id: 7 }, fields: { id: 7, name: 'Ben', note: null }, title: 'Ben' },
    ],
  },
  {
    path: `${oddFolder}/rows.jsonl`,
    records: [
      { key: { 'a b': 'x', n: 1 }, fields: { 'a b': 'x', n: 1 } },
      { key: { 'a b': 'x', n: 2 }, fields: { 'a b': 'x', n: 2 } },
      { key: { 'a b': 'y', n: 1 }, fields: { 'a b': 'y', n: 1 } },
    ],
  },
  {
    path: 'public/shown/rows.jsonl',
    records: [
      { key: { uuid: 1 }, fields: { uuid: 1, name: 'Ada' }, title: 'Ada' },
      { key: { uuid: 7 }, fields: { uuid: 7, name: 'Ben' }, title: 'Ben' },
    ],
  },
  ...Object.entries({
    ...schemas,
    [`${oddFolder}/schema.json`]: {
      schema: '50% off/#1 ?',
      name: '😀 ',
      kind: 'table',
      comment: null,
      columns: [column('a b', 'text', never), column('n', 'integer', never)],
      key: ['a b', 'n'],
      references: [],
      indexes: [
        {
          name: '😀 _pkey',
          unique: true,
          sql: `CREATE UNIQUE INDEX "😀 _pkey" ON ${odd} USING btree ("a b", n)`,
        },
      ],
    },
  }).map(([path, schema]) => ({
    path,
    bytes: Buffer.from(`${JSON.stringify(schema, null, 2)}\n`),
  })),
];

function filesOf(folder: string): string[] {
  return ['rows.jsonl', 'schema.json'].map((name) => `${folder}/${name}`);
}

async function subject(): Promise<ConnectorSubject> {
  await world.clear();
  await world.write(`
    create table people(id int primary key, name varchar(40) not null, note text default 'none',
      words tsvector generated always as (to_tsvector('simple', name)) stored);
    comment on table people is 'Who is who'; comment on column people.name is 'As on the passport';
    insert into people values (1, 'Ada', 'likes .* and %_'), (7, 'Ben', null);
    create view shown as select id as uuid, name from people;
    create schema "50% off/#1 ?"; create table ${odd}("a b" text, n int, primary key("a b", n));
    insert into ${odd} values ('y', 1), ('x', 2), ('x', 1)`);
  return {
    plugin,
    target: world.target(),
    config: world.config,
    objects,
    absent: 'public/nothing here/schema.json',
    change: async (path) => {
      await world.write(
        path.includes('people') || path.includes('shown')
          ? `alter table people add column extra int; update people set name = 'Adam'`
          : `alter table ${odd} add column extra int`,
      );
    },
    refused: [{ tls: 'maybe' }, { timeout_s: 0 }, { pasword: 'x' }],
    coupled: [['people', 'shown'].flatMap((name) => filesOf(`public/${name}`)), filesOf(oddFolder)],
    remove: async (path) => {
      await world.write(
        path.startsWith(oddFolder) ? `drop table ${odd}` : 'drop view shown; drop table people',
      );
    },
    emptyTarget: empty.target(),
    changeRecords: async (path) => {
      if (!path.includes('people')) return;
      await world.write(`update people set name = 'Adam' where id = 1; delete from people where id = 7;
        insert into people(id, name) values (9, 'Cleo')`);
    },
    unreachable: { config: { ...world.config, password: 'a very wrong secret' } },
    secret: 'a very wrong secret',
  };
}

const { cases, skipped } = await selectConnectorCases(await subject());
for (const each of cases) test(each.title, async () => each.run(await subject()));

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
    'the subject has no `expireAccess`',
    'the subject has no `expireCursors`',
    'the subject has no `replaceCredential`',
  ]);
  assert.is(cases.length + skipped.length, connectorCases.length);
});

test.run();
