import { inspect } from 'node:util';
import { isTroveError, silentLogger, type TroveError } from '@trove/core';
import { Client } from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startPgvector, type TestPgvector } from '@trove/test-support/pgvector.js';
import { startPostgres, type TestPostgres } from '@trove/test-support/postgres.js';
import { neverAborted, row, spec } from '@trove/test-support/index-rows.js';
import { pluginContext } from '@trove/testkit';
import { ConnectionPool } from '../src/connections.js';
import { PgVectorIndex } from '../src/database.js';
import plugin from '../src/index.js';
import { open, withCollection } from './world.js';

const test = suite('failures');
const testPassword = 'canary-4711';
let server: TestPgvector;
/** A real server without pgvector. */
let bare: TestPostgres;

test.before(async () => {
  [server, bare] = await Promise.all([startPgvector(), startPostgres()]);
});

test.before.each(() => server.empty());

test.after(async () => {
  await Promise.all([server.stop(), bare.stop()]);
});

/** Returns the error of an action after checking that it does not contain the password. */
async function errorOf(action: () => Promise<unknown>): Promise<TroveError> {
  const error = await action().then(
    () => new Error('There was no error'),
    (thrown: unknown) => thrown,
  );
  assert.ok(isTroveError(error), inspect(error));
  assert.not.match(inspect(error, { depth: 20, showHidden: true }), testPassword);
  return error;
}

const connect = (uri: string, password?: string): Promise<PgVectorIndex> =>
  PgVectorIndex.connect(uri, { password }, silentLogger);

test('says what to install on a server without pgvector', async () => {
  const uri = await bare.createDatabase();
  const error = await errorOf(() => connect(uri));
  assert.is(error.code, 'not_available');
  assert.match(error.detail, 'does not have pgvector');
  assert.match(error.suggestions.join(), 'postgresql-NN-pgvector');
});

test('rejects a wrong password in or beside the URI without showing it', async () => {
  const uri = new URL(await bare.createDatabase());
  const beside = await errorOf(() => connect(uri.href, testPassword));
  assert.is(beside.code, 'storage_unavailable');
  assert.match(beside.detail, 'refused the user or the password');
  uri.password = testPassword;
  const within = await errorOf(() => connect(uri.href));
  assert.is(within.code, 'storage_unavailable');
});

test('prefers the password beside the URI', async () => {
  const uri = new URL(await bare.createDatabase());
  const { password } = uri;
  uri.password = '';
  // The password is accepted, and the missing extension is reported.
  assert.is((await errorOf(() => connect(uri.href, password))).code, 'not_available');
});

test('shows no part of an invalid URI', async () => {
  for (const uri of [
    `postgres://me:${testPassword}/x@127.0.0.1:1/trove`,
    `postgres://me:${testPassword}%zz@127.0.0.1:1/trove`,
    `postgresql://127.0.0.1:1/trove?password=${testPassword}`,
  ]) {
    assert.is((await errorOf(() => connect(uri))).code, 'storage_unavailable');
  }
});

test('cancels an aborted statement in the database and reuses its connection', async () => {
  const connections = new ConnectionPool(await bare.createDatabase(), { max: 2 }, silentLogger);
  try {
    const abort = new AbortController();
    const sleeping = connections.use(async (session) => {
      setImmediate(() => abort.abort());
      await session.all('select pg_sleep(60)');
    }, abort.signal);
    const error = await sleeping.catch((thrown: unknown) => thrown);
    assert.ok(error instanceof Error && error.name === 'AbortError', inspect(error));
    const running = await connections.use((session) =>
      session.all(
        "select 1 from pg_stat_activity where query like '%pg_sleep(60)' and state = 'active'",
      ),
    );
    assert.equal(running, []);
  } finally {
    await connections.close();
  }
});

test('repeats a transaction after a conflict with another one', async () => {
  const connections = new ConnectionPool(await bare.createDatabase(), { max: 2 }, silentLogger);
  try {
    await connections.use((session) => session.all('create table t (a integer primary key)'));
    let attempts = 0;
    await connections.transaction(async (session) => {
      attempts++;
      if (attempts === 1) {
        await connections.use((other) => other.all('insert into t values (1)'));
        await session.all('insert into t values (1)');
      }
      await session.all('insert into t values (2)');
    });
    assert.is(attempts, 2);
    const rows = await connections.use((session) => session.all('select a from t order by a'));
    assert.equal(rows, [{ a: 1 }, { a: 2 }]);
  } finally {
    await connections.close();
  }
});

test('rejects calls after close', async () => {
  const index = await open(server);
  const collection = await index.collection(spec);
  await index.close();
  assert.is((await errorOf(() => collection.count())).code, 'engine_closed');
});

test('refuses vectors of another dimension and writes nothing', () =>
  withCollection(server, async (collection) => {
    const rows = [row('a', 'g'), row('b', 'g', { vector: new Float32Array(3) })];
    const error = await errorOf(() => collection.replace([{ group: 'g', rows }], neverAborted));
    assert.is(error.code, 'index_mismatch');
    assert.is(await collection.count(), 0);
  }));

