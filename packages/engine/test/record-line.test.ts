import { defineConnector, type SourceRecord } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { sync, World } from './support/engine.js';

const test = suite('authors and times of records');
const target = 'log://x';
const path = `${target}/notes`;
const at = Date.UTC(2026, 1, 3, 4, 5, 6);
const time = '2026-02-03T04:05:06.000Z';

const records: readonly SourceRecord[] = [
  { key: { id: 1 }, fields: { id: 1, note: 'red' }, author: 'Ada', at },
  { key: { id: 2 }, fields: { id: 2, note: 'red' } },
  { key: { id: 3 }, fields: { id: 3, made: time, by: 'Ada', author: 17 }, author: 'Ada', at },
  { key: { id: 4 }, fields: { id: 4, s: at / 1000, author: 17 }, author: 'Ben', at },
  { key: { id: 5 }, fields: { id: 5, at: 'noon' }, at: 1e300, text: 'late' },
];

const plugin = defineConnector({
  keys: ['log'],
  configSchema: { type: 'object' },
  create: () => ({
    async *list() {
      const kind = 'record_collection' as const;
      yield { path: 'notes', kind, size: null, modifiedAt: null, fingerprint: '1' };
    },
    async *records(_, { key, offset = 0, limit = Infinity }) {
      const wanted = records.filter(({ key: { id } }) => key === undefined || id === key['id']);
      yield* wanted.slice(offset, offset + limit);
    },
  }),
});

const lines = [
  { at: time, author: 'Ada', id: 1, note: 'red' },
  { id: 2, note: 'red' },
  { id: 3, made: time, by: 'Ada', author: 17 },
  { author: 'Ben', id: 4, s: at / 1000 },
  { id: 5, at: 'noon', text: 'late' },
].map((line) => `${JSON.stringify(line)}\n`);

test('cat, head and grep show them unless a field has the value', async () => {
  await using engine = await new World().open({ plugins: [plugin] });
  assert.is((await sync(engine, { target })).status, 'succeeded');
  assert.is((await engine.cat({ path })).content, lines.join(''));
  assert.is((await engine.cat({ path, locator: '{"id":1}' })).content, lines[0]);
  assert.is((await engine.head({ path, n: 1 })).content, lines[0]);
  const { results } = await engine.grep({ path, pattern: 'red' });
  assert.equal(
    results.map(({ content }) => `${content}\n`),
    lines.slice(0, 2),
  );
  const ofAda = await engine.grep({ path, pattern: 'Ada' });
  assert.is(ofAda.results.length, 2);
});

test.run();
