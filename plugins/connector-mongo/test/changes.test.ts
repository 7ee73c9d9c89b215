import { ObjectId, type Document } from 'mongodb';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { ageCursor, summarizeChanges } from '@trove/test-support/change-summary.js';
import { calm, recordsOf, World } from './support.js';

const test = suite('mongo connector, changes');
const world = await World.make();
test.after(() => world.remove());
test.before.each(() => world.clear());

const hourMs = 60 * 60 * 1000;
const start = Date.UTC(2024, 0, 1);

/** Documents with update times one hour apart. */
const numbered = (from: number, to: number): Document[] =>
  Array.from({ length: to - from + 1 }, (_, at) => ({
    _id: from + at,
    x: 'x',
    updatedAt: new Date(start + (from + at) * hourMs),
  }));

test('reports changed documents and the total by a time field', async () => {
  world.shop.put('a', numbered(1, 100));
  world.shop.put('b', [{ _id: 1, born: new Date(start) }]);
  const connector = world.connector();
  const [all, cursor] = await summarizeChanges(connector);
  assert.equal(all, ['a', 'b']);
  // Writes shortly before the watermark count as changed, because clocks differ.
  const [none, again] = await summarizeChanges(connector, cursor);
  assert.equal(none, ['a 100 of 100', 'b']);
  world.shop.put('a', [
    { _id: 7, x: 'y', updatedAt: new Date('2024-02-01') },
    { _id: 200, x: 'new', updatedAt: new Date('2024-02-02') },
    { _id: 201, x: 'untold', updatedAt: null },
    { _id: 202, x: 'early', updatedAt: new Date('2023-01-01') },
    { _id: 203, x: 'unlike' },
  ]);
  world.shop.remove('a', { _id: 9 });
  const [some, last] = await summarizeChanges(connector, again);
  assert.equal(some, ['a 7 100 200 201 203 of 103', 'b']);
  assert.equal((await summarizeChanges(connector, last))[0], ['a 200 201 203 of 103', 'b']);
});

test('ignores a time in the future for the watermark', async () => {
  world.shop.put('a', [...numbered(1, 100), { _id: 300, updatedAt: new Date('2300-01-01') }]);
  const connector = world.connector();
  const [, cursor] = await summarizeChanges(connector);
  world.shop.put('a', [{ _id: 7, updatedAt: new Date('2024-02-01') }]);
  assert.equal((await summarizeChanges(connector, cursor))[0], ['a 7 100 300 of 101']);
});

test('finds new documents of an append-only collection by ObjectId', async () => {
  const oid = (hours: number): ObjectId => ObjectId.createFromTime((start + hours * hourMs) / 1000);
  world.shop.put('log', [{ _id: oid(1) }, { _id: oid(2) }, { _id: 'by hand' }]);
  const connector = world.connector({ append_only: ['log'] });
  const [, cursor] = await summarizeChanges(connector);
  world.shop.put('log', [{ _id: oid(3) }]);
  const [some] = await summarizeChanges(connector, cursor);
  assert.equal(some, [`log by hand ${oid(2).toHexString()} ${oid(3).toHexString()} of 4`]);
});

test('reads all documents after the time field was renamed', async () => {
  world.shop.put('a', numbered(1, 3));
  const connector = world.connector();
  const [, cursor] = await summarizeChanges(connector);
  world.shop.put('a', [{ _id: 4, another: 1, updatedAt: new Date(start + 4 * hourMs) }]);
  const [some, next] = await summarizeChanges(connector, cursor);
  assert.equal(some, ['a 3 4 of 4']);
  const all = [1, 2, 3, 4].map((id) => ({ _id: id, modifiedAt: new Date(start - hourMs) }));
  world.shop.put('a', all);
  const [renamed, other] = await summarizeChanges(connector, next);
  assert.equal(renamed, ['a']);
  assert.equal((await summarizeChanges(connector, other))[0], ['a 1 2 3 4 of 4']);
  world.shop.put('a', [{ _id: 5, modifiedAt: 'a text' }]);
  assert.equal((await summarizeChanges(connector, other))[0], ['a']);
});

test('reads a whole collection after many changes and after a day', async () => {
  world.shop.put('a', numbered(1, 10));
  const connector = world.connector();
  const [, cursor] = await summarizeChanges(connector);
  assert.equal((await summarizeChanges(connector, ageCursor(cursor)))[0], ['a']);
  const late = new Date('2024-03-01');
  world.shop.put(
    'a',
    Array.from({ length: 20_001 }, (_, at) => ({ _id: at + 1000, updatedAt: late })),
  );
  assert.equal((await summarizeChanges(connector, cursor))[0], ['a']);
});

test('reports a removed collection, a missing database and foreign cursors', async () => {
  world.shop.put('a', numbered(1, 2));
  world.shop.put('b', numbered(1, 2));
  const connector = world.connector();
  const [, cursor] = await summarizeChanges(connector);
  world.shop.collections.delete('a');
  assert.equal((await summarizeChanges(connector, cursor))[0].slice(1), [
    '- a/documents.jsonl',
    '- a/schema.json',
  ]);
  for (const strange of ['x', null, [1], { 'b/documents.jsonl': { watermark: 1 } }])
    assert.equal((await summarizeChanges(connector, strange))[0], ['reset', 'b']);
  world.server.drop('shop');
  const error = await summarizeChanges(connector, cursor).catch((thrown: unknown) => thrown);
  assert.match(String(error), /does not exist on that server, or is hidden from this user/);
});

test('keeps schema fingerprints while documents stay the same', async () => {
  world.shop.put('a', numbered(1, 1000));
  const connector = world.connector();
  const prints = async (): Promise<unknown> =>
    (await collect(connector.list({ signal: calm }))).map(({ path, fingerprint }) => [
      path,
      fingerprint,
    ]);
  const before = await prints();
  assert.equal(await prints(), before);
  assert.is((await recordsOf(connector, 'a', { limit: 1 })).length, 1);
});

test.run();
