import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { runNpm } from './run.mjs';
import { readJson, root } from './workspaces.mjs';

const folder = join(root, 'packages/workbench/vendor-clients');
/** npm's record of its installation. */
const installedLock = join(folder, 'node_modules/.package-lock.json');

/** Installs the vendors' own clients, which slow tests run against the fake services. Returns the exit code. */
export async function ensureVendorClients() {
  if (isInstalled()) return 0;
  const { code } = await runNpm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
  });
  return code;
}

function isInstalled() {
  if (!existsSync(installedLock)) return false;
  const { packages: installed } = readJson(installedLock);
  return Object.entries(readJson(join(folder, 'package-lock.json')).packages)
    .filter(([place]) => place !== '')
    .every(([place, { version }]) => installed[place]?.version === version);
}
