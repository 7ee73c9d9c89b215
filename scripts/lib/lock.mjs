import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './workspaces.mjs';

const FILE = join(root, 'package-lock.json');

/** package-lock.json as npm wrote it. */
export function readLock() {
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

/** Writes package-lock.json with its packages in npm's order. */
export function writeLock(lock) {
  const byPlace = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  const packages = Object.fromEntries(byPlace);
  writeFileSync(FILE, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`);
}

/** Node's lookup in the lock file: the place of `name` as seen from the package at `place`. */
export function resolveInLock(packages, place, name) {
  for (let folder = place; ; folder = parent(folder)) {
    const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[candidate]) return candidate;
    if (folder === '') return undefined;
  }
}

/** Optional dependencies that the lock file names but does not describe: `{ place, name, range }`. */
export function missingOptional({ packages }) {
  return Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => resolveInLock(packages, place, name) === undefined)
      .map(([name, range]) => ({ place, name, range })),
  );
}

function parent(place) {
  const cut = place.lastIndexOf('/');
  return cut === -1 ? '' : place.slice(0, cut);
}
