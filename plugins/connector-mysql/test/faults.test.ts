// test-waits
import { createServer, type AddressInfo } from 'node:net';

import { isTroveError } from '@trove/core';
import { connectorContext } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { startHostileProxy } from '@trove/test-support/hostile-proxy.js';
import { noMariadb, startMariadb } from '@trove/test-support/mariadb.js';
import { inTime, until as eventually } from '@trove/test-support/patience.js';
import { testUnless } from '@trove/test-support/optional.js';
import type { Config } from '../src/config.js';
import { calm, found, plugin, recordsOf, World } from './support.js';

const test = suite('mysql connector, faults');
/** A check gives up a silent server after eight seconds. The system would try for minutes. */
const limitMs = 60_000;
/** As large as a part can be: another one follows. */
const partOfRow = Buffer.concat([Buffer.from([0xff, 0xff, 0xff, 1]), Buffer.alloc(0xff_ffff)]);

async function health(
  world: World,
  config: Partial<Config> = {},
  target = world.target(),
): Promise<string> {
  const from = performance.now();
  const { ok, detail = '' } =
    (await world.connector(config, target).check?.({ signal: calm })) ?? {};
  assert.ok(performance.now() - from < limitMs);
  return `${ok}: ${detail.replace('The MySQL database shop at ', '')}`;
}

