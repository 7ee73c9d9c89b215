import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { collect } from '@trove/test-support/collect.js';
import { testUnless } from '@trove/test-support/skips.js';
import { findMailboxes } from '../src/mbox/mailbox-finder.js';
import { calm, inWorld, mbox, message } from './support.js';

const test = suite('unreadable mail folders');
// This file opens but fails on the first read, like a file on a failing disk.
const failing = '/proc/self';
const hasFailing = existsSync(join(failing, 'mem'));
const onLinux = testUnless(hasFailing ? null : `there is no ${failing}/mem here`, test);

onLinux('fails after a temporary error, so nothing counts as removed', async () => {
  const where = { path: failing, deniedRoots: [], allowedRoots: [], maildirs: new Map() };
  const error = await rejection(() => findMailboxes(where, calm()));
  assert.is(error.code, 'connector_unhealthy');
  assert.match(error.detail, /^\/proc\/.* cannot be read \(E[A-Z]+\)\.$/);
});

test(
  'reports permanently unreadable folders and lists the others',
  inWorld(async (world) => {
    world.write('box', mbox(message()));
    // Each folder is created from within its parent, so the full path exceeds the limit of the system.
    const deep =
      'for (let i = 0; i < 18; i++) { fs.mkdirSync("0".repeat(250)); process.chdir("0".repeat(250)); }';
    try {
      execFileSync(process.execPath, ['-e', deep], { cwd: world.path });
      const notes: string[] = [];
      const warn = (sentence: string): void => void notes.push(sentence);
      const listed = await collect(world.connector().list({ warn, signal: calm() }));
      assert.equal(
        listed.map(({ path }) => path),
        ['box/messages.jsonl'],
      );
      assert.is(notes.length, 1);
      assert.match(notes[0] ?? '', /0 cannot be read \(ENAMETOOLONG\)\.$/);
    } finally {
      execFileSync('rm', ['-rf', '0'.repeat(250)], { cwd: world.path });
    }
  }),
);

test.run();
