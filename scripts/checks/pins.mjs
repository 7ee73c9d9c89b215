// Every dependency is pinned to one exact version, the same everywhere, and the lock file agrees.
import { join } from 'node:path';

import { missingOptional, readLock } from '../lib/lock.mjs';
import { report } from '../lib/report.mjs';
import { readJson, root, workspaces } from '../lib/workspaces.mjs';

const EXACT = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$|^file:scripts\/absent$/;
const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies'];

const lock = readLock();
const locked = lock.packages;
const own = new Map(workspaces().map(({ manifest }) => [manifest.name, manifest.version]));
const places = [{ folder: '', manifest: readJson(join(root, 'package.json')) }, ...workspaces()];
const seen = new Map();
const problems = [];
let looked = 0;

for (const { folder, manifest } of places) {
  if (!locked[folder]) problems.push(`${folder} is not in package-lock.json: run npm install`);
  for (const kind of KINDS) {
    for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
      looked++;
      const problem = problemOf(folder, kind, name, version);
      if (problem) problems.push(`${folder || 'package.json'}: ${kind}.${name}: ${problem}`);
    }
  }
}
const left = missingOptional(lock).map(({ name }) => name);
if (left.length > 0) problems.push(`npm ci would miss ${left.join(', ')}: npm run lock:complete`);
report('pins', looked, 'dependencies', problems);

function problemOf(folder, kind, name, version) {
  if (!EXACT.test(version)) return `"${version}" is not one exact version`;
  if (locked[folder]?.[kind]?.[name] !== version)
    return 'not in package-lock.json: run npm install';
  if (own.has(name)) {
    return own.get(name) === version ? '' : `the workspace has version ${own.get(name)}`;
  }
  const before = seen.get(name) ?? version;
  seen.set(name, before);
  return before === version ? '' : `${version} here, ${before} elsewhere`;
}
