// test-waits
import { createServer, type AddressInfo } from 'node:net';

import { isTroveError } from '@trove/core';
import { connectorContext } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { startHostileProxy } from '@trove/test-support/hostile-proxy.js';
import { inTime, until as eventually } from '@trove/test-support/patience.js';
import { startPostgres } from '@trove/test-support/postgres.js';
import type { Config } from '../src/config.js';
import { calm, found, recordsOf, World } from './support.js';
import { certificate, startTlsRelay } from './tls-relay.js';

const test = suite('postgres connector, faults');
const server = await startPostgres();
const world = await World.make(server);
const database = `The PostgreSQL database ${world.target().split('/').at(-1)} at `;
test.after(async () => {
  await world.remove();
  await server.stop();
});
test.before.each(() => world.clear());

/** A check gives up a silent server after eight seconds. The system would try for minutes. */
const limitMs = 60_000;

/** What a check says, without the name of the database. */
async function health(config: Partial<Config> = {}, target = world.target()): Promise<string> {
  const from = performance.now();
  const { ok, detail = '' } =
    (await world.connector(config, target).check?.({ signal: calm })) ?? {};
  assert.ok(performance.now() - from < limitMs);
  return `${ok}: ${detail.replace(database, '')}`;
}

const { host, port } = world.address;
/** It says that it has 2 GiB. */
const endlessRow = Buffer.alloc(65_536, 'D\x7f\xff\xff\xff', 'latin1');

test('explains a fault of a source in a sentence with a remedy', async () => {
  await world.write('create table a(x int); create table b(x int)');
  assert.is(await health(), 'true: A PostgreSQL database with 2 tables and views.');
  assert.is(
    await health({ password: 'wrong' }),
    `false: ${host}:${port} refused the password. Check the user, and \`password\`: env:DB_PASSWORD, say.`,
  );
  const { password: _, ...withoutPassword } = world.config;
  const plain = world.connector();
  assert.is(
    await health({ ...withoutPassword, password: '' }),
    `false: ${host}:${port} asks for a password. Set \`password\`, best as a reference: env:DB_PASSWORD, say.`,
  );
  assert.match(
    await health({}, world.target({ database: 'nowhere' })),
    /nowhere at .* does not exist on that server\. Check the name of the database/,
  );
  assert.is(
    await health({ tables: ['a', 'c'] }),
    `false: ${host}:${port} has no table or view c: name some of those in it (public.a, public.b) in \`tables\`, or leave \`tables\` out.`,
  );
  assert.match(
    await health({ schemas: ['more'] }),
    /has no schema more: name some of those in it \(public\)/,
  );
  assert.match(
    await health({}, world.target({ host: '127.0.0.1:1' })),
    /cannot be reached\. Check that it runs, its host and port/,
  );
  assert.match(
    await health({}, world.target({ host: 'no-such-host.invalid' })),
    /cannot be reached/,
  );
  assert.is((await recordsOf(plain, 'a')).length, 0);
});

test('the password is asked for when it is needed: it may have been replaced', async () => {
  await world.write('create table a(id int primary key); insert into a values (1)');
  const { credentials } = connectorContext({ target: '', config: { password: world.password } });
  const connector = world.connector({ password: 'an old one' }, world.target(), { credentials });
  assert.is((await recordsOf(connector, 'a')).length, 1);
});

test('a host that says nothing is told in time', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const target = world.target({ host: `127.0.0.1:${(silent.address() as AddressInfo).port}` });
  assert.match(await health({}, target), /did not answer\. Check that it runs/);
  silent.close();
});

test('a target without a user, a host or a database is refused', () => {
  for (const [target, missing] of [
    ['postgres://db.example.org/shop', 'a user'],
    ['postgres://reader@/shop', 'a host'],
    ['postgres://reader@db.example.org', 'one database'],
    ['postgres://reader@db.example.org/shop/public', 'one database'],
  ] as const) {
    assert.throws(
      () => world.connector({}, target),
      (error: unknown) => isTroveError(error) && error.detail === `target: must name ${missing}`,
    );
  }
});

