import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { ManualClock } from '@trove/test-support/manual-clock.js';
import { LocalPathPolicy } from '../src/sources/connectors/local-path-policy.js';

const test = suite('the policy of local paths');

test('resolves the configured paths once a second, however many sources open', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trove-policy-')));
  using clock = new ManualClock(10_000, { date: true });
  try {
    const link = join(folder, 'link');
    for (const name of ['one', 'two']) mkdirSync(join(folder, name));
    symlinkSync(join(folder, 'one'), link);
    const policy = new LocalPathPolicy({ allowedRoots: [], deniedRoots: [link], deniedFiles: [] });
    assert.equal(await policy.deniedRoots(), [join(folder, 'one')]);
    unlinkSync(link);
    symlinkSync(join(folder, 'two'), link);
    assert.equal(await policy.deniedRoots(), [join(folder, 'one')]);
    clock.advance(1000);
    assert.equal(await policy.deniedRoots(), [join(folder, 'two')]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.run();
