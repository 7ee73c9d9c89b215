import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository without a trailing slash. */
export const root = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/[\\/]$/, '');

/** Reads a JSON file. */
export function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Returns every workspace with a package.json: `{ folder, path, manifest }`, sorted by folder. */
export function workspaces() {
  const found = readJson(join(root, 'package.json'))
    .workspaces.flatMap((pattern) => foldersOf(pattern))
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .sort()
    .map((folder) => ({
      folder,
      path: join(root, folder),
      manifest: readJson(join(root, folder, 'package.json')),
    }));
  if (found.length === 0) throw new Error('found no workspace. Check `workspaces` in package.json');
  return found;
}

/** Returns the published workspaces, which are all but the private ones. */
export function publicPackages() {
  return workspaces().filter(({ manifest }) => manifest.private !== true);
}

function foldersOf(pattern) {
  if (!pattern.endsWith('/*')) return [pattern];
  const parent = pattern.slice(0, -2);
  if (!existsSync(join(root, parent))) return [];
  return readdirSync(join(root, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${parent}/${entry.name}`);
}