test('fails only the batch of a value that the database rejects', () =>
  withCollection(server, async (collection) => {
    const rows = [row('a', 'g', { vector: new Float32Array(8).fill(NaN) })];
    const error = await errorOf(() => collection.replace([{ group: 'g', rows }], neverAborted));
    assert.is(error.code, 'validation_error');
    assert.is(await collection.count(), 0);
  }));

test('rejects names that no index of the database can hold', () =>
  withCollection(server, async (collection) => {
    const group = 'x'.repeat(513);
    const rows = [row('a', group)];
    const error = await errorOf(() => collection.replace([{ group, rows }], neverAborted));
    assert.is(error.code, 'validation_error');
  }));

test('returns long sources and texts that PostgreSQL cannot store unchanged', () =>
  withCollection(server, async (collection) => {
    const odd = 'NUL \0, half a pair \ud83d, \u0001';
    const source = `file://local/${'long/'.repeat(900)}`;
    const rows = [
      row('a', 'g', {
        content: odd,
        title: odd,
        source,
        fields: { [odd]: odd },
        locator: { [odd]: odd },
        terms: `word ${odd.replaceAll(' ', '')}`,
      }),
    ];
    await collection.replace([{ group: 'g', rows }], neverAborted);
    const [found] = await collection.rows('g');
    assert.equal({ ...found, vector: null }, { ...rows[0], vector: null });
    const below = { sourcePrefix: `file://local/${'long/'.repeat(899)}long` };
    assert.is(await collection.count(below), 1);
    assert.is(await collection.count({ sourcePrefix: `${below.sourcePrefix}/x` }), 0);
    assert.ok(await collection.hasField(odd));
    const filter = { op: 'compare', field: odd, comparison: '=', value: odd } as const;
    assert.is(await collection.count({ filter }), 1);
  }));

test('compacts to one segment without removed rows and reports the size', async () => {
  const index = await open(server);
  try {
    const collection = await index.collection(spec);
    const empty = await index.size();
    for (const group of ['a', 'b', 'c']) {
      const rows = Array.from({ length: 300 }, (_, at) =>
        row(`${group}${at}`, group, { ordinal: at }),
      );
      await collection.replace([{ group, rows }], neverAborted);
    }
    await collection.replace([{ group: 'a', rows: [] }], neverAborted);
    assert.ok((await index.size()) > empty + 100_000, 'bytes of the rows');
    await collection.compact();
    const client = new Client({ connectionString: server.url });
    await client.connect();
    const count = async (table: string): Promise<unknown> =>
      (await client.query<{ count: string }>(`select count(*) from trove_index_1_${table}`)).rows[0]
        ?.count;
    assert.is(await count('segments'), '1');
    assert.is(await count('removed'), '0');
    await client.end();
    assert.is(await collection.count(), 600);
    const sparse = { terms: ['common'], pairs: [] };
    const query = { sparse, pairWeight: 0, candidates: 1000, signal: neverAborted.signal };
    assert.is((await collection.search(query)).sparse.length, 600);
  } finally {
    await index.close();
  }
});

test('recreates dropped tables when the collection is opened', async () => {
  const index = await open(server);
  const run = async (statement: string): Promise<void> => {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  try {
    const collection = await index.collection(spec);
    for (const table of ['chunks', 'postings', 'totals']) {
      await collection.replace([{ group: 'a', rows: [row('a', 'a')] }], neverAborted);
      assert.is(await collection.count(), 1);
      await run(`drop table trove_index_1_${table}`);
      const error = await errorOf(() => collection.count());
      assert.is(error.code, 'storage_unavailable');
      await index.collection(spec);
      assert.is(await collection.count(), 0);
    }
    await collection.replace([{ group: 'a', rows: [row('a', 'a')] }], neverAborted);
    assert.is(await collection.count(), 1);
  } finally {
    await index.close();
  }
});

test('refuses an invalid name, dimension or embedding', async () => {
  const index = await open(server);
  try {
    for (const name of ['../x', 'a b', '', 'x'.repeat(201)]) {
      const error = await errorOf(() => index.collection({ ...spec, name }));
      assert.is(error.code, 'validation_error');
    }
    const large = await errorOf(() => index.collection({ ...spec, dimension: 16_001 }));
    assert.is(large.code, 'config_invalid');
    await index.collection(spec);
    const other = await errorOf(() => index.collection({ ...spec, embedding: 'other/16' }));
    assert.is(other.code, 'index_mismatch');
    assert.match(other.detail, 'test/8');
    assert.match(other.suggestions.join(), 'empty database');
  } finally {
    await index.close();
  }
});

test('takes the password as its token and both spellings of the scheme', async () => {
  assert.equal(plugin.keys, ['postgres', 'postgresql']);
  const uri = (await bare.createDatabase()).replace(/^postgres:/, 'postgresql:');
  const config = { token: testPassword, connections: 1 };
  const error = await errorOf(async () =>
    plugin.create({
      uri,
      ...pluginContext({ config }),
    }),
  );
  assert.match(error.detail, 'refused the user or the password');
});

test.run();
