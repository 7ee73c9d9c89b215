// Bundles LanceDB's JavaScript, and Arrow as it uses it, into the package of the index. Its own package.json asks for embedding
// libraries, half a gigabyte that nothing here uses; without it an install brings only the native library of its platform. One
// file is loaded in a sixth of the time that its two hundred modules take.
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'esbuild';

import { readJson, root } from './lib/workspaces.mjs';

/** What of its dependencies LanceDB loads; whatever else it names is for embedding, and is not there. */
const bundled = ['apache-arrow', 'flatbuffers', 'tslib', 'reflect-metadata', '@opentelemetry/api'];

const modules = join(root, 'node_modules');
const from = join(modules, '@lancedb/lancedb');
const to = join(root, 'plugins/index-lancedb/lancedb');

rmSync(to, { recursive: true, force: true });
mkdirSync(to);
await build({
  stdin: {
    // What a query returns, before Arrow has read it, LanceDB shows to its own classes only.
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
// It looks for the library of its platform, by names that are made up there.
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
  if (texts.length === 0) throw new Error(`${dependency} has no license to bundle it with`);
  return `# ${dependency} ${found.version}\n\n${texts.join('\n\n')}\n`;
}
