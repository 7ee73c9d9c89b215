import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import sqlite3 from 'sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { cacheStatements, type SqliteConnection } from '../src/database/statement-cache.js';

const test = suite<{ folder: string }>('statements of a connection');

test.before.each(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'trove-statements-'));
});
test.after.each(({ folder }) => rm(folder, { recursive: true, force: true }));

interface Opened {
  all(sql: string, values?: readonly unknown[]): Promise<unknown>;
  close(): Promise<void>;
  /** The SQL of all prepared statements so far. */
  readonly prepared: string[];
}

async function open(folder: string): Promise<Opened> {
  const database = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened = new sqlite3.Database(join(folder, 'a.db'), (error) =>
      error === null ? resolve(opened) : reject(error),
    );
  });
  const prepared: string[] = [];
  const prepare = database.prepare.bind(database);
  const connection: SqliteConnection = Object.assign(database, {
    prepare: (sql: string, done: (error: Error | null) => void) => {
      prepared.push(sql);
      return prepare(sql, done);
    },
  });
  cacheStatements(connection);
  return {
    prepared,
    all: (sql, values = []) =>
      new Promise((resolve, reject) => {
        connection.all(sql, values, (error, rows) =>
          error === null ? resolve(rows) : reject(error),
        );
      }),
    close: () =>
      new Promise((resolve, reject) => {
        connection.close((error) => (error === null ? resolve() : reject(error)));
      }),
  };
}

test('prepares a statement once and reads later changes', async ({ folder }) => {
  const [one, other] = [await open(folder), await open(folder)];
  await one.all('create table fruits (name text)');
  const fruits = (): Promise<unknown> => one.all('select * from fruits where name > ?', ['a']);
  assert.equal(await fruits(), []);
  await other.all('insert into fruits values (?)', ['b']);
  await other.all('insert into fruits values (?)', ['c']);
  assert.equal(await fruits(), [{ name: 'b' }, { name: 'c' }]);
  await other.all("alter table fruits add column taste text default 'sweet'");
  await other.all("delete from fruits where name = 'c'");
  assert.equal(await fruits(), [{ name: 'b', taste: 'sweet' }]);
  assert.is(one.prepared.length, 2);
  await one.close();
  await other.close();
});

test('does not reuse the values of an earlier call', async ({ folder }) => {
  const one = await open(folder);
  const given = (values: readonly unknown[]): Promise<unknown> =>
    one.all('select ? as a, ? as b', values);
  assert.equal(await given([1, 'x']), [{ a: 1, b: 'x' }]);
  assert.equal(await given([2]), [{ a: 2, b: null }]);
  await one.close();
});

test('runs a statement again after a failure', async ({ folder }) => {
  const one = await open(folder);
  const wrong = (): Promise<unknown> => one.all('select * from nowhere').catch(String);
  assert.match(String(await wrong()), 'no such table');
  assert.match(String(await wrong()), 'no such table');
  await one.all('create table nowhere (a integer unique)');
  assert.equal(await wrong(), []);
  const insert = (): Promise<unknown> =>
    one.all('insert into nowhere values (?)', [1]).catch(String);
  assert.equal(await insert(), []);
  assert.match(String(await insert()), 'UNIQUE');
  await one.all('delete from nowhere');
  assert.equal(await insert(), []);
  await one.close();
});

test('limits the cached statements and caches none with large values', async ({ folder }) => {
  const one = await open(folder);
  for (let at = 0; at <= 100; at++) await one.all(`select ${at} as a`);
  assert.equal(await one.all('select 100 as a'), [{ a: 100 }]);
  assert.is(one.prepared.length, 101);
  assert.equal(await one.all('select 0 as a'), [{ a: 0 }]);
  assert.is(one.prepared.length, 102);
  const large = 'x'.repeat(100_000);
  for (let times = 0; times < 2; times++) {
    assert.equal(await one.all('select length(?) as n', [large]), [{ n: large.length }]);
  }
  assert.is(one.prepared.filter((sql) => sql.includes('length')).length, 0);
  await one.close();
});

test.run();
