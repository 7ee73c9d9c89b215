import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger, TroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { ManualClock } from '@trove/test-support/manual-clock.js';
import { DiskSpaceService, type FreeSpace } from '../src/generations/maintenance/disk-space.js';
import { Readiness } from '../src/query/status/readiness.js';
import { World } from './support/engine.js';

const test = suite('disk space');
const MB = 1_000_000;

/** Simulates disks with the given free space and counts the reads. */
function disks(of: Record<string, FreeSpace>) {
  const read = async (path: string): Promise<FreeSpace> => {
    read.count++;
    const space = of[path];
    if (space === undefined) throw new Error('no such disk');
    return space;
  };
  read.count = 0;
  return read;
}

test('lists each disk once, with its state and a remedy', async () => {
  const read = disks({
    '/home': { device: 1, freeBytes: 500 * MB },
    '/home/index': { device: 1, freeBytes: 500 * MB },
    '/cache': { device: 2, freeBytes: 499 * MB },
    '/uploads': { device: 3, freeBytes: 9.9 * MB },
  });
  const storagePaths = {
    home: '/home',
    metadata: '/home/index',
    artifact_cache: '/cache',
    uploads: '/uploads',
    index: '/lost',
    part: '/lost/index',
  };
  const service = new DiskSpaceService({ storagePaths }, silentLogger, read);
  const known = await service.disks();
  assert.equal(
    known.map(({ name, freeBytes, state }) => [name, freeBytes, state]),
    [
      ['home', 500 * MB, 'ok'],
      ['artifact_cache', 499 * MB, 'low'],
      ['uploads', 9.9 * MB, 'full'],
      ['index', null, 'unknown'],
    ],
  );
  assert.equal(
    known.map(({ detail }) => detail),
    [
      null,
      'Only 499 MB are left on the disk of the artifact cache. Free some space before it is full.',
      'The disk of the uploads is full (9.9 MB left). Nothing can be indexed until you free some space.',
      'The disk of the index does not respond. Check that it is connected and mounted.',
    ],
  );
  assert.is((await service.problem())?.code, 'disk_full');
});

test('reads disks again after five seconds and logs a change once', async () => {
  using clock = new ManualClock(1000, { date: true });
  const home = { device: 1, freeBytes: 400 * MB };
  const read = disks({ '/home': home });
  const log: string[] = [];
  const write = (message: string): void => void log.push(message);
  const service = new DiskSpaceService(
    { storagePaths: { home: '/home' } },
    { ...silentLogger, warn: write, info: write },
    read,
  );
  for (let time = 1; time <= 3; time++) assert.is((await service.problem())?.code, 'disk_low');
  assert.is(read.count, 1);
  home.freeBytes = 300 * MB;
  clock.advance(6000);
  assert.is((await service.problem())?.code, 'disk_low');
  home.freeBytes = 600 * MB;
  clock.advance(6000);
  assert.is(await service.problem(), null);
  assert.is(read.count, 3);
  assert.equal(log, ['little disk space is left', 'enough disk space is left again']);
});

test('readiness warns of low space and does not wait for a hanging disk', async () => {
  using clock = new ManualClock(1000);
  let hangs = false;
  const read = (): Promise<FreeSpace> =>
    hangs ? new Promise(() => {}) : Promise.resolve({ device: 1, freeBytes: 100 * MB });
  const sources = { get: async () => null };
  const index = { collections: async () => ['rows'] };
  const generations = { own: { collection: { name: 'rows' } } };
  const readinessOf = (home: string): Readiness => {
    const space = new DiskSpaceService({ storagePaths: { home } }, silentLogger, read);
    return new Readiness({ sources }, index, generations, space, silentLogger);
  };
  assert.equal(await readinessOf('/home').check(), { status: 'ready', warnings: ['disk_low'] });
  hangs = true;
  const checking = readinessOf('/home').check();
  while (!clock.waiting.includes(1000)) await new Promise(setImmediate);
  clock.advance(1000);
  assert.equal(await checking, { status: 'ready', warnings: [] });
});

test('reports a failed write on a full disk for ten seconds', async () => {
  using clock = new ManualClock(1000, { date: true });
  const service = new DiskSpaceService({ storagePaths: {} }, silentLogger);
  service.observe(new TroveError('storage_unavailable', 'The database is busy'));
  assert.is(await service.problem(), null);
  service.observe(new TroveError('disk_full', 'The quota is used up'));
  assert.equal(await service.problem(), { code: 'disk_full', detail: 'The quota is used up' });
  clock.advance(11_000);
  assert.is(await service.problem(), null);
});

test('an engine reports the disks of its paths, even of missing ones', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trove-space-'));
  try {
    const storagePaths = { home: folder, index: join(folder, 'index', 'later') };
    const engine = await new World().open({ storagePaths });
    const { disk_space: known } = await engine.status();
    assert.equal(
      known.map(({ name }) => name),
      ['home'],
    );
    assert.ok((known[0]?.free_bytes ?? 0) > 0);
    assert.is((await engine.ready()).status, 'ready');
    await engine.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.run();
