import { openLimitStore } from '@trove/test-support/limit-store.js';
import { rejection } from '@trove/test-support/rejection.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import type { Limits } from '../../src/http/index.js';
import { LoginLimits } from '../../src/http/limits.js';

const test = suite('limits of a login in several processes');
const origin = 'https://desk.example';
const url = new URL('/tickets', origin);
const { signal } = new AbortController();

/** Passes the limits of a login to `work` as processes with the same home see them. They share only a file. */
async function inProcesses(
  limits: Limits,
  work: (processes: readonly LoginLimits[], file: string) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const file = join(folder, 'credentials', 'login.limits');
    const processes = Array.from(
      { length: 4 },
      () => new LoginLimits(limits, origin, openLimitStore(file)),
    );
    await work(processes, file);
  });
}

test('a pause that one process sees applies to the others', () =>
  inProcesses({}, async ([first, second]) => {
    await second?.admit(url, signal);
    await first?.pause(url.host, null, 60_000, signal);
    const { code, retryAfterMs } = await rejection(async () => second?.admit(url, signal));
    assert.is(code, 'rate_limited');
    assert.ok((retryAfterMs ?? 0) > 50_000, String(retryAfterMs));
    await first?.pause(url.host, null, 1000, signal);
    const later = await rejection(async () => second?.admit(url, signal));
    assert.ok((later.retryAfterMs ?? 0) > 50_000, 'a shorter pause does not end a longer one');
  }));

test('a pause of one service does not stop another one with the same login', () =>
  withFolder(async (folder) => {
    const store = openLimitStore(join(folder, 'login.limits'));
    await new LoginLimits({}, origin, store).pause(url.host, null, 60_000, signal);
    await new LoginLimits({}, 'https://other.example', store).admit(url, signal);
  }));

test('processes together never exceed a budget', () =>
  inProcesses({ budgets: [{ requests: 10, per: '1h' }] }, async (processes) => {
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, async (_, at) => processes[at % 4]?.admit(url, signal)),
    );
    assert.is(results.filter(({ status }) => status === 'fulfilled').length, 10);
  }));

test('the lock of a killed process does not stop the others for long', () =>
  inProcesses({ budgets: [{ requests: 1, per: '1h' }] }, async ([first], file) => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(`${file}.lock`, '');
    const then = new Date(Date.now() - 6000);
    await utimes(`${file}.lock`, then, then);
    await first?.admit(url, AbortSignal.timeout(10_000));
  }));

for (const damage of [
  '',
  '{',
  '[1]',
  '{"https://desk.example":{"pausedUntil":1e300,"sent":{"x":7}}}',
])
  test(`a damaged file pauses no longer than a day: ${damage}`, () =>
    inProcesses({ budgets: [{ requests: 1, per: '1h' }] }, async ([first], file) => {
      await first?.admit(url, signal);
      await writeFile(file, damage);
      const error = await first?.admit(url, signal).then(
        () => null,
        (reason: unknown) => reason,
      );
      const waitMs = Number(Object(error ?? {}).retryAfterMs ?? 0);
      assert.ok(waitMs <= 24 * 3_600_000, String(waitMs));
    }));

test.run();
