import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const plugins = {
  connector: new URL('hostile-connector.mjs', import.meta.url),
  embedder: new URL('hostile-embedder.mjs', import.meta.url),
};
const imported = new URL('odd-values.mjs', import.meta.url);

/** Installs the hostile plugin of a kind in the home of a server and returns its package name. */
export function installPlugin(home, kind) {
  const name = `trove-fuzz-${kind}`;
  const folder = join(home, 'node_modules', name);
  mkdirSync(folder, { recursive: true });
  const about = { name, version: '1.0.0', type: 'module', exports: './index.mjs' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(about));
  copyFileSync(fileURLToPath(plugins[kind]), join(folder, 'index.mjs'));
  copyFileSync(fileURLToPath(imported), join(folder, 'odd-values.mjs'));
  return name;
}
