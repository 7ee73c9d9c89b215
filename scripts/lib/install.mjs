import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { runNpm } from './run.mjs';
import { root } from './workspaces.mjs';

/** npm writes this file at the end of an install. */
const INSTALLED = join(root, 'node_modules/.package-lock.json');

/** Installs what package-lock.json names, when that has not been done since it last changed. */
export async function ensureInstalled() {
  if (isInstalled()) return 0;
  console.log(
    'Installing dependencies; a database driver may compile, which takes a minute or two.',
  );
  const { code } = await runNpm(['ci', '--no-audit', '--no-fund'], { env: headers() });
  return code;
}

function isInstalled() {
  if (!existsSync(INSTALLED)) return false;
  return statSync(INSTALLED).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

/** Where this Node brings its own C++ headers, native packages compile without downloading them. */
function headers() {
  const prefix = dirname(dirname(process.execPath));
  if (!existsSync(join(prefix, 'include/node/node.h'))) return {};
  return { npm_package_config_node_gyp_nodedir: prefix };
}
