import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { isSettled } from '@trove/test-support/is-settled.js';
import { Budget } from '../src/budget.js';

const test = suite('a budget');

test('a request above the free amount waits its turn', async () => {
  const budget = new Budget(10);
  await budget.acquire(8);
  const large = budget.acquire(9);
  const small = budget.acquire(1);
  assert.not.ok(await isSettled(small), 'nobody overtakes');
  budget.release(8);
  assert.ok(await isSettled(large));
  assert.ok(await isSettled(small));
});

test('an aborted request does not hold up others', async () => {
  const budget = new Budget(10);
  await budget.acquire(8);
  const leaving = new AbortController();
  const large = budget.acquire(9, leaving.signal).catch((error: unknown) => error);
  const small = budget.acquire(2);
  leaving.abort(new Error('gone'));
  assert.instance(await large, Error);
  assert.ok(await isSettled(small));
  budget.release(2);
  budget.release(8);
  await budget.acquire(10);
});

test.run();