test('a target may be a name for the database in the configuration', async () => {
  await world.write('create table a(x int)');
  const { login } = world;
  const address = `${host}:${port}/${login.database}`;
  const dsn = `postgresql://${login.user}:${encodeURIComponent(world.password)}@${address}`;
  const said = async (config: Partial<Config>): Promise<string> => {
    const { ok, detail } = (await world.named(config).check?.({ signal: calm })) ?? {};
    return `${ok}: ${detail}`;
  };
  assert.is(await said({ dsn }), 'true: A PostgreSQL database with 1 tables and views.');
  const parts = { host, port, ...login, password: world.password };
  assert.is(await said(parts), await said({ dsn }));
  const wrong = `postgresql://${login.user}:wrong@${address}`;
  assert.match(await said({ dsn: wrong }), /refused the password/);
  assert.match(await said({ dsn: wrong, password: world.password }), /^true/);
  assert.match(await said({ dsn: `postgresql://${login.user}@${address}` }), /asks for a password/);
  assert.match(await said({ dsn: `${dsn}?sslmode=require` }), /offers no encryption/);
  assert.match(await said({ dsn: `${dsn}?sslmode=prefer&application_name=shop` }), /^true/);
});

test('encryption is asked for, and certificates are checked', async () => {
  await world.write('create table a(x int)');
  assert.match(
    await health({ tls: 'verify' }),
    /offers no encryption\. Set `tls` to "off" if nobody else can listen/,
  );
  const relay = await startTlsRelay(world.address);
  try {
    const target = world.target({ host: `localhost:${relay.port}` });
    assert.match(
      await health({ tls: 'verify' }, target),
      /has a certificate that is not trusted\. Name the certificate of its authority in `ca`/,
    );
    assert.match(await health({ tls: 'verify', ca: certificate }, target), /^true/);
    assert.match(await health({ tls: 'unverified' }, target), /^true/);
    const elsewhere = world.target({ host: `127.0.0.1:${relay.port}` });
    assert.match(
      await health({ tls: 'verify', ca: certificate }, elsewhere),
      /has a certificate for another host/,
    );
  } finally {
    relay.close();
  }
});

test('reports relations that the user may not read and reads the others', async () => {
  await world.write(`create table a(id int primary key, secret text, open text); insert into a values (1, 'x', 'y');
    create table b(x int); create schema closed; create table closed.c(x int);
    drop role if exists trove_reader; create role trove_reader login password 'reader'`);
  const target = world.target({ user: 'trove_reader' });
  const config = { password: 'reader' };
  try {
    assert.match(
      await health(config, target),
      /lets the user trove_reader read none of its 3 tables and views\. Let it: GRANT SELECT ON ALL TABLES/,
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
      'closed/c/rows.jsonl: this user may not read it: GRANT USAGE ON SCHEMA "closed" TO that user',
      'public/b/rows.jsonl: this user may not read it: GRANT SELECT ON "public"."b" TO that user',
    ]);
    assert.equal(await recordsOf(connector, 'a'), [
      { key: { id: 1 }, fields: { id: 1, open: 'y' } },
    ]);
  } finally {
    await world.write('drop owned by trove_reader; drop role trove_reader');
  }
});

const connections = `select pid from pg_stat_activity
  where application_name = 'trove' and datname = current_database()`;
const terminate = connections.replace('pid', 'pg_terminate_backend(pid)');

test('a connection that is killed fails what runs, which may be done again', async () => {
  await world.write(`create table a(id int primary key);
    insert into a select i from generate_series(1, 5000) i`);
  const connector = world.connector();
  let met = 0;
  for await (const { key } of connector.records?.('public/a/rows.jsonl', { signal: calm }) ?? []) {
    assert.is(key['id'], ++met);
    // Nothing runs between two parts: another connection is made.
    if (met === 20) await world.write(terminate);
  }
  assert.is(met, 5000);
  await world.write('create view slow as select x, pg_sleep(60)::text from (values (1)) v(x)');
  const error = recordsOf(connector, 'slow').catch((thrown: unknown) => thrown);
  await until(`${connections} and state = 'active' and query like 'fetch%'`);
  await world.write(terminate);
  const thrown = await error;
  assert.ok(isTroveError(thrown) && thrown.code === 'connector_unhealthy' && thrown.retryable);
  assert.match(thrown.detail, /ended the connection/);
  assert.is((await recordsOf(connector, 'a', { limit: 3 })).length, 3);
});

test('one connection serves all readers, and a slow one delays no other', async () => {
  await world.write(`create table a(id int primary key, x text);
    insert into a select i, 'x' from generate_series(1, 3000) i; create view v as select x from a`);
  const connector = world.connector();
  const slow = ['a', 'v'].map((table) =>
    connector.records?.(`public/${table}/rows.jsonl`, { signal: calm })[Symbol.asyncIterator](),
  );
  for (const each of slow) await each?.next();
  const writer = await world.writer();
  await writer.query(`set lock_timeout = '30s'; alter table a add column y int`);
  await writer.end();
  const [records, matches] = await Promise.all([recordsOf(connector, 'a'), found(connector, 'x')]);
  assert.is(records.length, 3000);
  assert.is(matches.length, 1000);
  assert.is((await world.write(connections)).length, 1);
  for (const each of slow) await each?.return?.();
});

