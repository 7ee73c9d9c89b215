// Copies LanceDB's JavaScript into the package of the index. Its own package.json asks for embedding libraries, half a
// gigabyte that nothing here uses; without it an install brings only the native library of its platform.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './lib/workspaces.mjs';

const from = join(root, 'node_modules/@lancedb/lancedb');
const to = join(root, 'plugins/index-lancedb/lancedb');

rmSync(to, { recursive: true, force: true });
cpSync(join(from, 'dist'), to, {
  recursive: true,
  filter: (path) => !/\.(d\.ts|node)$/.test(path),
});
cpSync(join(from, 'NODEJS_THIRD_PARTY_LICENSES.md'), join(to, 'NODEJS_THIRD_PARTY_LICENSES.md'));
const { name, version, license } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
const manifest = { name, version, license, private: true, type: 'commonjs', main: 'index.js' };
writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