if (noMariadb === null) {
  const server = await startMariadb();
  const world = new World(server);
  const { host, port } = world.address;
  test.after(() => server.stop());
  test.before.each(() => world.clear());

  test('a target may be a name for the database in the configuration', async () => {
    await world.write('create table a(x int)');
    const { password, ...others } = world.config;
    const login = `root:${encodeURIComponent(password ?? '')}`;
    const said = async (config: Partial<Config>): Promise<string> => {
      const context = connectorContext({
        target: 'mysql://prod-db',
        config: { ...others, ...config },
      });
      const connector = await plugin.create(context);
      const { ok, detail } = (await connector.check?.({ signal: calm })) ?? {};
      await connector.close?.();
      return `${ok}: ${detail}`;
    };
    const dsn = `mysql+pymysql://${login}@${host}:${port}/shop`;
    assert.is(await said({ dsn }), 'true: A MySQL source with 1 tables and views.');
    const parts = { host, port, user: 'root', database: 'shop', password: password ?? '' };
    assert.is(await said(parts), await said({ dsn }));
    assert.match(await said({ dsn: dsn.replace(login, 'root:wrong') }), /refused the password/);
    assert.match(await said({ dsn: `${dsn}?ssl-mode=VERIFY_CA` }), /certificate|no encryption/);
  });

  test('explains a fault of a source in a sentence with a remedy', async () => {
    await world.write('create table a(x int); create table b(x int)');
    assert.is(await health(world), 'true: A MySQL source with 2 tables and views.');
    assert.is(
      await health(world, { password: 'wrong' }),
      `false: ${host}:${port} refused the password. Check the user, and \`password\`: env:DB_PASSWORD, say.`,
    );
    assert.is(
      await health(world, { password: '' }),
      `false: ${host}:${port} asks for a password. Set \`password\`, best as a reference: env:DB_PASSWORD, say.`,
    );
    assert.match(
      await health(world, {}, world.target({ database: '/nowhere' })),
      /nowhere at .* does not exist on that server, or is hidden from this user\. Check the name of the database/,
    );
    assert.is(
      await health(world, { tables: ['a', 'c'] }),
      `false: ${host}:${port} has no table or view c: name some of those in it (a, b) in \`tables\`, or leave \`tables\` out.`,
    );
    assert.match(
      await health(world, { schemas: ['more'] }, world.target({ database: '' })),
      /has no database more: name some of those in it \(shop\)/,
    );
    assert.match(
      await health(world, {}, world.target({ host: '127.0.0.1:1' })),
      /cannot be reached\. Check that it runs, its host and port/,
    );
    assert.match(
      await health(world, { tls: 'verify' }),
      /offers no encryption\. Set `tls` to "off" if nobody else can listen/,
    );
  });

  test('the password is asked for when it is needed: it may have been replaced', async () => {
    await world.write('create table a(id int primary key); insert into a values (1)');
    const { credentials } = connectorContext({ target: '', config: world.config });
    const config = { password: 'an old one' };
    const connector = world.connector(config, world.target(), { credentials });
    assert.is((await recordsOf(connector, 'a')).length, 1);
  });

  test('a host that says nothing is told in time', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const target = world.target({ host: `127.0.0.1:${(silent.address() as AddressInfo).port}` });
    assert.match(await health(world, {}, target), /did not answer\. Check that it runs/);
    silent.close();
  });

  test('a target without a user or a host, or with more than a database, is refused', () => {
    for (const [target, missing] of [
      ['mysql://db.example.org/shop', 'a user'],
      ['mysql://reader@/shop', 'a host'],
      ['mysql://reader@db.example.org/shop/customers', 'one database'],
    ] as const) {
      assert.throws(
        () => world.connector({}, target),
        (error: unknown) => isTroveError(error) && error.detail === `target: must name ${missing}`,
      );
    }
  });

  test('what a user may not read is not there, and a user without rights is told', async () => {
    await world.write(`create table a(id int primary key); create table b(x int); insert into a values (1);
      create or replace user reader@localhost identified by 'reader'`);
    const config = { password: 'reader' };
    const target = world.target({ user: 'reader', database: '' });
    assert.match(
      await health(world, config, target),
      /lets the user reader read no table\. Let it: GRANT SELECT ON/,
    );
    await world.write('grant select on shop.a to reader@localhost');
    assert.is(await health(world, config, target), 'true: A MySQL source with 1 tables and views.');
    assert.is((await recordsOf(world.connector(config, target), 'shop/a')).length, 1);
    await world.write('drop user reader@localhost');
  });

  const threads = `select id from information_schema.processlist
    where id <> connection_id() and user = 'root' and db = 'shop'`;

  async function killAll(): Promise<void> {
    for (const thread of await world.write(threads))
      if (typeof thread === 'object' && thread !== null && 'id' in thread)
        await world.write(`kill ${String(thread.id)}`).catch(() => undefined);
  }

  async function until(sql: string): Promise<void> {
    while ((await world.write(sql)).length === 0);
  }

  const slowly = `create view slow as select 1 as x, sleep(60) as y`;

  test('a connection that is killed fails what runs, which may be done again', async () => {
    await world.write(
      `create table a(id int primary key); insert into a select seq from seq_1_to_5000; ${slowly}`,
    );
    const connector = world.connector();
    let met = 0;
    for await (const { key } of connector.records?.('a/rows.jsonl', { signal: calm }) ?? []) {
      assert.is(key['id'], ++met);
      // Nothing runs between two parts: another connection is made.
      if (met === 20) await killAll();
    }
    assert.is(met, 5000);
    const error = recordsOf(connector, 'slow').catch((thrown: unknown) => thrown);
    await until(`${threads} and state = 'User sleep'`);
    await killAll();
    const thrown = await error;
    assert.ok(isTroveError(thrown) && thrown.code === 'connector_unhealthy' && thrown.retryable);
    assert.match(thrown.detail, /ended the connection/);
    assert.is((await recordsOf(connector, 'a', { limit: 3 })).length, 3);
  });

  test('one connection serves all readers, and a slow one delays no other', async () => {
    await world.write(`create table a(id int primary key, x text);
      insert into a select seq, 'x' from seq_1_to_3000; create view v as select x from a`);
    const connector = world.connector();
    const slow = ['a', 'v'].map((table) =>
      connector.records?.(`${table}/rows.jsonl`, { signal: calm })[Symbol.asyncIterator](),
    );
    for (const each of slow) await each?.next();
    await world.write(`set lock_wait_timeout = 30; alter table a add column y int`);
    const [records, matches] = await Promise.all([
      recordsOf(connector, 'a'),
      found(connector, 'x'),
    ]);
    assert.is(records.length, 3000);
    assert.is(matches.length, 1000);
    assert.is((await world.write(threads)).length, 1);
    for (const each of slow) await each?.return?.();
  });

  test('a table that another session has locked is told, and read once it is free', async () => {
    await world.write('create table a(id int primary key); insert into a values (1)');
    const writer = await world.writer();
    await writer.query('lock tables a write');
    const connector = world.connector();
    const thrown = await recordsOf(connector, 'a').catch((error: unknown) => error);
    assert.ok(isTroveError(thrown) && thrown.retryable);
    assert.match(thrown.detail, /has a table that another session has locked/);
    await writer.query('unlock tables');
    await writer.end();
    assert.is((await recordsOf(connector, 'a')).length, 1);
  });

  test('stops a slow statement at its time limit or when its caller aborts', async () => {
    await world.write(slowly);
    const hurried = world.connector({ timeout_s: 1 });
    const late = await recordsOf(hurried, 'slow').catch((error: unknown) => error);
    assert.ok(isTroveError(late));
    assert.match(late.detail, /took too long for a statement\. Raise `timeout_s`/);
    await hurried.close?.();

    const aborter = new AbortController();
    const reading = recordsOf(world.connector(), 'slow', { signal: aborter.signal });
    await until(`${threads} and state = 'User sleep'`);
    aborter.abort(new Error('given up'));
    assert.match(String(await reading.catch((error: unknown) => error)), 'given up');
    await until(`select 1 where not exists (${threads} and state = 'User sleep')`);
  });

  test('limits the memory and time of an endless answer', async () => {
    await world.write('create table a(id int primary key)');
    const proxy = await startHostileProxy(port);
    proxy.answer = (said) =>
      said.includes('information_schema.tables') ? { endless: partOfRow } : 'pass';
    const target = world.target({ host: `127.0.0.1:${proxy.port}` });
    assert.match(
      await health(world, {}, target),
      /sent more than any answer has\. Check that the host/,
    );
    await eventually(() => proxy.connections === 0, 'its connection is closed');
    await proxy.stop();
  });

  test('gives up an unanswered statement when its caller aborts', async () => {
    await world.write('create table a(id int primary key)');
    const proxy = await startHostileProxy(port);
    const connector = world.connector({}, world.target({ host: `127.0.0.1:${proxy.port}` }));
    proxy.answer = (said) => (said.includes('information_schema.tables') ? 'silence' : 'pass');
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
    proxy.answer = (said) => (said.includes('information_schema.tables') ? 'silence' : 'pass');
    const listing = collect(connector.list({ signal: calm })).catch(() => 'ended');
    await proxy.silent;
    await inTime(connector.close?.() ?? Promise.resolve(), 'closing');
    assert.is(await listing, 'ended');
    await eventually(() => proxy.connections === 0, 'its connection is closed');
    await proxy.stop();
  });
} else testUnless(noMariadb, test)('it holds on MariaDB', () => undefined);

test.run();
