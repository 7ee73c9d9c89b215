// Removes the leftovers of builds and test runs. Keeps node_modules.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { root, workspaces } from './lib/workspaces.mjs';

const folders = workspaces().flatMap(({ path }) => [join(path, 'dist'), join(path, 'bundle')]);
for (const folder of [...folders, join(root, '.turbo')]) {
  rmSync(folder, { recursive: true, force: true });
}
for (const tests of workspaces().map(({ folder }) => join(folder, 'test'))) {
  for (const file of readdirSync(join(root, tests), { recursive: true })) {
    if (file.endsWith('.compiled.mjs')) rmSync(join(root, tests, file));
  }
}
