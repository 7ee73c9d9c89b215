import { setImmediate as immediate } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { ManualClock } from '@trove/test-support/manual-clock.js';
import { rejection } from '@trove/test-support/rejection.js';
import { Guard } from '../src/plugins/guard.js';

const test = suite('batches of items of a plugin');
const { signal } = new AbortController();
const options = {
  name: 'connector test',
  errorCode: 'connector_unhealthy',
  secrets: [],
  start: async () => null,
  close: async () => {},
} as const;

test('yields the items before an error, and limits the time of each item', async () => {
  using clock = new ManualClock(60, { date: true });
  let next = 0;
  let asked = 0;
  const numbers = {
    [Symbol.asyncIterator]: () => ({
      async next() {
        asked++;
        // Longer in total than one of them may take.
        clock.advance(40);
        if (next < 10) return { value: next++, done: false as const };
        return new Promise<never>(() => {});
      },
    }),
  };
  const held = new Guard(options);
  const limits = { items: 20, ms: 60_000 };
  const parts = held.iterateInBatches('list', 100, signal, () => numbers, limits);
  const listed = parts.next();
  let isOver = false;
  void listed.finally(() => (isOver = true));
  while (asked < 11 && !isOver) await immediate();
  clock.advance(100);
  assert.equal((await listed).value, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.is((await rejection(() => parts.next())).code, 'timed_out');
  assert.is(asked, 11);
});

test('requests no items after an iteration was abandoned', async () => {
  using clock = new ManualClock(60);
  let come: (step: IteratorResult<number>) => void = () => {};
  let asked = 0;
  const numbers = {
    [Symbol.asyncIterator]: () => ({
      next() {
        asked++;
        return new Promise<IteratorResult<number>>((resolve) => (come = resolve));
      },
    }),
  };
  const limits = { items: 10, ms: 60_000 };
  const parts = new Guard(options).iterateInBatches('list', 100, signal, () => numbers, limits);
  const listed = rejection(() => parts.next());
  await immediate();
  clock.advance(100);
  assert.is((await listed).code, 'timed_out');
  come({ value: 1, done: false });
  for (let turn = 0; turn < 5; turn++) await immediate();
  assert.is(asked, 1);
});

test('ends a batch in time and yields to others despite clock changes', async () => {
  const count = 300_000;
  async function* numbers(): AsyncGenerator<number> {
    for (let next = 0; next < count; next++) yield next;
  }
  const now = Date.now;
  let date = now();
  Date.now = () => date--;
  try {
    const limits = { items: count, ms: 5 };
    const parts = new Guard(options).iterateInBatches('list', 1000, signal, numbers, limits);
    const { value } = await parts.next();
    assert.ok((value ?? []).length < count / 2);
    await parts.return();
  } finally {
    Date.now = now;
  }
});

test.run();
