// Removes what builds leave behind; node_modules stays.
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { root, workspaces } from './lib/workspaces.mjs';

const folders = workspaces().map(({ path }) => join(path, 'dist'));
for (const folder of [...folders, join(root, '.turbo')]) {
  rmSync(folder, { recursive: true, force: true });
}
