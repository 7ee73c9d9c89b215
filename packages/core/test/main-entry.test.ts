import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('the main entry');

/** Returns the packages that a module and its relative imports import. */
async function importedPackages(file: URL, seen = new Set<string>()): Promise<string[]> {
  if (seen.has(file.href)) return [];
  seen.add(file.href);
  const source = await readFile(file, 'utf8');
  const names = [...source.matchAll(/^(?:import|export|\})[^;]*?from '([^']+)';/gm)].map(
    ([, name = '']) => name,
  );
  const found = names.filter((name) => !name.startsWith('.') && !name.startsWith('node:'));
  for (const name of names.filter((each) => each.startsWith('.')))
    found.push(...(await importedPackages(new URL(name.replace(/\.js$/, '.ts'), file), seen)));
  return found;
}

test('imports no package, and the package installs none', async () => {
  assert.equal(await importedPackages(new URL('../src/index.ts', import.meta.url)), []);
  const di = await importedPackages(new URL('../src/di/index.ts', import.meta.url));
  assert.ok(di.includes('tsyringe'), 'the imports of another entry are found');
  const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  assert.is(manifest.dependencies, undefined);
  assert.equal(Object.keys(manifest.peerDependenciesMeta), Object.keys(manifest.peerDependencies));
});

test.run();
