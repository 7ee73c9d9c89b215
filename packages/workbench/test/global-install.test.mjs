// test-timeout: 300
// test-slow
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { freePort } from '@trove/test-support/free-port.js';
import { writeFiles } from '@trove/test-support/programs/sample-files.mjs';
import { installPacked, withoutNpmSettings } from '../src/lib/install-packed.mjs';
import { packedPackages } from '../src/lib/packed.mjs';
import { startRegistry } from '../src/lib/registry.mjs';
import { runNpm } from '../src/lib/run.mjs';

const test = suite('the command, installed globally');

test('installs a global command with its manual that works in any folder', async () => {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'trove-global-')));
  const [prefix, home, server] = ['prefix', 'any folder', 'server'].map((name) => join(work, name));
  for (const folder of [prefix, home, server, join(work, 'pack')]) mkdirSync(folder);
  const packed = await packedPackages(join(work, 'pack'));
  const registry = await startRegistry(packed, join(work, 'pack'));
  const bind = `127.0.0.1:${await freePort()}`;
  const run = (...args) =>
    spawnSync(join(prefix, 'bin/trove'), args, {
      cwd: home,
      encoding: 'utf8',
      timeout: 120_000,
      env: {
        // Not npm's path, which contains the commands of this repository.
        PATH: `${join(server, 'node_modules/.bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
        HOME: home,
        TROVE_ENDPOINT: `http://${bind}`,
      },
    });
  const succeeds = (...args) => {
    const { status, stdout, stderr } = run(...args);
    assert.is(status, 0, `trove ${args.join(' ')}\n${stdout}${stderr}`);
    return stdout;
  };
  try {
    const options = ['--global', '--no-audit', '--no-fund', `--cache=${join(work, 'cache')}`];
    const { code, output } = await runNpm(
      ['install', ...options, `--prefix=${prefix}`, `--registry=${registry.url}`, '@trove/cli'],
      { capture: true, cwd: home, env: withoutNpmSettings() },
    );
    assert.is(code, 0, output);
    assert.ok(existsSync(join(prefix, 'share/man/man1/trove.1')), 'the manual is installed');
    assert.match(succeeds('--version'), /^\d+\.\d+\.\d+\n$/);
    assert.match(run('serve', 'start').stderr, '@trove/server is not installed');

    await installPacked(server, packed, ['@trove/server']);
    writeFiles(home, { 'notes/backup.md': '# Backups\n\nHow to restore a backup with restic.\n' });
    succeeds('serve', 'start', '--bind', bind);
    assert.match(succeeds('add', 'notes'), '1 added');
    assert.match(succeeds('grep', '-n', 'restic'), 'notes/backup.md:3:How to restore');
    assert.match(succeeds('doctor'), /^ok +server/m);
  } finally {
    run('serve', 'stop');
    registry.close();
    rmSync(work, { recursive: true, force: true });
  }
});

test.run();
