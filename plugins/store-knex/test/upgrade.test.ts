import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { silentLogger } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { startPostgres, type TestPostgres } from '@trove/test-support/postgres.js';
import { rejection } from '@trove/test-support/rejection.js';
import { migrate } from '../src/database/migrate.js';
import type { Database, StoreSession } from '../src/database/types.js';
import { migrations } from '../src/metadata/schema.js';
import { openDatabase } from '../src/settings.js';
import { firstSchema, releasedStatements } from './first-schema.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { openCache, openStore, type Backend } from './support.js';

/* Opens databases of the first version of Trove. */

const test = suite('an upgrade from the first schema');
const backends = ['sqlite', 'postgres'] as const;
const rows = JSON.parse(
  readFileSync(new URL('fixtures/first-rows.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly Readonly<Record<string, string | number | null>>[]>>;
let postgres: TestPostgres;

test.before(async () => {
  postgres = await startPostgres();
});

test.after(() => postgres.stop());

type Work = (backend: Backend, database: Database) => Promise<void>;

/** Runs with a new database in each engine and a connection that shows its tables. */
async function onBoth(
  prepare: (database: Database, name: 'sqlite' | 'postgres') => Promise<void>,
  work: Work,
) {
  await withFolder(async (folder) => {
    for (const name of backends) {
      const config =
        name === 'sqlite'
          ? { path: join(folder, 'data.db') }
          : { dsn: await postgres.createDatabase() };
      const database = await openDatabase(name, config, silentLogger);
      try {
        await prepare(database, name);
        await work({ backend: name, config }, database);
      } finally {
        await database.close();
      }
    }
  });
}

/** Creates the tables of the first version with rows in each. */
async function asFirstVersion(database: Database, name: 'sqlite' | 'postgres'): Promise<void> {
  await database.write(async (session) => {
    for (const statement of releasedStatements(name)) await session.run(statement);
    for (const component of ['metadata', 'cache']) {
      await session.run(
        `create table trove_${component}_migrations (version bigint primary key, applied_at bigint not null)`,
      );
    }
    for (const [table, all] of Object.entries(rows)) {
      for (const row of all) await insert(session, table, row);
    }
    const value = name === 'sqlite' ? "x'010203'" : "'\\x010203'";
    await session.run(`insert into trove_cache_values (id, value) values (4, ${value})`);
    if (name === 'postgres') await continueNumbers(session);
  });
}

async function insert(
  session: StoreSession,
  table: string,
  row: Readonly<Record<string, string | number | null>>,
): Promise<void> {
  const names = Object.keys(row);
  const values = names.map((column) => `:${column}`);
  await session.run(`insert into ${table} (${names.join()}) values (${values.join()})`, row);
}

async function continueNumbers(session: StoreSession): Promise<void> {
  const columns = await session.all(
    `select table_name as name, column_name as key from information_schema.columns
      where is_identity = 'YES'`,
  );
  for (const { name, key } of columns) {
    await session.all(
      `select setval(pg_get_serial_sequence('${String(name)}', '${String(key)}'), max(${String(key)})) as n from ${String(name)}`,
    );
  }
}

test('keeps a released schema unchanged and adds migrations instead', () => {
  for (const backend of backends) {
    const { statements } = firstSchema(backend);
    const plain = (texts: readonly string[]): string => texts.map((text) => text.trim()).join('\n');
    const hint =
      'append a migration; before the first release: node --import tsx plugins/store-knex/test/fixtures/freeze-first-schema.ts';
    assert.ok(plain(statements) === plain(releasedStatements(backend)), `${backend}: ${hint}`);
  }
});

test('keeps all data after the upgrade and continues to work', () =>
  onBoth(asFirstVersion, async (backend) => {
    const store = await openStore(backend);
    const [connector] = await store.sources.list();
    assert.is(connector?.rootUri, 'file://local/docs');
    assert.equal(connector?.config, { ignore: ['*.log'] });
    assert.equal(connector?.state, { cursor: 7 });
    const objects = await store.objects.list('c1', { prefix: '', after: null, limit: 10 });
    assert.equal(
      objects.map(({ path, title, modifiedAt, searchStatus, reason, chunks }) => {
        return [path, title, modifiedAt, searchStatus, reason, chunks];
      }),
      [
        ['a.md', 'Otters und Ünïcode', 1795355366286.5, 'indexed', null, 2],
        ['b/empty.bin', null, 1795355366286, 'not_indexed', 'not a text', 0],
      ],
    );
    const [summary] = await store.summaries.findByPath('c1', ['a.md']);
    assert.is(summary?.revision, 'r1');
    const job = await store.jobs.get('j1');
    assert.equal([job?.status, job?.failed, job?.finishedAt], ['partial', 1, 1795355381812]);
    const [failure] = await store.jobs.failures('j1', 10);
    assert.equal([failure?.path, failure?.code], ['broken.pdf', 'document_damaged']);
    const claimed = await store.jobs.claim('a worker', 60_000);
    assert.is(claimed?.id, 'j2', 'the job that was queued');
    await store.close();

    const cache = await openCache(backend);
    assert.equal([...((await cache.getMany(['k1'])).get('k1') ?? [])], [1, 2, 3]);
    await cache.close();
  }));

test('has the same tables as a database of this version', async () => {
  const tables: string[][] = [];
  const open = async (backend: Backend, database: Database): Promise<void> => {
    await (await openStore(backend)).close();
    await (await openCache(backend)).close();
    tables.push(await tablesOf(backend.backend, database));
  };
  await onBoth(asFirstVersion, open);
  await onBoth(async () => undefined, open);
  const [upgradedSqlite, upgradedPostgres, newSqlite, newPostgres] = tables;
  assert.ok((newSqlite?.length ?? 0) > 50 && (newPostgres?.length ?? 0) > 50);
  assert.equal(upgradedSqlite, newSqlite);
  assert.equal(upgradedPostgres, newPostgres);
});

/** Columns and indices. */
async function tablesOf(backend: string, database: Database): Promise<string[]> {
  const columns =
    backend === 'sqlite'
      ? `select m.name || ' ' || p.name || ' ' || p.type || ' ' || p."notnull" as text
          from sqlite_master m, pragma_table_info(m.name) p where m.type = 'table'
          union all select tbl_name || ' index ' || name from sqlite_master where type = 'index'`
      : `select table_name || ' ' || column_name || ' ' || data_type || ' ' || is_nullable as text
          from information_schema.columns where table_schema = 'public'
          union all select indexdef from pg_indexes where schemaname = 'public'`;
  return (await database.all(columns)).map(({ text }) => String(text)).sort();
}

test('keeps data when a later version adds to it, and then rejects the database', () =>
  onBoth(asFirstVersion, async (backend, database) => {
    const later = () => [
      'alter table trove_objects add column language text',
      "update trove_objects set language = 'en' where kind = 'document'",
    ];
    await migrate(database, 'metadata', [...migrations, later]);
    const read = 'select path, language from trove_objects order by path';
    const expected = [
      { path: 'a.md', language: 'en' },
      { path: 'b/empty.bin', language: null },
    ];
    assert.equal(await database.all(read), expected);
    const error = await rejection(() => openStore(backend));
    assert.is(error.code, 'storage_unavailable');
    assert.match(error.detail, 'written by a newer version of Trove');
    assert.match(error.suggestions.join(), 'Update Trove');
    assert.equal(await database.all(read), expected);
  }));

test.run();
