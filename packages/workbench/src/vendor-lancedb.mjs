// Bundles LanceDB's JavaScript and its Arrow into the index package. LanceDB's own package.json requires embedding
// libraries, half a gigabyte that Trove does not use. Without it, an installation includes only the native library of
// the platform. One file loads in a sixth of the time of its two hundred modules.
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'esbuild';

import { readJson, root } from './lib/workspaces.mjs';

/** The dependencies that LanceDB loads. Its others are for embedding and not installed. */
const bundled = ['apache-arrow', 'flatbuffers', 'tslib', 'reflect-metadata', '@opentelemetry/api'];

const modules = join(root, 'node_modules');
const from = join(modules, '@lancedb/lancedb');
const to = join(root, 'plugins/index-lancedb/lancedb');

rmSync(to, { recursive: true, force: true });
mkdirSync(to);
await build({
  stdin: {
    // LanceDB exposes raw query results only to its own classes.
    contents: `module.exports = {
      ...require('@lancedb/lancedb'),
      arrow: require('apache-arrow'),
      run: (query, execution) => query.nativeExecute(execution),
    };`,
    resolveDir: root,
  },
  outfile: join(to, 'index.js'),
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  plugins: [{ name: 'dependencies', setup: excludedFiles }],
});
// It looks for the library of its platform by generated names.
cpSync(join(from, 'dist/native.js'), join(to, 'native.js'));
cpSync(join(from, 'NODEJS_THIRD_PARTY_LICENSES.md'), join(to, 'NODEJS_THIRD_PARTY_LICENSES.md'));
writeFileSync(join(to, 'BUNDLED_LICENSES.md'), bundled.map(licenseOf).join('\n'));
const { name, version, license } = readJson(join(from, 'package.json'));
const manifest = { name, version, license, private: true, type: 'commonjs', main: 'index.js' };
writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

function excludedFiles(esbuild) {
  esbuild.onResolve({ filter: /\/native(\.js)?$/ }, () => ({
    path: './native.js',
    external: true,
  }));
  esbuild.onResolve({ filter: /^[^./]/ }, ({ path }) =>
    ['@lancedb/lancedb', ...bundled].includes(path) ? undefined : { path, external: true },
  );
}

function licenseOf(dependency) {
  const folder = join(modules, dependency);
  const found = readJson(join(folder, 'package.json'));
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copyright)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0)
    throw new Error(`${dependency} has no license file, which bundling requires`);
  return `# ${dependency} ${found.version}\n\n${texts.join('\n\n')}\n`;
}
