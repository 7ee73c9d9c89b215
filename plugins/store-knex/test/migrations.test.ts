import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { isTroveError, silentLogger } from '@trove/core';
import sqlite3 from 'sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { startPostgres, type TestPostgres } from '@trove/test-support/postgres.js';
import { migrate } from '../src/database/migrate.js';
import { openDatabase } from '../src/settings.js';
import { attempt } from './processes.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { openCache, openStore, type Backend } from './support.js';

const test = suite('migrations');
let postgres: TestPostgres;

test.before(async () => {
  postgres = await startPostgres();
});

test.after(() => postgres.stop());

async function onBoth(work: (backend: Backend) => Promise<void>): Promise<void> {
  await withFolder((folder) =>
    work({ backend: 'sqlite', config: { path: join(folder, 'data.db') } }),
  );
  await work({ backend: 'postgres', config: { dsn: await postgres.createDatabase() } });
}

test('lets several processes open an empty database at once', () =>
  onBoth(async (backend) => {
    const answers = await Promise.all([1, 2, 3].map(() => attempt(backend)));
    assert.equal(answers, ['ok', 'ok', 'ok'], backend.backend);
  }));

test('waits for a database that another process has locked to create it', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'data.db');
    const maker = new sqlite3.Database(path);
    const run = promisify<string, void>((sql, done) => maker.exec(sql, done));
    await run('create table made (at)');
    await run('begin exclusive');
    const opening = openStore({ backend: 'sqlite', config: { path } });
    opening.catch(() => undefined);
    // Longer than SQLite itself waits.
    await delay(300);
    await run('commit');
    await (await opening).close();
    await new Promise((resolve) => maker.close(resolve));
  }));

test('lets several stores and caches of a process open an empty database', () =>
  onBoth(async (backend) => {
    const opened = await Promise.all(
      [1, 2, 3, 4].flatMap(() => [openStore(backend), openCache(backend)]),
    );
    await Promise.all(opened.map((each) => each.close()));
  }));

test('rejects a database newer than the code and leaves it unchanged', () =>
  onBoth(async (backend) => {
    await (await openStore(backend)).close();
    const database = await openDatabase(backend.backend, backend.config, silentLogger);
    const table = 'trove_metadata_migrations';
    await database.write((session) =>
      session.run(`insert into ${table} (version, applied_at) values (4711, 0)`),
    );
    await database.close();
    for (let time = 0; time < 2; time += 1) {
      const error = await openStore(backend).catch((thrown: unknown) => thrown);
      assert.ok(isTroveError(error));
      assert.is(error.code, 'storage_unavailable');
      assert.match(error.detail, /newer version of Trove: its schema is 4711/);
    }
  }));

test('rolls back a failed migration, which can then be repeated', () =>
  onBoth(async (backend) => {
    const database = await openDatabase(backend.backend, backend.config, silentLogger);
    const good = () => ['create table one (id integer)'];
    const bad = () => ['create table two (id integer)', 'create nonsense'];
    const failed = await migrate(database, 'test', [good, bad]).catch((error: unknown) => error);
    assert.ok(isTroveError(failed), 'the migration did not fail');
    await migrate(database, 'test', [good, () => ['create table two (id integer)']]);
    await database.all('select * from one cross join two');
    await database.close();
  }));

test.run();
