import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { builtinPackagesTable } from '../scripts/lib/builtin-packages.js';
import { builtinPackages } from '../src/builtin-packages.js';

const test = suite('built-in packages');

test('the table is fresh (npm run builtins -w trove)', async () => {
  const table = await builtinPackagesTable();
  assert.ok(Object.keys(table).length > 5);
  assert.equal(builtinPackages, table);
});

test('each package of the table is a dependency, except the OCR plugin', async () => {
  const { default: manifest } = await import('../package.json', { with: { type: 'json' } });
  for (const name of Object.values(builtinPackages)) {
    const isDependency = Object.hasOwn(manifest.dependencies, name ?? '');
    assert.is(isDependency, name !== '@trove/converter-ocr', name);
  }
});

test.run();
