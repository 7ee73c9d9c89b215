import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { readJson, root } from '../src/lib/workspaces.mjs';

const staticImport = /^(?:import|export)\s[^;]*?from '([^']+)';|^import '([^']+)';/gm;
/** Commands that run before anything is installed. */
const commands = ['test', 'quickstart', 'build', 'clean'];
const test = suite('a fresh clone');

/** Returns the packages that a module and the modules of its folder import statically. */
function packagesOf(file, seen = new Set()) {
  if (seen.has(file)) return [];
  seen.add(file);
  return [...readFileSync(file, 'utf8').matchAll(staticImport)].flatMap(([, from, alone]) => {
    const name = from ?? alone;
    if (name.startsWith('.')) return packagesOf(join(dirname(file), name), seen);
    return isBuiltin(name) ? [] : [`${name} in ${file}`];
  });
}

for (const name of commands) {
  test(`starts npm run ${name} without node_modules`, () => {
    const [, program] = /^node (\S+)$/.exec(readJson(join(root, 'package.json')).scripts[name]);
    assert.equal(packagesOf(join(root, program)), []);
  });
}

test('sees a package that a module imports', () => {
  assert.ok(packagesOf(join(root, 'packages/workbench/src/lib/server.mjs')).length > 0);
});

test.run();
