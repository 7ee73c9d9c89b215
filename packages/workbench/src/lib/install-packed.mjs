import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { runNpm } from './run.mjs';
import { readJson, root } from './workspaces.mjs';

/** Files and settings that would make npm do more than link a package. */
const unwanted = [
  'scripts',
  'bin',
  'dependencies',
  'optionalDependencies',
  'peerDependencies',
  'devDependencies',
];

/**
 * Creates an app in a folder that depends on some packed packages of ours, and lets npm install them from their
 * tarballs (see `pack`). Needs no registry, because other dependencies and `tools` are borrowed from the clone
 * beforehand. An undeclared dependency is missing, as for a user.
 */
export async function installPacked(folder, packed, names, tools = []) {
  const own = new Map(packed.map((one) => [one.manifest.name, one]));
  const wanted = closure(names, own);
  const foreign = wanted.flatMap(({ manifest, path }) =>
    dependencies(manifest)
      .filter((name) => !own.has(name))
      .map((name) => ({ name, from: installedFor(path, name) })),
  );
  const borrowed = [...foreign, ...tools.map((name) => ({ name, from: installedFor(root, name) }))];
  for (const { name, from } of borrowed) borrow(from, join(folder, 'node_modules', name));
  const manifest = {
    name: 'app',
    private: true,
    type: 'module',
    dependencies: Object.fromEntries(
      wanted.map((one) => [one.manifest.name, `file:${one.tarball}`]),
    ),
    devDependencies: Object.fromEntries(tools.map((name) => [name, '*'])),
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const { code, output } = await runNpm(
    [
      'install',
      '--offline',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `--cache=${join(folder, '.npm')}`,
      `--prefix=${folder}`,
    ],
    { capture: true, cwd: folder, env: withoutNpmSettings() },
  );
  if (code !== 0) throw new Error(`npm install of ${names.join(', ')} failed\n${output}`);
}

/** Returns our packages that an installation of some of them includes. */
function closure(names, own) {
  const found = new Set();
  const pending = [...names];
  while (pending.length > 0) {
    const one = own.get(pending.pop());
    if (one === undefined || found.has(one)) continue;
    found.add(one);
    pending.push(...Object.keys(one.manifest.dependencies ?? {}));
  }
  return [...found];
}

function dependencies({ dependencies: required, optionalDependencies: optional }) {
  return Object.keys({ ...required, ...optional });
}

/** Returns the path of a package in the clone, or undefined for a package of another platform. */
function installedFor(path, name) {
  return [path, root]
    .map((folder) => join(folder, 'node_modules', name))
    .find((place) => existsSync(place));
}

/**
 * Creates a package whose files are links into the clone, where they find their own dependencies. The folder itself is
 * not a link, because npm 10 runs scripts in linked packages.
 */
function borrow(from, to) {
  if (from === undefined || existsSync(to)) return;
  mkdirSync(to, { recursive: true });
  const manifest = Object.entries(readJson(join(from, 'package.json')));
  const kept = Object.fromEntries(manifest.filter(([key]) => !unwanted.includes(key)));
  writeFileSync(join(to, 'package.json'), JSON.stringify(kept));
  for (const name of readdirSync(from)) {
    if (name !== 'package.json' && name !== 'node_modules') {
      symlinkSync(join(from, name), join(to, name));
    }
  }
}

/** Removes settings of a parent npm process, which refer to the clone, its workspaces and a registry. */
export function withoutNpmSettings() {
  const names = Object.keys(process.env).filter((name) => /^npm_config_/i.test(name));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}
