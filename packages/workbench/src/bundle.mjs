// Bundles the package in the current folder after tsc has built its dist. Each entry of its exports, its command and
// its workers become a file in bundle/, with a few shared files. A start would otherwise load hundreds of modules,
// which takes longer than all other work. Other packages stay external, so that each exists once.
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { build } from 'esbuild';

import { readJson } from './lib/workspaces.mjs';

const worker = /new URL\('(\.\/[\w-]+\.js)', import\.meta\.url\)/g;
/** A URL inside a subfolder would point elsewhere after bundling. */
const fromInside = /new URL\((?!'\.\/)[^()]*import\.meta\.url\)/;

const modules = readdirSync('dist', { recursive: true })
  .filter((name) => name.endsWith('.js'))
  .map((name) => ({ path: join('dist', name), code: readFileSync(join('dist', name), 'utf8') }));
for (const { path, code } of modules) {
  if (dirname(path) !== 'dist' && fromInside.test(code)) {
    throw new Error(`${path} refers to a file beside it. Only modules directly in src may do that`);
  }
}

rmSync('bundle', { recursive: true, force: true });
await build({
  entryPoints: { ...exported(), ...command(), ...workers() },
  outdir: 'bundle',
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  sourcemap: true,
  logLevel: 'warning',
});

/** Returns every entry's place in the bundle and its tsc output from its types. */
function exported() {
  const { exports } = readJson('package.json');
  const entries = Object.values(exports).filter(({ types }) => types !== undefined);
  return Object.fromEntries(
    entries.map((entry) => [
      basename(entry.default, '.js'),
      entry.types.replace(/\.d\.ts$/, '.js'),
    ]),
  );
}

function command() {
  return existsSync('dist/bin.js') ? { bin: 'dist/bin.js' } : {};
}

/** Returns the entry modules of threads and processes. */
function workers() {
  return Object.fromEntries(
    modules.flatMap(({ path, code }) =>
      [...code.matchAll(worker)].map(([, name]) => [
        basename(name, '.js'),
        join(dirname(path), name),
      ]),
    ),
  );
}
