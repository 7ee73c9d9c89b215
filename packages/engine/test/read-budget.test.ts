import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { isSettled } from '@trove/test-support/is-settled.js';
import { ReadBudget } from '../src/content/read-budget.js';

const test = suite('read budget');
const never = new AbortController().signal;
const mebibyte = 1024 * 1024;

test('a stream releases the reservation of a whole object', async () => {
  const budget = new ReadBudget();
  const first = await budget.reserve('reads', 50 * mebibyte, never);
  const second = budget.reserve('reads', 50 * mebibyte, never);
  assert.not.ok(await isSettled(second));
  first.shrinkToStream();
  assert.ok(await isSettled(second));
});

test('releasing a share twice has no further effect', async () => {
  const budget = new ReadBudget();
  const first = await budget.reserve('reads', 50 * mebibyte, never);
  await budget.reserve('reads', 14 * mebibyte, never);
  first.release();
  first.release();
  await budget.reserve('reads', 50 * mebibyte, never);
  assert.not.ok(await isSettled(budget.reserve('reads', 14 * mebibyte, never).catch(() => {})));
});

test('stalled exports leave room for other reads', async () => {
  const budget = new ReadBudget();
  await Promise.all(Array.from({ length: 128 }, () => budget.reserve('exports', null, never)));
  const leaving = new AbortController();
  const more = budget.reserve('exports', null, leaving.signal).catch(() => 'given up');
  assert.not.ok(await isSettled(more));
  assert.ok(await isSettled(budget.reserve('reads', 50 * mebibyte, never)));
  leaving.abort();
  assert.is(await more, 'given up');
});

test('objects that have grown since the listing are read two at a time', async () => {
  const budget = new ReadBudget();
  const shares = await Promise.all(
    Array.from({ length: 4 }, () => budget.reserve('ingest', 1, never)),
  );
  const [first, second, third, fourth] = shares.map((share) => async (bytes: number) => {
    for (let read = 0; read <= bytes; read += 2 ** 14) await share.growTo(read);
  });
  await Promise.all([first?.(mebibyte), second?.(mebibyte), third?.(2 ** 15), fourth?.(2 ** 15)]);
  const waiting = third?.(mebibyte);
  assert.not.ok(await isSettled(waiting ?? Promise.resolve()));
  shares[0]?.release();
  shares[0]?.release();
  assert.ok(await isSettled(waiting ?? Promise.resolve()));
  assert.not.ok(await isSettled(fourth?.(mebibyte) ?? Promise.resolve()));
});

test.run();
