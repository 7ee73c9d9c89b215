import { suite } from 'uvu';

import { missingInDatabases, testConformance } from '@trove/test-support/conformance.js';
import { startOwnPostgres } from '@trove/test-support/postgres.js';
import { column, nameComment, notNull, tablesSubject } from '@trove/test-support/sql/subject.js';
import { World } from './support.js';

const test = suite('postgres connector, conformance');
const server = await startOwnPostgres();
const world = await World.make(server);
const empty = await World.make(server);
test.after(async () => {
  for (const each of [world, empty]) await each.remove();
  await server.stop();
});

const varchar = 'character varying';
const primary = (name: string, sql: string): object => ({
  name,
  unique: true,
  sql: `CREATE UNIQUE INDEX ${sql}`,
});

const tables = {
  schema: 'public',
  odd: { schema: '50% off/#1 ?', table: '😀 ', folder: '50%25 off%2F#1 ?/😀 ' },
  people: `create table people(id int primary key, name varchar(40) not null, note text default 'none',
      words tsvector generated always as (to_tsvector('simple', name)) stored);
    comment on table people is 'Who is who'; comment on column people.name is 'As on the passport'`,
  described: {
    people: {
      columns: [
        column('id', 'integer', notNull),
        column('name', `${varchar}(40)`, { ...notNull, ...nameComment }),
        column('note', 'text', { default: "'none'::text" }),
        column('words', 'tsvector', {
          default: "to_tsvector('simple'::regconfig, (name)::text)",
          shown: false,
        }),
      ],
      indexes: [primary('people_pkey', 'people_pkey ON public.people USING btree (id)')],
    },
    shown: {
      columns: [column('uuid', 'integer'), column('name', `${varchar}(40)`)],
      sql: ' SELECT id AS uuid,\n    name\n   FROM people;',
    },
    odd: {
      columns: [column('a b?', `${varchar}(20)`, notNull), column('n', 'integer', notNull)],
      indexes: [primary('😀 _pkey', '"😀 _pkey" ON "50% off/#1 ?"."😀 " USING btree ("a b?", n)')],
    },
  },
  target: world.target(),
  emptyTarget: empty.target(),
};

await testConformance(test, async (work) => work(await tablesSubject(world, tables)), [
  ...missingInDatabases,
  'addReply',
  'expireCursors',
  'moveFolder',
  'replaceCredential',
]);

test.run();
