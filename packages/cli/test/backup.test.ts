import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { locateServer } from '../src/serve/server-command.js';
import { place } from './support/place.js';
import { runTrove } from './support/trove.js';

const test = suite('backup');

test('backs up a running server, and a restored home answers at once', async () => {
  await using here = await place();
  const { ok, trove, notes, home } = here;
  await ok('serve', 'start');
  await ok('add', 'notes');
  const backup = join(notes, '..', 'backup');
  assert.match(await ok('backup', 'backup'), /^Backed up to .*backup: \d+ files, .*B\n$/);
  const { metadata } = JSON.parse(await readFile(join(backup, 'backup.json'), 'utf8'));
  assert.is(metadata, 'sqlite');

  const again = await trove('backup', 'backup');
  assert.is(again.code, 1);
  assert.match(again.stderr, 'to: is not empty');
  const { status, warnings } = JSON.parse(await ok('backup', 'second', '--json'));
  assert.equal([status, warnings], ['succeeded', []]);

  const started = await trove('backup', 'third', '--no-wait');
  assert.is(started.code, 0, started.stderr);
  assert.match(started.stderr, /^Backing up to .*third\n$/);
  await ok('serve', 'stop');

  const restored = join(home, '..', 'restored');
  const { program, args } = locateServer(process.env);
  await promisify(execFile)(program, [...args, 'restore', backup], {
    env: { ...process.env, TROVE_HOME: restored },
  });
  const env = { TROVE_ENDPOINT: here.endpoint };
  const inCopy = (...command: string[]) => runTrove(command, { home: restored, env });
  assert.is((await inCopy('serve', 'start')).code, 0);
  try {
    const found = await inCopy('search', 'when are tokens rotated');
    assert.match(found.stdout, 'ops/tokens.md:', found.stderr);
  } finally {
    await inCopy('serve', 'stop');
  }
});

test.run();
