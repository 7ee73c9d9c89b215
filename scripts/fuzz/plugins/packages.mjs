import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAME = 'trove-fuzz-connector';
const SOURCE = fileURLToPath(new URL('hostile-connector.mjs', import.meta.url));

/** Installs the hostile connector in the home of a server. Returns what `[plugins]` says of it. */
export function writePlugins(home) {
  const folder = join(home, 'node_modules', NAME);
  mkdirSync(folder, { recursive: true });
  const about = { name: NAME, version: '1.0.0', type: 'module', exports: './index.mjs' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(about));
  copyFileSync(SOURCE, join(folder, 'index.mjs'));
  return { hostile: NAME };
}
