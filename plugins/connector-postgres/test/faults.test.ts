// test-waits
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { startPostgres } from '@trove/test-support/postgres.js';
import { testFaults } from '@trove/test-support/sql/faults.js';
import { World } from './support.js';
import { certificate, startTlsRelay } from './tls-relay.js';

const test = suite('postgres connector, faults');
const server = await startPostgres();
const world = await World.make(server);
test.after(async () => {
  await world.remove();
  await server.stop();
});
test.before.each(() => world.clear());

const calm = new AbortController().signal;
const connections = `select pid from pg_stat_activity
  where application_name = 'trove' and datname = current_database()`;

const health = testFaults(test, world, {
  source: 'A PostgreSQL database',
  name: `The PostgreSQL database ${world.database} at `,
  missingDatabase: /nowhere at .* does not exist on that server\. Check the name of the database/,
  tables: 'public.a, public.b',
  rejectedTargets: [
    ['postgres://db.example.org/shop', 'a user'],
    ['postgres://reader@/shop', 'a host'],
    ['postgres://reader@db.example.org', 'one database'],
    ['postgres://reader@db.example.org/shop/public', 'one database'],
  ],
  dsn: { scheme: 'postgresql', encrypted: 'sslmode=require' },
  catalog: 'pg_class',
  // Rows that announce 2 GiB.
  endlessReply: Buffer.alloc(65_536, 'D\x7f\xff\xff\xff', 'latin1'),
  createSlowView: 'create view slow as select x, pg_sleep(60)::text from (values (1)) v(x)',
  connections,
  slowConnections: `${connections} and state = 'active' and query like 'fetch%'`,
  lock: 'begin; lock table a in access exclusive mode',
  unlock: 'commit',
  lockTimeout: `set lock_timeout = '30s'`,
  kill: async () => {
    await world.write(connections.replace('pid', 'pg_terminate_backend(pid)'));
  },
});

test('names the schemas of the database when one is missing', async () => {
  await world.write('create table a(x int)');
  assert.match(await health({ schemas: ['more'] }), /has no schema more\. It has: public\./);
});

test('encrypts the connection and verifies certificates', async () => {
  await world.write('create table a(x int)');
  const relay = await startTlsRelay(world.address);
  try {
    const target = world.target({ host: `localhost:${relay.port}` });
    assert.match(
      await health({ tls: 'verify' }, target),
      /has a certificate that is not trusted\. Set `ca` to the certificate of its authority/,
    );
    assert.match(await health({ tls: 'verify', ca: certificate }, target), /^true/);
    assert.match(await health({ tls: 'unverified' }, target), /^true/);
    const elsewhere = world.target({ host: `127.0.0.1:${relay.port}` });
    assert.match(
      await health({ tls: 'verify', ca: certificate }, elsewhere),
      /has a certificate for another host/,
    );
  } finally {
    await relay.close();
  }
});

test('reports tables that the user may not read and reads the others', async () => {
  await world.write(`create table a(id int primary key, secret text, open text); insert into a values (1, 'x', 'y');
    create table b(x int); create schema closed; create table closed.c(x int);
    drop role if exists trove_reader; create role trove_reader login password 'reader'`);
  const target = world.target({ user: 'trove_reader' });
  const config = { password: 'reader' };
  try {
    assert.match(
      await health(config, target),
      /does not let the user trove_reader read any of its 3 tables and views\. Grant access, for example: GRANT SELECT ON ALL TABLES/,
    );
    await world.write(
      'grant usage on schema public to trove_reader; grant select (id, open) on a to trove_reader',
    );
    assert.is(
      await health(config, target),
      'true: A PostgreSQL database with 1 tables and views, and 2 that the user trove_reader may not read.',
    );
    const connector = world.connector(config, target);
    const skipped = (await collect(connector.list({ signal: calm }))).flatMap(({ path, skip }) =>
      skip === undefined ? [] : `${path}: ${skip}`,
    );
    assert.equal(skipped, [
      'closed/c/rows.jsonl: this user may not read it. Grant access: GRANT USAGE ON SCHEMA "closed" TO that user',
      'public/b/rows.jsonl: this user may not read it. Grant access: GRANT SELECT ON "public"."b" TO that user',
    ]);
    assert.equal(await world.recordsOf(connector, 'a'), [
      { key: { id: 1 }, fields: { id: 1, open: 'y' } },
    ]);
  } finally {
    await world.write('drop owned by trove_reader; drop role trove_reader');
  }
});

test('prevents writes, even by a view', async () => {
  await world.write(`create table a(id int primary key);
    create function grow() returns int language sql volatile as 'insert into a values (1) returning id';
    create view v as select grow() as id; create view broken as select 1 / (x - x) as y from (values (1)) t(x)`);
  const connector = world.connector();
  assert.is((await collect(connector.list({ signal: calm }))).length, 6);
  for (const [view, reason] of [
    ['v', /read-only transaction/],
    ['broken', /division by zero/],
  ] as const) {
    const thrown = await world.recordsOf(connector, view).catch((error: unknown) => error);
    assert.match(String(thrown), reason);
  }
  assert.equal(await world.recordsOf(connector, 'a'), []);
});

test.run();
