import { setImmediate } from 'node:timers/promises';

import { defineConnector, TroveError, type Entry, type Health } from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { sync, World } from './support/engine.js';

const test = suite('health of sources');
const target = 'weak://x';
const pauseMs = 1500;

/** `listedAt`: the time of each listing. */
async function withHealth(
  check: () => unknown,
  use: (engine: Engine, listedAt: readonly number[]) => Promise<void>,
): Promise<void> {
  const listedAt: number[] = [];
  const plugin = defineConnector({
    keys: ['weak'],
    configSchema: { type: 'object' },
    create: () => ({
      check: async () => check() as Health,
      async *list(): AsyncGenerator<Entry> {
        listedAt.push(Date.now());
        yield { path: 'a.md', size: 5, modifiedAt: null, fingerprint: '1' };
      },
      read: async () => ({ bytes: Buffer.from('apples') }),
    }),
  });
  await using engine = await new World().open({ plugins: [plugin] });
  await use(engine, listedAt);
}

test('an unhealthy source refuses the add with its code', () =>
  withHealth(
    () => ({ ok: false, detail: 'Log in again.', code: 'credential_error', retryAfterMs: 10 }),
    async (engine) => {
      const error = await rejection(() => engine.add({ target }));
      assert.equal([error.code, error.detail], ['credential_error', 'Log in again.']);
      assert.equal((await engine.status()).connectors, []);
      const { ok, code, detail, retry_after_ms: ms } = await engine.probe({ target });
      assert.equal([ok, code, detail, ms], [false, 'credential_error', 'Log in again.', 10]);
    },
  ));

test('a problem without a code is `connector_unhealthy`', () =>
  withHealth(
    () => ({ ok: false, detail: 'Gone.' }),
    async (engine) => {
      assert.is((await rejection(() => engine.add({ target }))).code, 'connector_unhealthy');
      const { code, retry_after_ms: ms } = await engine.probe({ target });
      assert.equal([code, ms], ['connector_unhealthy', null]);
    },
  ));

test('the status of a source shows the code of its failed check', () => {
  let health: Health = { ok: true, detail: 'there', code: 'not_found' };
  return withHealth(
    () => health,
    async (engine) => {
      await sync(engine, { target });
      const healthy = await engine.probe({ target });
      assert.equal([healthy.code, healthy.retry_after_ms], [null, null]);
      health = { ok: false, detail: 'No such space.', code: 'not_found' };
      await rejection(() => engine.add({ target }));
      const [source] = (await engine.status()).connectors;
      assert.equal([source?.error, source?.detail], ['not_found', 'No such space.']);
    },
  );
});

for (const [how, refuse] of [
  [
    'returned',
    () => ({ ok: false, detail: 'Slow down.', code: 'rate_limited', retryAfterMs: pauseMs }),
  ],
  [
    'thrown',
    () => {
      throw new TroveError('rate_limited', 'Slow down.', { retryAfterMs: pauseMs });
    },
  ],
] as const) {
  test(`a rate-limited source is added, and its job waits (${how})`, () =>
    withHealth(refuse, async (engine, listedAt) => {
      const probed = await engine.probe({ target });
      assert.equal([probed.code, probed.retry_after_ms], ['rate_limited', pauseMs]);
      engine.startWorker();
      for (const round of [1, 2]) {
        const checkedAt = Date.now();
        const { job_id: id, warnings } = await engine.add({ target });
        assert.match(warnings.join(), 'Slow down.');
        const { status, paused_until: until } = await engine.job(id);
        assert.is(status, 'queued');
        const left = Date.parse(until ?? '') - checkedAt;
        assert.ok(left > pauseMs / 2, `${left} ms`);
        const waiting = await rejection(() => engine.add({ target }));
        assert.is(waiting.code, 'sync_already_running');
        const job = await ended(engine, id);
        assert.equal([job.status, job.paused_until], ['succeeded', null]);
        assert.ok((listedAt[round - 1] ?? 0) >= checkedAt + pauseMs, 'it listed too early');
      }
    }));
}

/** Waits for the end of a job. */
async function ended(engine: Engine, id: string) {
  for (;;) {
    const job = await engine.job(id);
    if (job.finished_at !== null) return job;
    await setImmediate();
  }
}

test('an invalid health is reported with its member', async () => {
  const problem = { ok: false, detail: '' };
  for (const [health, words] of [
    [
      { ...problem, code: 'rate_limit' },
      'no error code `rate_limit`. Did you mean `rate_limited`?',
    ],
    [{ ...problem, code: 7 }, '`code`: the error code is a number'],
    [{ ...problem, code: 'engine_closed' }, '`engine_closed` is about the server itself'],
    [{ ...problem, code: 'listing_incomplete' }, '`listing_incomplete` is only for jobs'],
    [{ ...problem, retryAfterMs: -1 }, '`retryAfterMs` is not a number of milliseconds'],
    [{ ...problem, retryAfterMs: 'soon' }, '`retryAfterMs` is not a number of milliseconds'],
    [{ ok: true }, 'not an object with `ok` and `detail`'],
  ] as const) {
    await withHealth(
      () => health,
      async (engine) => {
        const error = await rejection(() => engine.add({ target }));
        assert.is(error.code, 'plugin_invalid');
        assert.match(error.message, 'connector weak: check resolved to an invalid health: ');
        assert.match(error.message, words);
      },
    );
  }
});

test.run();
