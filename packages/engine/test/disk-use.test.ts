import { silentLogger } from '@trove/core';
import { testWorkers } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { DiskUseService } from '../src/generations/maintenance/disk-use.js';

const test = suite('disk usage');

test('measures again after a minute', async () => {
  let bytes = 10;
  let measured = 0;
  const size = async (): Promise<number> => {
    measured++;
    // Takes a moment, like a database.
    await new Promise((resolve) => setTimeout(resolve, 5));
    return bytes;
  };
  const service = new DiskUseService({ size }, {}, null, null, null, testWorkers, silentLogger);
  const { now } = performance;
  let aheadMs = 0;
  performance.now = () => now.call(performance) + aheadMs;
  try {
    assert.is((await service.recent()).metadata, 10);
    bytes = 20;
    aheadMs = 30_000;
    assert.is((await service.recent()).metadata, 10);
    assert.is(measured, 1);
    aheadMs = 90_000;
    assert.is((await service.recent()).metadata, 20);
    assert.is(measured, 2);
  } finally {
    performance.now = now;
  }
});

test.run();
