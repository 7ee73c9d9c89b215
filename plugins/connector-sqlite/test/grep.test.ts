import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { grepAll, inWorld, recordsOf } from './support.js';

const test = suite('sqlite connector, grep');

const world100 = `create table t(id integer primary key, note);
  insert into t values (1, '100% sure'), (2, '100 sure'), (3, 'snake_case'), (4, 'snakeXcase'),
    (5, 'two' || char(10) || 'lines'), (6, x'c0ffee'), (7, 'Upper');
  create table other(note text primary key) without rowid; insert into other values ('100% too');
  create view v as select id, note from t where id < 3`;

test(
  'finds literal texts in values of all types',
  inWorld(async (world) => {
    await world.write(world100);
    const connector = world.connector();
    const keys = async (pattern: string, path = ''): Promise<unknown[]> =>
      (await grepAll(connector, pattern, { path })).map((item) =>
        'key' in item ? Object.values(item.key)[0] : item,
      );
    assert.equal(await keys('100%'), ['100% too', 1, 1]);
    assert.equal(await keys('snake_', 'main/t'), [3]);
    assert.equal(await keys('two\nlines'), [5]);
    assert.equal(await keys('c0ff'), [6]);
    assert.equal(await keys('upper'), []);
    assert.equal(await keys("' or 1=1 --"), []);
    for (const item of await grepAll(connector, '100%', { path: 'main/t' })) {
      if (!('key' in item)) throw new Error('no record');
      const [record] = await recordsOf(connector, 't', { key: item.key });
      assert.is(item.content, JSON.stringify(record?.fields));
    }
  }),
);

test(
  'searches schemas line by line',
  inWorld(async (world) => {
    await world.write(world100);
    const [item] = await grepAll(world.connector(), '"name": "note"', { path: 'main/other' });
    assert.ok(item !== undefined && 'lines' in item);
    assert.is(item.content.slice(item.match.column - 1), '"name": "note",');
  }),
);

test(
  'finds distant matches in a large table',
  inWorld(async (world) => {
    await world.write(`create table t(id integer primary key, body);
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 65000)
        insert into t select i, iif(i % 20000 = 0 or i = 65000, 'needle', 'hay') from n;
      create table k(a, b, primary key(a, b)) without rowid; insert into k select body, id from t`);
    const connector = world.connector();
    const ids = async (pattern: string, table: string, name: string): Promise<unknown[]> =>
      (await grepAll(connector, pattern, { path: `main/${table}/rows.jsonl` })).map((item) =>
        'key' in item ? item.key[name] : null,
      );
    assert.equal(await ids('needle', 't', 'id'), [20000, 40000, 60000, 65000]);
    assert.equal(await ids('needle', 'k', 'b'), [20000, 40000, 60000, 65000]);
    const many = await grepAll(connector, 'hay', { limit: 2500, limitPerObject: 2500 });
    assert.is(many.length, 2500);
  }),
);

test.run();