test('a table that another session has locked is told, and read once it is free', async () => {
  await world.write('create table a(id int primary key); insert into a values (1)');
  const writer = await world.writer();
  await writer.query('begin; lock table a in access exclusive mode');
  const connector = world.connector();
  const thrown = await recordsOf(connector, 'a').catch((error: unknown) => error);
  assert.ok(isTroveError(thrown) && thrown.retryable);
  assert.match(thrown.detail, /has a table that another session has locked/);
  await writer.query('commit');
  await writer.end();
  assert.is((await recordsOf(connector, 'a')).length, 1);
});

test('stops a slow statement at its time limit or when its caller aborts', async () => {
  await world.write('create view slow as select x, pg_sleep(60)::text from (values (1)) v(x)');
  const hurried = world.connector({ timeout_s: 1 });
  const late = await recordsOf(hurried, 'slow').catch((error: unknown) => error);
  assert.ok(isTroveError(late));
  assert.match(late.detail, /took too long for a statement\. Raise `timeout_s`/);
  await hurried.close?.();

  const aborter = new AbortController();
  const reading = recordsOf(world.connector(), 'slow', { signal: aborter.signal });
  await until(`${connections} and state = 'active' and query like 'fetch%'`);
  aborter.abort(new Error('given up'));
  assert.match(String(await reading.catch((error: unknown) => error)), 'given up');
  await until(`select where not exists (${connections} and state = 'active')`);
});

test('nothing is written, not even by a view', async () => {
  await world.write(`create table a(id int primary key);
    create function grow() returns int language sql volatile as 'insert into a values (1) returning id';
    create view v as select grow() as id; create view broken as select 1 / (x - x) as y from (values (1)) t(x)`);
  const connector = world.connector();
  assert.is((await collect(connector.list({ signal: calm }))).length, 6);
  for (const [view, reason] of [
    ['v', /read-only transaction/],
    ['broken', /division by zero/],
  ] as const)
    assert.match(String(await recordsOf(connector, view).catch((error: unknown) => error)), reason);
  assert.equal(await recordsOf(connector, 'a'), []);
});

/** Asks until there is an answer. */
async function until(sql: string): Promise<void> {
  const client = await world.writer();
  try {
    while ((await client.query(sql)).rows.length === 0);
  } finally {
    await client.end();
  }
}

test('limits the memory and time of an endless answer', async () => {
  await world.write('create table a(id int primary key)');
  const proxy = await startHostileProxy(port);
  proxy.answer = (said) => (said.includes('pg_class') ? { endless: endlessRow } : 'pass');
  const target = world.target({ host: `127.0.0.1:${proxy.port}` });
  assert.match(await health({}, target), /sent more than any answer has\. Check that the host/);
  await eventually(() => proxy.connections === 0, 'its connection is closed');
  await proxy.stop();
});

test('gives up an unanswered statement when its caller aborts', async () => {
  await world.write('create table a(id int primary key)');
  const proxy = await startHostileProxy(port);
  const connector = world.connector({}, world.target({ host: `127.0.0.1:${proxy.port}` }));
  proxy.answer = (said) => (said.includes('pg_class') ? 'silence' : 'pass');
  const unwanted = new AbortController();
  const listing = collect(connector.list({ signal: unwanted.signal })).catch(() => 'given up');
  await proxy.silent;
  unwanted.abort();
  assert.is(await listing, 'given up');
  proxy.answer = () => 'pass';
  assert.is((await inTime(collect(connector.list({ signal: calm })), 'the next list')).length, 2);
  await proxy.stop();
});

test('a source can be closed while its server does not answer', async () => {
  await world.write('create table a(id int primary key)');
  const proxy = await startHostileProxy(port);
  const connector = world.connector({}, world.target({ host: `127.0.0.1:${proxy.port}` }));
  proxy.answer = (said) => (said.includes('pg_class') ? 'silence' : 'pass');
  const listing = collect(connector.list({ signal: calm })).catch(() => 'ended');
  await proxy.silent;
  await inTime(connector.close?.() ?? Promise.resolve(), 'closing');
  assert.is(await listing, 'ended');
  await eventually(() => proxy.connections === 0, 'its connection is closed');
  await proxy.stop();
});

test.run();
