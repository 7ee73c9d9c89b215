import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { silentLogger } from '@trove/core';
import { testWorkers } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { DiskUseService } from '../src/generations/maintenance/disk-use.js';
import { diskUseOf } from '../src/generations/maintenance/source-disk-use.js';

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
  const service = new DiskUseService(
    { size },
    {},
    null,
    null,
    null,
    null,
    testWorkers,
    silentLogger,
  );
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

test('measures the files of each source, and its share of the index', async () => {
  const root = await mkdtemp(join(tmpdir(), 'trove-disk-use-'));
  try {
    for (const [path, bytes] of [
      ['uploads/tree/files/a', 100],
      ['uploads/tree/files/b', 20],
      ['uploads/other/a', 3],
      ['sources/one/page', 7],
    ] as const) {
      const file = join(root, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, 'x'.repeat(bytes));
    }
    const [uploads, sources] = [join(root, 'uploads'), join(root, 'sources')];
    const size = async (): Promise<number> => 1000;
    const service = new DiskUseService(
      { size },
      { size },
      null,
      null,
      uploads,
      sources,
      testWorkers,
      silentLogger,
    );
    assert.is((await service.measure()).uploads, 123);
    assert.is(service.filesOf({ id: 'one', tree: 'tree' }), 127);
    assert.is(service.filesOf({ id: 'two', tree: null }), 0);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
  const use = { chunks: 3, allChunks: 4, indexBytes: 1000, fileBytes: 27 };
  assert.is(diskUseOf(use), 777);
  assert.is(diskUseOf({ ...use, chunks: 0, allChunks: 0 }), 27);
  assert.is(diskUseOf({ ...use, indexBytes: null }), null);
});

test.run();
