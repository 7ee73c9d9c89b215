import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isTroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultHome, prepareHome } from '../src/home.js';
import { machineId } from '@trove/connector-file/local';

const test = suite<{ root: string }>('home');
test.before.each(async (context) => {
  context.root = await mkdtemp(join(tmpdir(), 'trove-home-'));
});
test.after.each(({ root }) => rm(root, { recursive: true, force: true }));

test('is TROVE_HOME, otherwise a folder in the home of the user', () => {
  assert.is(defaultHome({}), join(homedir(), '.trove'));
  assert.is(defaultHome({ TROVE_HOME: '' }), join(homedir(), '.trove'));
  assert.is(defaultHome({ TROVE_HOME: '/srv/t' }), '/srv/t');
  assert.is(defaultHome({ TROVE_HOME: 'rel' }), resolve('rel'));
});

test('is created for its owner only', async ({ root }) => {
  const home = join(root, 'a', 'b');
  await prepareHome(home);
  assert.is((await stat(home)).mode & 0o777, 0o700);
  await prepareHome(home);
});

test('removes the access of other users', async ({ root }) => {
  const home = join(root, 'open');
  await mkdir(home);
  await chmod(home, 0o755);
  await prepareHome(home);
  assert.is((await stat(home)).mode & 0o777, 0o700);
});

test('explains why it cannot be created', async ({ root }) => {
  await writeFile(join(root, 'file'), '');
  try {
    await prepareHome(join(root, 'file', 'home'));
    assert.unreachable();
  } catch (error) {
    assert.ok(isTroveError(error));
    assert.is(error.code, 'storage_unavailable');
    assert.match(error.detail, join(root, 'file', 'home'));
    assert.match(error.detail, 'ENOTDIR');
  }
});

test('the id of the machine is stable and not its host name', async ({ root }) => {
  const ids = await Promise.all([machineId(root), machineId(root), machineId(root)]);
  assert.is(new Set(ids).size, 1);
  assert.match(ids[0] ?? '', /^[0-9a-f]{32}$/);
  const own = await readFile(join(root, 'machine-id'), 'utf8').catch(() => null);
  if (own !== null) assert.not.match(ids[0] ?? '', own.trim());
});

test.run();
