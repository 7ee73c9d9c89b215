import { createServer } from 'node:net';

import { withoutCheckpoints, isTroveError } from '@trove/core';
import { connectorContext } from '@trove/testkit';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '../collect.js';
import { grepAll } from '../grep-all.js';
import { startHostileProxy } from '../hostile-proxy.js';
import { listen } from '../listen.js';
import { withTimeout, waitUntil as eventually } from '../waiting.js';
import type { SqlSettings, SqlWorld } from './world.js';

/** A health check gives up on a silent server after eight seconds, while the system would try for minutes. */
const limitMs = 60_000;
const neverAborted = new AbortController().signal;

/** The faults of one kind of database. */
export interface FaultyDatabase {
  /** The text before the number of tables in a successful check: `A MySQL source`. */
  readonly source: string;
  /** The text before the address in an error: `The MySQL database shop at `. */
  readonly name: string;
  /** The error detail for a missing database. */
  readonly missingDatabase: RegExp;
  /** The tables `a` and `b` as named in messages. */
  readonly tables: string;
  /** Rejected targets and what they lack. */
  readonly rejectedTargets: readonly (readonly [target: string, missing: string])[];
  /** URLs of the database for `config.dsn`. */
  readonly dsn: {
    readonly scheme: string;
    /** The parameter that requests encryption. */
    readonly encrypted: string;
  };
  /** A part of the statement that lists tables. */
  readonly catalog: string;
  /** The start of a reply that claims to be larger than the limit. */
  readonly endlessReply: Buffer;
  /** Creates the view `slow` with one row that takes a minute. */
  readonly createSlowView: string;
  /** Lists the connections of connectors. */
  readonly connections: string;
  /** Lists the connections that read the view `slow`. */
  readonly slowConnections: string;
  readonly lock: string;
  readonly unlock: string;
  /** Sets how long the next statement waits for locks. */
  readonly lockTimeout: string;
  /** Ends all connections of connectors. */
  kill(): Promise<void>;
}

/** Returns the text of a check without the name of the database. */
export type HealthCheck = (config?: SqlSettings, target?: string) => Promise<string>;

/** Registers the fault cases for a database server with SQL. */
export function testFaults(test: Test, world: SqlWorld, database: FaultyDatabase): HealthCheck {
  const health: HealthCheck = async (config = {}, target = world.target()) => {
    const from = performance.now();
    const check = await world.connector(config, target).check?.({ signal: neverAborted });
    assert.ok(performance.now() - from < limitMs);
    return `${check?.ok}: ${check?.detail?.replace(database.name, '')}`;
  };
  testHealth(test, world, database, health);
  testTargets(test, world, database);
  testConnections(test, world, database);
  testStatements(test, world, database);
  testSilence(test, world, database, health);
  return health;
}

function testHealth(
  test: Test,
  world: SqlWorld,
  { source, missingDatabase, tables }: FaultyDatabase,
  health: HealthCheck,
): void {
  const { host, port } = world.address;

  test('explains a fault of a source in a sentence with a remedy', async () => {
    await world.write('create table a(x int); create table b(x int)');
    const before = world.connector();
    assert.is(await health(), `true: ${source} with 2 tables and views.`);
    assert.is(
      await health({ password: 'wrong' }),
      `false: ${host}:${port} refused the password. Check the user and \`password\`, for example env:DB_PASSWORD.`,
    );
    assert.is(
      await health({ password: '' }),
      `false: ${host}:${port} requires a password. Set \`password\`, preferably as a reference such as env:DB_PASSWORD.`,
    );
    assert.match(await health({}, world.target({ database: 'nowhere' })), missingDatabase);
    assert.is(
      await health({ tables: ['a', 'c'] }),
      `false: ${host}:${port} has no table or view c. It has: ${tables}. Correct \`tables\` or remove it.`,
    );
    assert.match(
      await health({}, world.target({ host: '127.0.0.1:1' })),
      /cannot be reached\. Check that it runs, check its host and port/,
    );
    assert.match(
      await health({}, world.target({ host: 'no-such-host.invalid' })),
      /cannot be reached/,
    );
    assert.match(
      await health({ tls: 'verify' }),
      /offers no encryption\. Set `tls` to "off" if you trust the network/,
    );
    assert.is((await world.recordsOf(before, 'a')).length, 0);
  });

  test('reads the password again when it is needed, since it may change', async () => {
    await world.write('create table a(id int primary key); insert into a values (1)');
    const { credentials } = connectorContext({ target: world.target(), config: world.config });
    const connector = world.connector({ password: 'an old one' }, world.target(), { credentials });
    assert.is((await world.recordsOf(connector, 'a')).length, 1);
  });

  test('reports a silent host in time', async () => {
    await using silent = await listen(createServer());
    const target = world.target({ host: silent.host });
    assert.match(await health({}, target), /did not answer\. Check that it runs/);
  });
}

