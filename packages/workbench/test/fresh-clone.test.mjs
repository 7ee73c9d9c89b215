import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { readJson, root } from '../src/lib/workspaces.mjs';

const staticImport = /^(?:import|export)\s[^;]*?from '([^']+)';|^import '([^']+)';/gm;
/** Commands that people run before anything is installed. */
const commands = ['test', 'quickstart', 'build', 'clean'];
const test = suite('a fresh clone');

/** The packages that a module and the modules of its own folder import before any of their code runs. */
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
  test(`npm run ${name} starts without node_modules`, () => {
    const [, program] = /^node (\S+)$/.exec(readJson(join(root, 'package.json')).scripts[name]);
    assert.equal(packagesOf(join(root, program)), []);
  });
}

test('the search sees a package that a module imports', () => {
  assert.ok(packagesOf(join(root, 'packages/workbench/src/lib/server.mjs')).length > 0);
});

test.run();
