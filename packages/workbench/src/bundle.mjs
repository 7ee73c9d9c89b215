// Bundles the package that it is started in, after tsc built its dist: each entry of its exports, its command and its workers
// become a file in bundle/, and what they share a few more. A start loads hundreds of modules otherwise, which takes longer than
// all that it does. Other packages are left where they are, so that there is one of each.
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { build } from 'esbuild';

import { readJson } from './lib/workspaces.mjs';

const worker = /new URL\('(\.\/[\w-]+\.js)', import\.meta\.url\)/g;
/** From inside a folder it would mean another place once bundled. */
const fromInside = /new URL\((?!'\.\/)[^()]*import\.meta\.url\)/;

const modules = readdirSync('dist', { recursive: true })
  .filter((name) => name.endsWith('.js'))
  .map((name) => ({ path: join('dist', name), code: readFileSync(join('dist', name), 'utf8') }));
for (const { path, code } of modules) {
  if (dirname(path) !== 'dist' && fromInside.test(code)) {
    throw new Error(`${path} names a file beside it: only modules that stand in src itself may`);
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

/** Every entry's place in the bundle, and where tsc put it, which its types say. */
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

/** Modules that threads and processes begin with. */
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
