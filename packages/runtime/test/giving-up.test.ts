import { setImmediate } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejectOnAbort, resolveWithin } from '../src/abort.js';

const test = suite('giving up');

test('a failure after the abort is ignored', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  const given = new Error('given up');
  const fails = async (): Promise<never> => {
    await setImmediate();
    throw new Error('too late');
  };
  try {
    const before = await rejectOnAbort(fails(), AbortSignal.abort(given)).catch((error) => error);
    assert.is(before, given);
    const controller = new AbortController();
    const during = rejectOnAbort(fails(), controller.signal).catch((error) => error);
    controller.abort(given);
    assert.is(await during, given);
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    assert.equal(unhandled, []);
  } finally {
    process.off('unhandledRejection', note);
  }
});

test('slow work gets the fallback and continues', async () => {
  let ended = false;
  const work = new Promise<string>((resolve) => {
    setTimeout(() => {
      ended = true;
      resolve('done');
    }, 30);
  });
  assert.is(await resolveWithin(work, 1, 'late'), 'late');
  assert.is(await resolveWithin(work, 10_000, 'late'), 'done');
  assert.is(ended, true);
});

test.run();
