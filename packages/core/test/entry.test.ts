import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('entry');

const specifier =
  /(?:^|[\s;}])(?:import|export)(?:[^'"();]*?\bfrom)?\s*['"]([^'"]+)['"]|\b(?:import|require)\(\s*['"]?([^'")]*)/g;

/** Returns all modules that a file loads, and all imports from outside the package. */
function follow(entry: string): { modules: Set<string>; outside: Set<string> } {
  const modules = new Set<string>();
  const outside = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (modules.has(file)) continue;
    modules.add(file);
    const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    for (const [, fixed, dynamic] of code.matchAll(specifier)) {
      const name = fixed ?? dynamic ?? '';
      if (name.startsWith('.')) waiting.push(join(dirname(file), name));
      else outside.add(name);
    }
  }
  return { modules, outside };
}

test('the main entry loads only files of the package', () => {
  const { modules, outside } = follow(fileURLToPath(import.meta.resolve('@trove/core')));
  const bytes = [...modules].reduce((sum, path) => sum + statSync(path).size, 0);
  assert.ok(bytes > 30_000, `${bytes} bytes were followed`);
  assert.equal([...outside], []);
});

test('the import walk finds imports from outside the package', () => {
  const { outside } = follow(fileURLToPath(import.meta.resolve('@trove/core/di')));
  assert.ok(outside.has('tsyringe') && outside.has('reflect-metadata'));
});

test('the main entry exports the functions for plugin authors', async () => {
  const entry = await import('@trove/core');
  for (const name of [
    'defineConnector',
    'defineConverter',
    'TroveError',
    'parseUri',
    'parseFilter',
    'matchesFilter',
  ]) {
    assert.type(Reflect.get(entry, name), 'function', name);
  }
});

test('internal files cannot be imported', async () => {
  const inner = '@trove/core/dist/uri.js';
  try {
    await import(inner);
  } catch (error) {
    assert.ok(error instanceof Error && 'code' in error);
    assert.is(error.code, 'ERR_PACKAGE_PATH_NOT_EXPORTED');
    return;
  }
  assert.unreachable('imported');
});

test.run();
