import { TroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { withRetries } from '../src/retry.js';

const test = suite('retries');

const busy = new TroveError('storage_unavailable', 'busy', { retryable: true, retryAfterMs: 1 });

test('retries transient failures, four attempts in total', async () => {
  let attempts = 0;
  const { signal } = new AbortController();
  const error = await rejection(() =>
    withRetries(async () => {
      attempts++;
      throw busy;
    }, signal),
  );
  assert.is(error, busy);
  assert.is(attempts, 4);
});

test('an abort during the pause ends the retries', async () => {
  let attempts = 0;
  const controller = new AbortController();
  const error = await rejection(() =>
    withRetries(async () => {
      attempts++;
      queueMicrotask(() => controller.abort());
      throw new TroveError('storage_unavailable', 'busy', {
        retryable: true,
        retryAfterMs: 60_000,
      });
    }, controller.signal),
  );
  assert.is(error.message, 'busy');
  assert.is(attempts, 1);
});

test.run();
