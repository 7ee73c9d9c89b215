import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { DelayedCall } from '../src/query/grep/delayed-call.js';

const test = suite('a delayed call');

test('starts once: after its delay, or when its result is requested', async () => {
  let calls = 0;
  const call = async (): Promise<number> => ++calls;
  const early = new DelayedCall(60_000, call);
  assert.equal([await early.result(), await early.result(), calls], [1, 1, 1]);
  const late = new DelayedCall(1, call);
  for (let wait = 0; calls < 2 && wait < 1000; wait++) await sleep(1);
  assert.equal([calls, await late.result(), calls], [2, 2, 2]);
});

test('does not start after it is cancelled, and throws only with its result', async () => {
  let calls = 0;
  const cancelled = new DelayedCall(1, async () => ++calls);
  cancelled.cancel();
  const failing = new DelayedCall(0, () => Promise.reject(new Error('failed')));
  await sleep(20);
  assert.is(calls, 0);
  assert.is(await failing.result().catch((error: Error) => error.message), 'failed');
});

test.run();
