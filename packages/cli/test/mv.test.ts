import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { place } from './support/place.js';

const test = suite('mv');

test('follows a folder that was moved', async () => {
  await using here = await place();
  const { ok, trove, notes, home } = here;
  await ok('serve', 'start');
  await ok('add', 'notes');
  const moved = join(home, '..', 'papers');
  await rename(notes, moved);
  await writeFile(join(moved, 'new.md'), 'The zeppelin lands on Thursday.\n');
  const done = await trove('mv', 'notes', 'papers');
  assert.is(done.code, 0, done.stderr);
  assert.match(done.stderr, 'Moved to papers\n');
  assert.match(done.stdout, /Synced papers in .*\n {2}1 added, 2 unchanged; /);
  assert.match(await ok('search', 'when are tokens rotated'), 'papers/ops/tokens.md:');
  assert.match(await ok('search', 'zeppelin', 'papers', '--mode', 'keyword'), 'papers/new.md');
  assert.is(await ok('ls'), 'papers\n');
  assert.is((await trove('ls', 'notes')).code, 1);
});

test('refuses a folder with something else', async () => {
  await using here = await place();
  const { ok, trove, home } = here;
  await ok('serve', 'start');
  await ok('add', 'notes');
  const refused = await trove('mv', 'notes', 'home');
  assert.is(refused.code, 1);
  assert.match(refused.stderr, 'error: ');
  const other = join(home, '..', 'other.txt');
  await writeFile(other, 'Something else.\n');
  const differs = await trove('mv', 'notes', 'other.txt', '--json');
  assert.is(JSON.parse(differs.stderr).code, 'source_differs');
  assert.is(await ok('ls'), 'notes\n');
  const { job_id } = JSON.parse(
    await ok('mv', 'notes', 'other.txt', '--force', '--no-wait', '--json'),
  );
  assert.match(await ok('job', 'show', job_id, '--watch'), /1 added/);
  assert.is(await ok('ls'), 'other.txt\n');
});

test.run();
