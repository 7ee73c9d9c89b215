import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Installs a hostile plugin of this folder, `hostile-connector` or `hostile-embedder`, in the home of a server. Returns
 * the name of its package.
 */
export function installPlugin(home, module) {
  const name = `trove-fuzz-${module}`;
  const folder = join(home, 'node_modules', name);
  mkdirSync(folder, { recursive: true });
  const about = { name, version: '1.0.0', type: 'module', exports: './index.mjs' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(about));
  for (const [from, to] of [
    [module, 'index'],
    ['odd-values', 'odd-values'],
  ]) {
    const source = fileURLToPath(new URL(`${from}.mjs`, import.meta.url));
    copyFileSync(source, join(folder, `${to}.mjs`));
  }
  return name;
}
