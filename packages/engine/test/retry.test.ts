import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { silentLogger, TroveError } from '@trove/core';
import { ManualClock } from '@trove/test-support/manual-clock.js';
import { RetryPolicy } from '../src/ingest/retry-policy.js';
import { DiskSpaceService } from '../src/generations/maintenance/disk-space.js';

const test = suite('repeated work of a worker');
const diskSpace = (): DiskSpaceService => new DiskSpaceService({ storagePaths: {} }, silentLogger);

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

test('repeats work until it succeeds and logs failures once a minute', async () => {
  using clock = new ManualClock(1000, { date: true });
  const said: string[] = [];
  const logger = { ...silentLogger, error: (message: string) => void said.push(message) };
  const disks = diskSpace();
  const retry = new RetryPolicy(logger, disks, new AbortController().signal);
  let isFull = true;
  const done: number[] = [];
  const all = Array.from({ length: 50 }, (_, at) =>
    retry.untilDone('writing', async () => {
      if (isFull) throw new TroveError('disk_full', 'full');
      done.push(at);
    }),
  );
  for (let pause = 0; pause < 12; pause++) {
    await turns();
    clock.advance(5000);
  }
  await turns();
  assert.equal(said, Array(2).fill('writing failed, and will be retried'));
  assert.is((await disks.problem())?.code, 'disk_full');
  isFull = false;
  clock.advance(5000);
  await Promise.all(all);
  assert.is(done.length, 50);
});

test('ends when its signal aborts', async () => {
  const stop = new AbortController();
  const retry = new RetryPolicy(silentLogger, diskSpace(), stop.signal);
  const failing = retry.untilDone('writing', () => Promise.reject(new Error('full')));
  stop.abort();
  await failing;
});

test.run();