function testTargets(
  test: Test,
  world: SqlWorld,
  { source, rejectedTargets, dsn: { scheme, encrypted } }: FaultyDatabase,
): void {
  test('rejects a target with a missing part', () => {
    for (const [target, missing] of rejectedTargets) {
      assert.throws(
        () => world.connector({}, target),
        (error: unknown) => isTroveError(error) && error.detail === `target: must name ${missing}`,
      );
    }
  });

  test('accepts a configured name of a database as target', async () => {
    await world.write('create table a(x int)');
    const { address, database } = world;
    const { user, password } = world.login;
    const withLogin = (login: string): string =>
      `${scheme}://${login}@${address.host}:${address.port}/${database}`;
    const dsn = withLogin(`${user}:${encodeURIComponent(password)}`);
    const said = async (config: SqlSettings): Promise<string> => {
      const { ok, detail } = (await world.named(config).check?.({ signal: neverAborted })) ?? {};
      return `${ok}: ${detail}`;
    };
    assert.is(await said({ dsn }), `true: ${source} with 1 tables and views.`);
    const parts = { ...address, user, database, password };
    assert.is(await said(parts), await said({ dsn }));
    const wrong = withLogin(`${user}:wrong`);
    assert.match(await said({ dsn: wrong }), /refused the password/);
    assert.match(await said({ dsn: wrong, password }), /^true/);
    assert.match(await said({ dsn: withLogin(user) }), /requires a password/);
    assert.match(await said({ dsn: `${dsn}?${encrypted}` }), /offers no encryption/);
    assert.match(await said({ dsn: `${dsn}?sslmode=prefer&application_name=shop` }), /^true/);
  });
}

function testConnections(test: Test, world: SqlWorld, database: FaultyDatabase): void {
  const { connections, slowConnections, createSlowView, lockTimeout } = database;
  const { series } = world.words;
  const rowsOf = (table: string): string => `${world.folder}${table}/rows.jsonl`;

  test('fails running work on a killed connection with a retryable error', async () => {
    await world.write(`create table a(id int primary key);
      insert into a select seq from ${series(1, 5000)}; ${createSlowView}`);
    const connector = world.connector();
    let met = 0;
    for await (const { key } of withoutCheckpoints(
      connector.records?.(rowsOf('a'), { signal: neverAborted }) ?? [],
    )) {
      assert.is(key['id'], ++met);
      // Killed between two parts, when no statement runs. The connector reconnects.
      if (met === 20) await database.kill();
    }
    assert.is(met, 5000);
    const error = world.recordsOf(connector, 'slow').catch((thrown: unknown) => thrown);
    await waitForAnswer(world, slowConnections);
    await database.kill();
    const thrown = await error;
    assert.ok(isTroveError(thrown) && thrown.code === 'connector_unhealthy' && thrown.retryable);
    assert.match(thrown.detail, /ended the connection/);
    assert.is((await world.recordsOf(connector, 'a', { limit: 3 })).length, 3);
  });

  test('serves all readers by one connection without blocking others', async () => {
    await world.write(`create table a(id int primary key, x text);
      insert into a select seq, 'x' from ${series(1, 3000)}; create view v as select x from a`);
    const connector = world.connector();
    const slow = ['a', 'v'].map((table) =>
      connector.records?.(rowsOf(table), { signal: neverAborted })[Symbol.asyncIterator](),
    );
    for (const each of slow) await each?.next();
    await world.write(`${lockTimeout}; alter table a add column y int`);
    const [records, matches] = await Promise.all([
      world.recordsOf(connector, 'a'),
      grepAll(connector, 'x'),
    ]);
    assert.is(records.length, 3000);
    assert.is(matches.length, 1000);
    assert.is((await world.write(connections)).length, 1);
    for (const each of slow) await each?.return?.();
  });
}

