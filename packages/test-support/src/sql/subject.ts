import type { ConnectorSubject, KnownObject } from '@trove/testkit';

import type { SqlWorld } from './world.js';

interface TableDescription {
  readonly columns: readonly object[];
  readonly indexes: readonly object[];
}

/** A description of one SQL database for the conformance suite. */
export interface TablesSubject {
  /** The schema of the tables `people` and `shown`. */
  readonly schema: string;
  /** A schema and table whose names are hard to quote, and the folder of the table. */
  readonly odd: { readonly schema: string; readonly table: string; readonly folder: string };
  /** Creates the empty table `people` with comments. */
  readonly people: string;
  /** The content of each table's `schema.json` with the types of this database. */
  readonly described: {
    readonly people: TableDescription;
    readonly shown: { readonly columns: readonly object[]; readonly sql: string };
    readonly odd: TableDescription;
  };
  readonly target: string;
  readonly emptyTarget?: string;
}

/** Returns a column as described in `schema.json`. */
export const column = (name: string, type: string, more = {}): object => ({
  name,
  type,
  nullable: true,
  default: null,
  comment: null,
  ...more,
});
export const notNull = { nullable: false };
export const nameComment = { comment: 'As on the passport' };

/** Fills an empty database and returns its subject for the conformance suite. */
export async function tablesSubject(
  world: SqlWorld,
  { schema, odd, people, target, emptyTarget, described }: TablesSubject,
): Promise<ConnectorSubject> {
  const { quoted } = world.words;
  const oddTable = `${quoted(odd.schema)}.${quoted(odd.table)}`;
  const pair = quoted('a b?');
  await world.clear();
  await world.write(`${people};
    insert into people(id, name, note) values (1, 'Ada', 'likes .* and %_'), (7, 'Ben', null);
    create view shown as select id as uuid, name from people;
    create schema ${quoted(odd.schema)};
    create table ${oddTable}(${pair} varchar(20), n int, primary key(${pair}, n));
    insert into ${oddTable} values ('y', 1), ('x', 2), ('x', 1)`);
  const isOdd = (path: string): boolean => path.startsWith(odd.folder);
  const secret = 'a very wrong secret';
  return {
    plugin: world.plugin,
    target,
    config: world.config,
    objects: objectsIn(schema, odd, described),
    absent: `${schema}/nothing here/schema.json`,
    change: async (path) => {
      await world.write(
        isOdd(path)
          ? `alter table ${oddTable} add column extra int`
          : `alter table people add column extra int; update people set name = 'Adam';
             create or replace view shown as select id as uuid, name, extra from people`,
      );
    },
    changeRecords: async (path) => {
      if (!path.includes('people')) return;
      await world.write(`update people set name = 'Adam' where id = 1; delete from people where id = 7;
        insert into people(id, name) values (9, 'Cleo')`);
    },
    remove: async (path) => {
      await world.write(
        isOdd(path) ? `drop table ${oddTable}` : 'drop view shown; drop table people',
      );
    },
    refused: [{ tls: 'maybe' }, { timeout_s: 0 }, { pasword: 'x' }],
    coupled: [
      ['people', 'shown'].flatMap((name) => filesOf(`${schema}/${name}`)),
      filesOf(odd.folder),
    ],
    ...(emptyTarget === undefined ? {} : { emptyTarget }),
    unreachable: { config: { ...world.config, password: secret } },
    secret,
  };
}

function filesOf(folder: string): string[] {
  return ['rows.jsonl', 'schema.json'].map((name) => `${folder}/${name}`);
}

function objectsIn(
  schema: string,
  odd: TablesSubject['odd'],
  { people, shown, odd: { columns, indexes } }: TablesSubject['described'],
): KnownObject[] {
  const [peopleFolder, shownFolder] = [`${schema}/people`, `${schema}/shown`];
  const schemas = {
    [peopleFolder]: {
      schema,
      name: 'people',
      kind: 'table',
      comment: 'Who is who',
      columns: people.columns,
      key: ['id'],
      references: [],
      indexes: people.indexes,
    },
    [shownFolder]: {
      schema,
      name: 'shown',
      kind: 'view',
      comment: null,
      columns: shown.columns,
      key: null,
      references: [],
      indexes: [],
      sql: shown.sql,
    },
    [odd.folder]: {
      schema: odd.schema,
      name: odd.table,
      kind: 'table',
      comment: null,
      columns,
      key: ['a b?', 'n'],
      references: [],
      indexes,
    },
  };
  return [
    {
      path: `${peopleFolder}/rows.jsonl`,
      records: [
        { key: { id: 1 }, fields: { id: 1, name: 'Ada', note: 'likes .* and %_' }, title: 'Ada' },
        { key: { id: 7 }, fields: { id: 7, name: 'Ben', note: null }, title: 'Ben' },
      ],
    },
    {
      path: `${odd.folder}/rows.jsonl`,
      records: [
        { key: { 'a b?': 'x', n: 1 }, fields: { 'a b?': 'x', n: 1 } },
        { key: { 'a b?': 'x', n: 2 }, fields: { 'a b?': 'x', n: 2 } },
        { key: { 'a b?': 'y', n: 1 }, fields: { 'a b?': 'y', n: 1 } },
      ],
    },
    {
      path: `${shownFolder}/rows.jsonl`,
      records: [
        { key: { uuid: 1 }, fields: { uuid: 1, name: 'Ada' }, title: 'Ada' },
        { key: { uuid: 7 }, fields: { uuid: 7, name: 'Ben' }, title: 'Ben' },
      ],
    },
    ...Object.entries(schemas).map(([folder, described]) => ({
      path: `${folder}/schema.json`,
      bytes: Buffer.from(`${JSON.stringify(described, null, 2)}\n`),
    })),
  ];
}
