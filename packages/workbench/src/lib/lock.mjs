import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './workspaces.mjs';

const file = join(root, 'package-lock.json');

/** Reads package-lock.json. */
export function readLock() {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Writes package-lock.json with its packages in npm's order. */
export function writeLock(lock) {
  const byPlace = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  const packages = Object.fromEntries(byPlace);
  writeFileSync(file, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`);
}

/** Looks up a package in the lock file like Node: returns the place of `name` as seen from the package at `place`. */
function resolveInLock(packages, place, name) {
  for (let folder = place; ; folder = parent(folder)) {
    const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[candidate]) return candidate;
    if (folder === '') return undefined;
  }
}

/**
 * Returns the places of everything that installing some packages includes. `onMissing(place, name)` is called for
 * missing ones.
 */
export function installedWith(packages, places, onMissing = () => {}) {
  const visited = new Set();
  const pending = [...places];
  while (pending.length > 0) {
    const place = pending.pop();
    if (visited.has(place)) continue;
    visited.add(place);
    const { link, resolved, dependencies, optionalDependencies } = packages[place];
    if (link) pending.push(resolved);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = resolveInLock(packages, place, name);
      if (found) pending.push(found);
      else if (dependencies?.[name]) onMissing(place, name);
    }
  }
  return visited;
}

/** Returns the bytes of foreign packages that an installation of our package in `folder` includes on this machine. */
export function installBytes(folder) {
  const { packages } = readLock();
  return foreignBytes(packages, [...installedWith(packages, [folder])]);
}

/** Returns the bytes of foreign packages that some dependencies of our package in `folder` add to an installation. */
export function addedBytes(folder, names) {
  const { packages } = readLock();
  const { dependencies, ...manifest } = packages[folder];
  const others = Object.entries(dependencies).filter(([name]) => !names.includes(name));
  const reduced = { ...manifest, dependencies: Object.fromEntries(others) };
  const without = installedWith({ ...packages, [folder]: reduced }, [folder]);
  const added = [...installedWith(packages, [folder])].filter((place) => !without.has(place));
  return foreignBytes(packages, added);
}

function foreignBytes(packages, places) {
  return places
    .filter((place) => place.startsWith('node_modules/') && !packages[place].link)
    .reduce((sum, place) => sum + bytesOf(join(root, place)), 0);
}

/** A nested package counts separately. */
function bytesOf(folder) {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => join(folder, entry.name))
    .reduce((sum, path) => {
      const stats = statSync(path);
      return sum + (stats.isDirectory() ? bytesOf(path) : stats.size);
    }, 0);
}

/** Returns optional dependencies that the lock file names without an entry: `{ place, name, range }`. */
export function missingOptional({ packages }) {
  return Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => resolveInLock(packages, place, name) === undefined)
      .map(([name, range]) => ({ place, name, range })),
  );
}

/** Returns places of registry packages whose content `npm ci` cannot verify. */
export function unhashed({ packages }) {
  return Object.entries(packages)
    .filter(([place, { link, integrity }]) => isForeign(place) && !link && !integrity)
    .map(([place]) => place);
}

function isForeign(place) {
  return place.split('/').includes('node_modules');
}

function parent(place) {
  const cut = place.lastIndexOf('/');
  return cut === -1 ? '' : place.slice(0, cut);
}
