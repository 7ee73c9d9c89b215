// Checks that every dependency has one exact version, the same everywhere, and that the lock file agrees and has its
// hash.
import { join } from 'node:path';

import { missingOptional, readLock, unhashed } from '../lib/lock.mjs';
import { report } from '../lib/report.mjs';
import { readJson, root, workspaces } from '../lib/workspaces.mjs';

const exactVersion = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$|^file:packages\/workbench\/absent$/;
/** Packages that the registry did not serve when the lock file was completed, by exact version. */
const unserved = [
  '@lancedb/lancedb-darwin-arm64@0.37.1',
  '@lancedb/lancedb-linux-arm64-gnu@0.37.1',
  '@lancedb/lancedb-linux-arm64-musl@0.37.1',
  '@lancedb/lancedb-win32-arm64-msvc@0.37.1',
  '@lancedb/lancedb-win32-x64-msvc@0.37.1',
];
const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'];

const lock = readLock();
const locked = lock.packages;
const own = new Map(workspaces().map(({ manifest }) => [manifest.name, manifest.version]));
const places = [{ folder: '', manifest: readJson(join(root, 'package.json')) }, ...workspaces()];
const seen = new Map();
const problems = [];
let looked = 0;

for (const { folder, manifest } of places) {
  if (!locked[folder]) problems.push(`${folder} is not in package-lock.json: run npm install`);
  for (const kind of kinds) {
    for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
      looked++;
      const problem = problemOf(folder, kind, name, version);
      if (problem) problems.push(`${folder || 'package.json'}: ${kind}.${name}: ${problem}`);
    }
  }
}
const left = missingOptional(lock).map(({ name }) => name);
if (left.length > 0) problems.push(`npm ci would miss ${left.join(', ')}: npm run lock:complete`);
const withoutHash = unhashed(lock).map(
  (place) => `${place.split('node_modules/').at(-1)}@${locked[place].version}`,
);
for (const name of withoutHash.filter((each) => !unserved.includes(each)))
  problems.push(`${name} has no integrity in package-lock.json: run npm run lock:complete`);
for (const name of unserved.filter((each) => !withoutHash.includes(each)))
  problems.push(`${name} is not without integrity: remove it from UNSERVED in this check`);
report('pins', looked, 'dependencies', problems);

function problemOf(folder, kind, name, version) {
  if (!exactVersion.test(version)) return `"${version}" is not one exact version`;
  if (locked[folder]?.[kind]?.[name] !== version)
    return 'not in package-lock.json. Run npm install';
  if (own.has(name)) {
    return own.get(name) === version ? '' : `the workspace has version ${own.get(name)}`;
  }
  const before = seen.get(name) ?? version;
  seen.set(name, before);
  return before === version ? '' : `${version} here, ${before} elsewhere`;
}
