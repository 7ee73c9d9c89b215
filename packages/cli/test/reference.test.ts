import { readFileSync } from 'node:fs';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { REFERENCE, referenceText } from '../scripts/reference.js';

const test = suite('the reference page');

test('equals the definitions of the commands', () => {
  const hint = 'run "npm run docs -w @trove/cli"';
  assert.is(readFileSync(REFERENCE, 'utf8'), referenceText(), hint);
});

test.run();
