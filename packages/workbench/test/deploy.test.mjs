import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { testUnless } from '@trove/test-support/skips.js';
import { root } from '../src/lib/workspaces.mjs';

/* Checks of the image, composition and units that need no engine. */

const test = suite('what is in examples/deploy');
const folder = join(root, 'examples/deploy');
const read = (name) => readFileSync(join(folder, name), 'utf8');
const units = readdirSync(folder).filter((name) => name.endsWith('.service'));
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test('uses only variables that are settings', () => {
  const known = readFileSync(join(root, 'docs/reference/configuration.md'), 'utf8');
  const names = readdirSync(folder).flatMap((name) => read(name).match(/\bTROVE_[A-Z_]+/g) ?? []);
  assert.ok(names.length > 8);
  assert.equal(
    names.filter((name) => !known.includes(`\`${name}\``)),
    [],
  );
});

test('copies existing files into the image and starts an existing command', () => {
  const image = read('Dockerfile');
  const copied = [...image.matchAll(/^COPY --from=build \/trove\/(\S+)/gm)].map(([, path]) => path);
  assert.ok(copied.length >= 4);
  for (const path of copied) assert.ok(existsSync(join(root, path)), path);
  const { bin } = JSON.parse(readFileSync(join(root, 'packages/server/package.json'), 'utf8'));
  const [, entry] = /^ENTRYPOINT \["([^"]+)"\]$/m.exec(image) ?? [];
  assert.ok(Object.hasOwn(bin, entry), entry);
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.match(engines.node, /^>=20\./);
  for (const [, version] of image.matchAll(/^FROM node:(\d+)/gm)) assert.is(version, '20');
});

testUnless(hasSystemd ? null : 'systemd-analyze is not installed', test)(
  'passes the check of systemd',
  () => {
    assert.is(units.length, 2);
    const work = mkdtempSync(join(tmpdir(), 'trove-units-'));
    try {
      for (const name of units) {
        // Neither the command nor the user needs to exist on this machine.
        const text = read(name).replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true');
        const unit = join(work, name.replace('@', '@1'));
        writeFileSync(
          unit,
          text.replace('User=trove', 'User=daemon').replace(/^Documentation.*$/m, ''),
        );
        const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], {
          encoding: 'utf8',
        });
        assert.is(status, 0, stderr);
        assert.is(stderr, '');
      }
    } finally {
      rmSync(work, { recursive: true });
    }
  },
);

test.run();