function testStatements(
  test: Test,
  world: SqlWorld,
  { lock, unlock, createSlowView, slowConnections }: FaultyDatabase,
): void {
  test('reports a table locked by another session and reads it after the unlock', async () => {
    await world.write('create table a(id int primary key); insert into a values (1)');
    const writer = await world.writer();
    await writer.query(lock);
    const connector = world.connector();
    const thrown = await world.recordsOf(connector, 'a').catch((error: unknown) => error);
    assert.ok(isTroveError(thrown) && thrown.retryable);
    assert.match(thrown.detail, /has a table that another session locks/);
    await writer.query(unlock);
    await writer.end();
    assert.is((await world.recordsOf(connector, 'a')).length, 1);
  });

  test('stops a slow statement at its time limit or when its caller aborts', async () => {
    await world.write(createSlowView);
    const hurried = world.connector({ timeout_s: 1 });
    const late = await world.recordsOf(hurried, 'slow').catch((error: unknown) => error);
    assert.ok(isTroveError(late));
    assert.match(late.detail, /exceeded the time limit of a statement\. Raise `timeout_s`/);
    await hurried.close?.();

    const aborter = new AbortController();
    const { signal } = aborter;
    const reading = world.recordsOf(world.connector(), 'slow', { signal });
    await waitForAnswer(world, slowConnections);
    const from = performance.now();
    aborter.abort(new Error('given up'));
    assert.match(String(await reading.catch((error: unknown) => error)), 'given up');
    await waitForAnswer(world, `select 1 where not exists (${slowConnections})`);
    // The statement would take a minute.
    assert.ok(performance.now() - from < 30_000);
  });
}

function testSilence(
  test: Test,
  world: SqlWorld,
  { catalog, endlessReply }: FaultyDatabase,
  health: HealthCheck,
): void {
  const startProxy = async () => {
    await world.write('create table a(id int primary key)');
    const proxy = await startHostileProxy(world.address.port);
    return { proxy, target: world.target({ host: `127.0.0.1:${proxy.port}` }) };
  };

  test('limits the memory and time of an endless answer', async () => {
    const { proxy, target } = await startProxy();
    proxy.replyMode = (said) => (said.includes(catalog) ? { endless: endlessReply } : 'pass');
    assert.match(
      await health({}, target),
      /sent more data than any valid answer\. Check that the host/,
    );
    await eventually(() => proxy.connections === 0, 'its connection is closed');
    await proxy.stop();
  });

  test('stops waiting for a statement when its caller aborts', async () => {
    const { proxy, target } = await startProxy();
    const connector = world.connector({}, target);
    proxy.replyMode = (said) => (said.includes(catalog) ? 'silence' : 'pass');
    const unwanted = new AbortController();
    const listing = collect(connector.list({ signal: unwanted.signal })).catch(() => 'given up');
    await proxy.silent;
    unwanted.abort();
    assert.is(await listing, 'given up');
    proxy.replyMode = () => 'pass';
    const next = await withTimeout(
      collect(connector.list({ signal: neverAborted })),
      'the next list',
    );
    assert.is(next.length, 2);
    await proxy.stop();
  });

  test('closes a source while its server does not answer', async () => {
    const { proxy, target } = await startProxy();
    const connector = world.connector({}, target);
    proxy.replyMode = (said) => (said.includes(catalog) ? 'silence' : 'pass');
    const listing = collect(connector.list({ signal: neverAborted })).catch(() => 'ended');
    await proxy.silent;
    await withTimeout(connector.close?.() ?? Promise.resolve(), 'closing');
    assert.is(await listing, 'ended');
    await eventually(() => proxy.connections === 0, 'its connection is closed');
    await proxy.stop();
  });
}

/** Repeats a query until it has an answer. */
async function waitForAnswer(world: SqlWorld, sql: string): Promise<void> {
  const writer = await world.writer();
  try {
    while ((await writer.query(sql)).length === 0);
  } finally {
    await writer.end();
  }
}
