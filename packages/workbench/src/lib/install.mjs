import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { readLock } from './lock.mjs';
import { runNpm } from './run.mjs';
import { readJson, root } from './workspaces.mjs';

/** What npm installed, by its own record. */
const installedLock = join(root, 'node_modules/.package-lock.json');

/** Installs what package-lock.json names, unless that is what node_modules holds. */
export async function ensureInstalled() {
  if (isInstalled()) return 0;
  console.log(
    'Installing dependencies; a database driver may compile, which takes a minute or two.',
  );
  // Keeps what is already there: a clean install would compile the driver again.
  const command = existsSync(installedLock) ? ['install', '--no-save'] : ['ci'];
  const { code } = await runNpm([...command, '--no-audit', '--no-fund'], { env: compiling() });
  return code;
}

/** Packages for other platforms are in one file but not in the other. */
function isInstalled() {
  if (!existsSync(installedLock)) return false;
  const { packages: installed } = readJson(installedLock);
  return Object.entries(readLock().packages)
    .filter(([place, { optional, peer }]) => place.includes('node_modules/') && !optional && !peer)
    .every(([place, { version, resolved, link }]) => {
      const found = installed[place];
      return link ? found?.resolved === resolved : found?.version === version;
    });
}

/** Native packages compile on all processors and, where this Node brings its own C++ headers, without downloading them. */
function compiling() {
  const prefix = dirname(dirname(process.execPath));
  const jobs = { JOBS: 'max' };
  if (!existsSync(join(prefix, 'include/node/node.h'))) return jobs;
  return { ...jobs, npm_package_config_node_gyp_nodedir: prefix };
}
