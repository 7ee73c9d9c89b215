import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { readLock } from './lock.mjs';
import { runNpm } from './run.mjs';
import { readJson, root } from './workspaces.mjs';

/** npm's record of its installation. */
const installedLock = join(root, 'node_modules/.package-lock.json');

/** Installs the packages of package-lock.json unless node_modules already contains them. */
export async function ensureInstalled() {
  if (isInstalled()) return 0;
  console.log(
    'Installing dependencies. A database driver may compile, which takes a minute or two.',
  );
  // Keeps the existing packages, because a clean installation would compile the driver again.
  const command = existsSync(installedLock) ? ['install', '--no-save'] : ['ci'];
  const { code } = await runNpm([...command, '--no-audit', '--no-fund'], { env: compiling() });
  return code;
}

/** Packages for other platforms are in only one of the files. */
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

/** Native packages compile on all processors, and use the C++ headers of this Node version if it includes them. */
function compiling() {
  const prefix = dirname(dirname(process.execPath));
  const jobs = { JOBS: 'max' };
  if (!existsSync(join(prefix, 'include/node/node.h'))) return jobs;
  return { ...jobs, npm_package_config_node_gyp_nodedir: prefix };
}
