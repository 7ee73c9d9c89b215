import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { JsonFileBuffer } from '../src/json-file-buffer.js';

const test = suite('JSON file buffer');

test('returns values of all lengths from a file without a name', async () => {
  const values = [
    null,
    ['two\nlines', 'separators \u2028 \u2029', '\ud83d\ude00'],
    ...Array.from({ length: 5000 }, (_, at) => ({ at, text: 'é'.repeat(at % 900) })),
    'x'.repeat(1_000_000),
  ];
  const spool = await JsonFileBuffer.open();
  try {
    assert.equal(await collect(spool.values()), []);
    for (const value of values) await spool.append(value);
    assert.equal(await collect(spool.values()), values);
    const named = readdirSync(tmpdir()).filter((name) =>
      /^trove-[0-9a-f]{8}-[0-9a-f-]{27}$/.test(name),
    );
    assert.equal(named, []);
  } finally {
    await spool.close();
  }
});

test.run();
