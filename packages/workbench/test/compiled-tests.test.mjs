import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { compiledPath, compileTests, inSources } from '../src/lib/compiled-tests.mjs';
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

test('compiles the programs that a test starts, but names sources of packages', async () => {
  const folder = join(root, 'packages/workbench/test/planted-tests');
  mkdirSync(folder);
  try {
    const main = join(folder, 'main.ts');
    const source = '../../../core/src/index.ts';
    const urls = ['program.ts', source].map((name) => `new URL('${name}', import.meta.url)`);
    writeFileSync(main, `export default [${urls.join(', ')}];`);
    writeFileSync(join(folder, 'program.ts'), 'export const started: boolean = true;');
    await compileTests([main]);
    const { default: addresses } = await import(compiledPath(main));
    const [program, kept] = addresses.map(({ href }) => href);
    assert.is((await import(program)).started, true);
    assert.match(kept, source.replaceAll('../', ''));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.run();
