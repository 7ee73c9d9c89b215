import { mkdir, mkdtemp, readdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Logger, silentLogger } from '@trove/core';
import type { ArtifactCache } from '@trove/core/store';
import { artifactCacheCases, MemoryArtifactCache } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { LimitedArtifactCache, FolderArtifactCache } from '../src/index.js';

const test = suite<{ folder: string }>('artifact cache in a folder');

test.before.each(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'trove-artifacts-'));
});
test.after.each(async ({ folder }) => {
  await rm(folder, { recursive: true, force: true });
});

for (const { title, run } of artifactCacheCases) {
  test(title, ({ folder }) => run({ open: async () => new FolderArtifactCache(folder) }));
}

async function files(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test('a truncated value counts as missing', async ({ folder }) => {
  const cache = new FolderArtifactCache(folder);
  await cache.put('a', Buffer.alloc(100, 1));
  const [file = ''] = await files(folder);
  for (const length of [107, 4, 0]) {
    await truncate(file, length);
    assert.is(await cache.get('a'), null, `${length} bytes`);
  }
});

test('the folder may be deleted at any time, and is private to its owner', async ({ folder }) => {
  const home = join(folder, 'deep', 'cache');
  const cache = new FolderArtifactCache(home);
  await cache.prune(0);
  await cache.put('a', Buffer.from('1'));
  const [file = ''] = await files(home);
  assert.is((await stat(home)).mode & 0o777, 0o700);
  assert.is((await stat(file)).mode & 0o777, 0o600);
  await rm(home, { recursive: true });
  assert.is(await cache.get('a'), null);
  await cache.prune(10);
  await cache.put('a', Buffer.from('2'));
  assert.equal(Buffer.from((await cache.get('a')) ?? []).toString(), '2');
});

test('pruning removes files of dead processes but no foreign files', async ({ folder }) => {
  const cache = new FolderArtifactCache(folder);
  const shard = join(folder, 'ab');
  await mkdir(shard);
  const name = '01234567-89ab-cdef-0123-456789abcdef.new';
  const [old, young] = [join(shard, name), join(shard, name.replace('0', 'f'))];
  const others = [join(folder, 'notes.txt'), join(shard, 'notes.txt')];
  for (const file of [old, young, ...others]) await writeFile(file, 'text');
  const hours = new Date(Date.now() - 2 * 60 * 60 * 1000);
  await utimes(old, hours, hours);
  await cache.prune(0);
  assert.equal((await files(folder)).sort(), [...others, young].sort());
});

test('values that are put during pruning are pruned, too', async () => {
  const cache = new MemoryArtifactCache();
  const ends: (() => void)[] = [];
  const slow: ArtifactCache = {
    get: (key) => cache.get(key),
    put: (key, value) => cache.put(key, value),
    prune: async (maxBytes) => {
      await cache.prune(maxBytes);
      await new Promise<void>((end) => ends.push(end));
    },
  };
  const artifacts = new LimitedArtifactCache(slow, 100, silentLogger);
  const pruned = artifacts.prune();
  for (const key of ['a', 'b', 'c']) await artifacts.put(key, Buffer.alloc(60));
  for (let at = 0; at < 2; at++) {
    ends[at]?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await pruned;
  const kept = await Promise.all(['a', 'b', 'c'].map((key) => cache.get(key)));
  assert.is(kept.filter((value) => value !== null).length, 1);
  assert.is(ends.length, 2);
});

test('is pruned after growing by a sixteenth, not after every value', async () => {
  const cache = new MemoryArtifactCache();
  let prunings = 0;
  const counted: ArtifactCache = {
    get: (key) => cache.get(key),
    put: (key, value) => cache.put(key, value),
    prune: async (maxBytes) => {
      prunings++;
      await cache.prune(maxBytes);
    },
  };
  const artifacts = new LimitedArtifactCache(counted, 1600, logTo([]));
  for (let at = 0; at < 40; at++) await artifacts.put(String(at), new Uint8Array(50));
  assert.is(prunings, 13);
  let kept = 0;
  for (let at = 0; at < 40; at++) if ((await artifacts.get(String(at))) !== null) kept++;
  assert.ok(kept >= 30 && kept <= 34, String(kept));
});

test('a failing cache is ignored and logged once until it works again', async ({ folder }) => {
  const log: string[] = [];
  const file = join(folder, 'file');
  await writeFile(file, '');
  const artifacts = new LimitedArtifactCache(new FolderArtifactCache(file), 1000, logTo(log));
  await artifacts.put('a', Buffer.from('1'));
  assert.is(await artifacts.get('a'), null);
  await artifacts.prune();
  assert.is(log.length, 1);
  assert.match(log[0] ?? '', /^the artifact cache failed/);
  await rm(file);
  await artifacts.put('a', Buffer.from('1'));
  assert.ok((await artifacts.get('a')) !== null);
  const none = new LimitedArtifactCache(null, 1000, logTo(log));
  await none.put('a', Buffer.from('1'));
  assert.is(await none.get('a'), null);
  assert.is(log.length, 1);
});

function logTo(log: string[]): Logger {
  const write = (message: string): void => void log.push(message);
  return { debug: write, info: write, warn: write, error: write };
}

test.run();
