import { withoutCheckpoints } from '@trove/core';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { inWorld, listOf, recordsOf, type World } from './support.js';

const test = suite('sqlite connector, faults');

async function health(world: World, name?: string, config = {}): Promise<string> {
  const connector = world.connector(config, name);
  const { ok, detail } = (await connector.check?.({ signal: new AbortController().signal })) ?? {};
  return `${ok}: ${detail?.replaceAll(world.folder, '')}`;
}

test(
  'explains a fault of a source in a sentence with a remedy',
  inWorld(async (world) => {
    await world.write('create table a(x); create table b(x)');
    assert.is(await health(world), 'true: A SQLite database with 2 tables and views.');
    assert.is(
      await health(world, 'none.db'),
      'false: The database /none.db does not exist. Check the path of the database file. A target looks like sqlite:///srv/app/data.db.',
    );
    mkdirSync(world.path('folder'));
    assert.is(
      await health(world, 'folder'),
      'false: The database /folder is a folder. Specify the database file in it.',
    );
    writeFileSync(world.path('text.db'), 'no database at all '.repeat(100));
    assert.is(
      await health(world, 'text.db'),
      'false: The database /text.db is not a SQLite database, or is encrypted. Specify the file of an unencrypted database.',
    );
    assert.is(
      await health(world, undefined, { tables: ['a', 'c'] }),
      'false: The database /world.db has no table or view c. It has: a, b. Correct `tables` or remove it.',
    );
  }),
);

test(
  'reports a locked database and reads it after the unlock',
  inWorld(async (world) => {
    await world.write('create table a(x); insert into a values (1)');
    const writer = await world.writer();
    await writer('begin exclusive');
    assert.match(
      await health(world),
      /^false: The database \/world.db is locked by another process\. Try again/,
    );
    const reading = recordsOf(world.connector(), 'a');
    // It gives up after a second. By then, the reader has hit the lock, too.
    const other = await world.writer();
    const refused = await other('select * from a').catch((error: unknown) => error);
    assert.match(String(refused), 'SQLITE_BUSY');
    await writer('commit');
    assert.is((await reading).length, 1);
  }),
);

test(
  'fails only for the damaged table',
  inWorld(async (world) => {
    await world.write(`create table a(x); insert into a values (1); create table b(x);
      insert into b select printf('%.3000c', 'x') from (values (1), (2), (3))`);
    const bytes = readFileSync(world.path());
    bytes.fill(0xee, 2 * 4096);
    writeFileSync(world.path(), bytes);
    const connector = world.connector();
    assert.is((await listOf(connector)).size, 4);
    assert.is((await recordsOf(connector, 'a')).length, 1);
    const error = await recordsOf(connector, 'b').catch((thrown: unknown) => thrown);
    assert.match(String(error), /world\.db is damaged\. Restore it from a backup/);
  }),
);

test(
  'creates no files beside a write-ahead log and follows writers',
  inWorld(async (world) => {
    await world.write('pragma journal_mode = wal; create table a(x); insert into a values (1)');
    const before = statSync(world.path(), { bigint: true }).mtimeNs;
    const connector = world.connector();
    const [stamp] = (await listOf(connector)).values();
    assert.is((await recordsOf(connector, 'a')).length, 1);
    assert.equal(readdirSync(world.folder), ['world.db']);
    assert.is(statSync(world.path(), { bigint: true }).mtimeNs, before);

    const writer = await world.writer();
    await writer('insert into a values (2)');
    assert.is((await recordsOf(connector, 'a')).length, 2);
    const [next] = (await listOf(connector)).values();
    assert.is.not(next, stamp);
    await writer('begin immediate; insert into a values (3)');
    assert.is(
      (await recordsOf(connector, 'a')).length,
      2,
      'an open transaction does not block readers',
    );
    await writer('commit');
    assert.is((await recordsOf(connector, 'a')).length, 3);
  }),
);

test(
  'reads a whole table during writes',
  inWorld(async (world) => {
    for (const mode of ['wal', 'delete']) {
      const name = `${mode}.db`;
      await world.write(
        `pragma journal_mode = ${mode}; create table a(id integer primary key, x);
         with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
           insert into a select i, 'old' from n`,
        name,
      );
      const path = 'main/a/rows.jsonl';
      const signal = new AbortController().signal;
      const writer = await world.writer(name);
      let met = 0;
      const records = world.connector({}, name).records?.(path, { signal });
      for await (const { key, fields } of withoutCheckpoints(records ?? [])) {
        met++;
        if (met === 10) await writer(`update a set x = 'new'; insert into a values (9999, 'new')`);
        if (key['id'] === 9999) assert.is(fields['x'], 'new');
      }
      assert.is(met, 3001, mode);
    }
  }),
);

test(
  'reads the new file after a database was replaced',
  inWorld(async (world) => {
    await world.write('create table a(x)');
    await world.write('create table b(x)', 'other.db');
    const connector = world.connector();
    assert.ok((await listOf(connector)).has('main/a/rows.jsonl'));
    copyFileSync(world.path('other.db'), world.path());
    assert.ok((await listOf(connector)).has('main/b/rows.jsonl'));
  }),
);

test(
  'ends a long statement when its caller aborts',
  inWorld(async (world) => {
    await world.write(`create view endless as
      with recursive n(i) as (select 1 union all select i + 1 from n) select i from n where i < 0`);
    const aborter = new AbortController();
    const path = 'main/endless/rows.jsonl';
    const reading = collect(world.connector().records?.(path, { signal: aborter.signal }));
    setTimeout(() => aborter.abort(new Error('given up')), 50);
    assert.match(String(await reading.catch((error: unknown) => error)), 'given up');
  }),
);

test(
  'refuses files of Trove itself, also through a link',
  inWorld(async (world) => {
    mkdirSync(world.path('home'));
    await world.write('create table a(x)', 'home/metadata.db');
    symlinkSync(world.path('home/metadata.db'), world.path('link.db'));
    const connector = world.connector({}, 'link.db', [world.path('home')]);
    const error = await listOf(connector).catch((thrown: unknown) => thrown);
    assert.match(String(error), 'contains files of Trove');
  }),
);

test.run();
