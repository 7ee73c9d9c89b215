import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { inSources } from '../src/lib/compiled-tests.mjs';
import { root } from '../src/lib/workspaces.mjs';

const test = suite('compiled tests');
const path = join(root, 'packages/workbench/test/compiled-tests.test.mjs');

test('maps positions to the sources', () => {
  const { stack } = new Error('here');
  const lines = readFileSync(path, 'utf8').split('\n');
  const line = lines.findIndex((text) => text.includes('new Error(')) + 1;
  assert.match(inSources(stack), `file://${path}:${line}:`);
  assert.not.match(inSources(stack), 'compiled.mjs');
});

test('keeps other text unchanged', () => {
  for (const text of ['12 passed', '/nowhere/a.test.compiled.mjs:1:2', 'file:///a/b.mjs:1:2'])
    assert.is(inSources(text), text);
});

test.run();
