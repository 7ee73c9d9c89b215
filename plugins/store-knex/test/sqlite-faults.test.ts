import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { isTroveError, type TroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { testUnless } from '@trove/test-support/skips.js';
import { attempt } from './processes.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { openCache, openStore, type Backend } from './support.js';

const test = suite('faults of SQLite');
const isRoot = process.getuid?.() === 0;
const nobody = 65534;

function at(path: string): Backend {
  return { backend: 'sqlite', config: { path } };
}

async function refusal(opening: Promise<unknown>): Promise<TroveError> {
  try {
    await opening;
  } catch (error) {
    assert.ok(isTroveError(error), `a TroveError, not ${String(error)}`);
    return error;
  }
  throw new Error('It was expected to fail.');
}

test('creates a missing folder and makes the file private to its owner', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'not', 'there', 'data.db');
    const store = await openStore(at(path));
    await store.sources.register({ id: 'c', rootUri: 'a', type: 'file', config: null });
    for (const name of await readdir(join(folder, 'not', 'there'))) {
      const { mode } = await stat(join(folder, 'not', 'there', name));
      assert.is(mode & 0o077, 0, `${name} can be read by others`);
    }
    await store.close();
  }));

test('rejects a path below a file and the path of a folder', () =>
  withFolder(async (folder) => {
    await writeFile(join(folder, 'file'), 'text');
    for (const path of [join(folder, 'file', 'data.db'), folder]) {
      const error = await refusal(openStore(at(path)));
      assert.is(error.code, 'storage_unavailable');
      assert.ok(error.detail.includes(path), error.detail);
      assert.match(error.detail, /cannot be opened or created/);
    }
  }));

test('reports a file that is not a database and leaves it unchanged', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'data.db');
    await writeFile(path, 'certainly not a database, but long enough to be looked at'.repeat(100));
    const error = await refusal(openStore(at(path)));
    assert.is(error.code, 'storage_unavailable');
    assert.match(error.detail, /is damaged, or is not a database/);
    assert.match(error.suggestions.join(), /backup/);
    assert.ok((await stat(path)).size > 5000);
    const cache = await openCache(at(path));
    await cache.putMany(new Map([['key', Uint8Array.of(1)]]));
    await cache.close();
    assert.ok((await stat(`${path}.damaged`)).size > 5000, 'the cache has quarantined the file');
  }));

test('reports damage in the middle of a database when it is read', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'data.db');
    const store = await openStore(at(path));
    await store.close();
    const { size } = await stat(path);
    await writeFile(path, Buffer.alloc(size - 100, 0xa5), { flag: 'r+' });
    const error = await refusal(openStore(at(path)));
    assert.is(error.code, 'storage_unavailable');
    assert.match(error.detail, /is damaged, or is not a database/);
  }));

test('reports a file or folder without write permission', () =>
  withFolder(async (folder) => {
    await chmod(folder, 0o755);
    const path = join(folder, 'data.db');
    await (await openStore(at(path))).close();
    await chmod(path, 0o444);
    const locked = join(folder, 'locked');
    await mkdir(locked, { mode: 0o555 });
    const options = isRoot ? { uid: nobody, gid: nobody } : {};
    for (const each of [path, join(locked, 'data.db')]) {
      const answer = await attempt(at(each), options);
      assert.match(answer, /"code":"storage_unavailable"/);
      assert.match(answer, /cannot be opened or created|read-only/);
      assert.ok(answer.includes(each), answer);
    }
  }));

/** Mounts a small disk in the folder and returns its path, or null without permission. */
function smallDisk(folder: string): string | null {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  const mount = ['-t', 'tmpfs', '-o', 'size=600k', 'tmpfs', disk];
  return spawnSync('mount', mount, { stdio: 'ignore' }).status === 0 ? disk : null;
}

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'trove-mount-'));
  const disk = smallDisk(folder);
  if (disk !== null) execFileSync('umount', [disk]);
  rmSync(folder, { recursive: true });
  return disk !== null;
}

const onSmallDisk = testUnless(
  canMount() ? null : 'a small file system cannot be mounted here',
  test,
);

onSmallDisk('reports a full disk and keeps earlier writes', () =>
  withFolder(async (folder) => {
    const disk = smallDisk(folder) ?? '';
    try {
      const store = await openStore(at(join(disk, 'data.db')));
      const register = (id: string) =>
        store.sources.register({
          id,
          rootUri: `file://local/${id}`,
          type: 'file',
          config: { text: 'x'.repeat(20_000) },
        });
      let kept = 0;
      const fill = async () => {
        for (; kept < 100; kept += 1) await register(`c${kept}`);
      };
      const error = await refusal(fill());
      assert.is(error.code, 'disk_full');
      assert.match(error.detail, /the disk is full/);
      assert.is((await store.sources.list()).length, kept, 'connectors while the disk is full');
      await store.close();
      const again = await openStore(at(join(disk, 'data.db')));
      assert.is((await again.sources.list()).length, kept, 'connectors after opening again');
      await again.close();
    } finally {
      execFileSync('umount', [disk]);
    }
  }),
);

test('rejects a missing path or unknown backend as invalid configuration', async () => {
  assert.is((await refusal(openStore({ backend: 'sqlite', config: {} }))).code, 'config_invalid');
  assert.is((await refusal(openStore({ backend: 'other', config: {} }))).code, 'config_invalid');
});

test.run();
