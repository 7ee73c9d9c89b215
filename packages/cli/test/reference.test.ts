import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { missingProgram, testUnless } from '@trove/test-support/skips.js';
import { manPath, manText, referencePath, referenceText } from '../scripts/reference.js';

const test = suite('the reference page and the manual page');

test('the reference page matches the definitions of the commands', async () => {
  const hint = 'run "npm run docs -w @trove/cli"';
  assert.is(readFileSync(referencePath, 'utf8'), await referenceText(), hint);
});

test('the manual page matches, and has every command with its options', async () => {
  const page = readFileSync(manPath, 'utf8');
  assert.is(page, await manText(), 'run "npm run docs -w @trove/cli"');
  for (const name of ['trove grep', 'trove job show', 'trove connector update', 'trove open']) {
    assert.ok(page.includes(`\n.SS ${name}\n`), name);
  }
  assert.ok(page.includes('\\-\\-ignore\\-case'));
  assert.ok(page.includes("'fetch\\ew*\\e(' ./src"));
});

testUnless(missingProgram('groff'), test)('the manual page is typeset without a warning', () => {
  const { stdout, stderr } = spawnSync('groff', ['-man', '-ww', '-Tutf8', fileURLToPath(manPath)], {
    encoding: 'utf8',
  });
  assert.is(stderr, '');
  assert.ok(stdout.length > 10_000);
});

test.run();
