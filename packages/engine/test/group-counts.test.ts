import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { GroupCounts } from '../src/ingest/worker/group-counts.js';

const test = suite('counts of groups');

test('distinguishes many groups and returns each count once', () => {
  const counts = new GroupCounts();
  const name = (at: number): string =>
    createHash('sha256').update(`${at}`).digest('hex').slice(0, 32);
  const many = 20_000;
  for (let at = 0; at < many; at++) counts.add(name(at), 1 + (at % 3));
  for (let at = 0; at < many; at += 2) counts.add(name(at), 5);
  assert.is(counts.remaining, many);
  let wrong = 0;
  for (let at = 0; at < many; at++) {
    if (at % 5 === 0) continue;
    const rows = 1 + (at % 3) + (at % 2 === 0 ? 5 : 0);
    if (counts.take(name(at)) !== rows || counts.take(name(at)) !== 0) wrong++;
  }
  assert.is(wrong, 0);
  assert.is(counts.remaining, many / 5);
  assert.equal(
    [counts.isRemaining(name(5)), counts.isRemaining(name(6)), counts.isRemaining(name(-1))],
    [true, false, false],
  );
  counts.add('not of hexadecimal digits', 2);
  assert.equal(
    [counts.take('not of hexadecimal digit'), counts.take('not of hexadecimal digits')],
    [0, 2],
  );
});

test.run();
