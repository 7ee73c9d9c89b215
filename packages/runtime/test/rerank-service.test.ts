import { TroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { ManualClock } from '@trove/test-support/manual-clock.js';
import { createAbortController, RerankService } from '../src/index.js';

const test = suite('the rerank service');
const { signal } = createAbortController();
const limits = { concurrency: 2, timeoutMs: 60_000 };

async function outcome(work: Promise<unknown>): Promise<string> {
  return work.then(
    (value) => JSON.stringify(value),
    (error: unknown) => String(error),
  );
}

test('pauses ten seconds after a failure, or up to a minute on demand', async () => {
  using clock = new ManualClock(Infinity, { date: true });
  let failure: TroveError | null = null;
  let calls = 0;
  const service = new RerankService(
    async () => {
      calls++;
      if (failure !== null) throw failure;
      return [1];
    },
    limits,
    signal,
  );
  const ask = (): Promise<string> => outcome(service.rerank('q', ['t'], signal));
  for (const [retryAfterMs, restMs] of [
    [undefined, 10_000],
    [1000, 10_000],
    [45_000, 45_000],
    [365 * 24 * 3600 * 1000, 60_000],
  ] as const) {
    failure = new TroveError('llm_unavailable', 'busy', {
      retryable: true,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
    calls = 0;
    assert.match(await ask(), 'busy');
    // The clock is set back meanwhile.
    Date.now = () => 0;
    clock.advance(restMs - 5000);
    failure = null;
    assert.match(await ask(), 'busy');
    assert.is(calls, 1);
    clock.advance(5000);
    assert.is(await ask(), '[1]');
    assert.is(calls, 2);
  }
  assert.equal(service.counts, { calls: 8, errors: { llm_unavailable: 4 } });
});

test('limits concurrent calls, and counts their waiting time', async () => {
  let running = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  const service = new RerankService(
    async () => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => waiting.push(resolve));
      running--;
      return [1];
    },
    limits,
    signal,
  );
  const calls = Array.from({ length: 5 }, () => service.rerank('q', ['t'], signal));
  const ended = Promise.all(calls);
  while (service.counts.calls < 5 || running > 0) {
    await new Promise(setImmediate);
    waiting.shift()?.();
  }
  assert.equal(await ended, [[1], [1], [1], [1], [1]]);
  assert.is(most, 2);

  const slow = new RerankService(
    () => new Promise(() => undefined),
    { concurrency: 1, timeoutMs: 20 },
    signal,
  );
  const late = await Promise.all([1, 2].map(() => outcome(slow.rerank('q', ['t'], signal))));
  for (const each of late) assert.match(each, 'longer than 0.02 s');
  assert.is(slow.counts.calls, 1, 'the second had no turn');
});

test.run();
