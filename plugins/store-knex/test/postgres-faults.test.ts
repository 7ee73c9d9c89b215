import { inspect } from 'node:util';

import { isTroveError, silentLogger, type TroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { freePort } from '@trove/test-support/free-port.js';
import { startPostgres, type TestPostgres } from '@trove/test-support/postgres.js';
import { openDatabase } from '../src/settings.js';
import { openStore, type Backend } from './support.js';

const test = suite('faults of PostgreSQL');
const testPassword = 'canary-4711';
let postgres: TestPostgres;

test.before(async () => {
  postgres = await startPostgres();
});

test.after(() => postgres.stop());

function at(dsn: string): Backend {
  return { backend: 'postgres', config: { dsn } };
}

/** Returns the error of opening after checking that it does not contain the password. */
async function refusal(dsn: string): Promise<TroveError> {
  const error = await openStore(at(dsn)).then(
    () => new Error('it was opened'),
    (thrown: unknown) => thrown,
  );
  assert.ok(isTroveError(error), inspect(error));
  const everything = inspect(error, { depth: 20, showHidden: true });
  assert.not.match(everything, testPassword);
  assert.not.match(everything, dsn);
  return error;
}

async function changed(change: (url: URL) => void): Promise<string> {
  const url = new URL(await postgres.createDatabase());
  change(url);
  return url.href;
}

test('reports a server that does not answer as unreachable', async () => {
  const port = await freePort();
  const error = await refusal(`postgres://me:${testPassword}@127.0.0.1:${port}/trove`);
  assert.is(error.code, 'storage_unavailable');
  assert.match(
    error.detail,
    `The PostgreSQL database trove at 127.0.0.1:${port} cannot be reached`,
  );
  assert.ok(error.retryable);
});

test('reports a host that does not exist as unreachable', async () => {
  const error = await refusal(`postgres://me:${testPassword}@no-such-host.invalid/trove`);
  assert.match(error.detail, 'no-such-host.invalid cannot be reached');
});

test('rejects a wrong password', async () => {
  const error = await refusal(await changed((url) => (url.password = testPassword)));
  assert.is(error.code, 'storage_unavailable');
  assert.match(error.detail, 'refused the user or the password');
  assert.not.ok(error.retryable);
});

test('reports a missing database', async () => {
  const error = await refusal(await changed((url) => (url.pathname = '/missing')));
  assert.match(error.detail, 'missing at');
  assert.match(error.detail, 'does not exist');
  assert.match(error.suggestions.join(), 'createdb');
});

test('shows no part of an invalid connection string', async () => {
  for (const dsn of [
    `postgres://me:${testPassword}/x@127.0.0.1:1/trove`,
    `postgres://me:${testPassword}%zz@127.0.0.1:1/trove`,
    `postgres://me:${testPassword}@@127.0.0.1:1/trove`,
    `postgres://127.0.0.1:1/trove?password=${testPassword}`,
    testPassword,
  ]) {
    assert.is((await refusal(dsn)).code, 'storage_unavailable');
  }
});

test('rejects a database whose encoding cannot hold every text', async () => {
  const dsn = await postgres.createDatabase();
  const database = await openDatabase('postgres', { dsn }, silentLogger);
  const session = await database.all(`select current_setting('port') as port`);
  assert.is(session.length, 1);
  await database.close();
  const latin = await postgres.createDatabase('LATIN1');
  const error = await refusal(latin);
  assert.match(error.detail, 'its encoding is LATIN1, but must be UTF8');
});

test('reports a cut connection clearly, and the next call succeeds', async () => {
  const dsn = await postgres.createDatabase();
  const database = await openDatabase('postgres', { dsn }, silentLogger);
  const cut = database.write(async (session) => {
    const [row] = await session.all('select pg_backend_pid() as pid');
    await database.all(`select pg_terminate_backend(${Number(row?.['pid'])})`);
    await session.run('select 1');
  });
  const error = await cut.catch((thrown: unknown) => thrown);
  assert.ok(isTroveError(error), inspect(error));
  assert.is(error.code, 'storage_unavailable');
  assert.ok(error.retryable, error.detail);
  assert.equal(await database.all('select 1 as one'), [{ one: 1 }]);
  await database.close();
});

test.run();
