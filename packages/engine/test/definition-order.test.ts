import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { orderDefinitions } from '../src/query/symbols/definition-order.js';
import type { FoundDefinition } from '../src/query/symbols/definition-reader.js';

const test = suite('the order of definitions');

function definition(path: string, changes: Partial<FoundDefinition> = {}): FoundDefinition {
  return {
    source: `memory://x/${path}`,
    path,
    lines: [1, 2],
    nameLine: 1,
    definedName: 'run',
    signature: 'function run() {',
    kind: 'function',
    language: null,
    container: null,
    ...changes,
  };
}

test('prefers code with a body outside of tests, foreign and compiled code', () => {
  const found = [
    definition('test/a.ts'),
    definition('node_modules/b.ts'),
    definition('dist/c.js'),
    definition('d.h', { signature: 'void run();' }),
    definition('e.ts', { kind: 'variable', signature: 'run: string' }),
    definition('f.ts'),
  ];
  const order = orderDefinitions(found, { name: 'run', container: null }, () => true);
  const paths = order.map(({ path }) => path);
  assert.equal(paths, ['f.ts', 'e.ts', 'd.h', 'dist/c.js', 'test/a.ts', 'node_modules/b.ts']);
});

test.run();
