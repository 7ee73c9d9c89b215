// Checks that all packages installed with ours run on the lowest Node version that ours support.
import { join } from 'node:path';

import semver from 'semver';

import { installedWith, readLock } from '../lib/lock.mjs';
import { report } from '../lib/report.mjs';
import { publicPackages, readJson, root, workspaces } from '../lib/workspaces.mjs';

const { packages: locked } = readLock();
const floor = semver.minVersion(readJson(join(root, 'package.json')).engines.node).version;
const problems = workspaces()
  .filter(({ manifest }) => semver.minVersion(manifest.engines?.node ?? '0')?.version !== floor)
  .map(({ folder }) => `${folder}: engines.node must be ">=${floor}" as at the root`);

const published = publicPackages().map(({ folder }) => folder);
const visited = installedWith(locked, published, (place, name) =>
  problems.push(`${place}: ${name} is not in package-lock.json`),
);
const foreign = [...visited].filter(
  (place) => place.startsWith('node_modules/') && !locked[place].link,
);
for (const place of foreign) {
  const { version, engines } = locked[place];
  const range = engines?.node;
  if (range && !semver.satisfies(floor, range)) {
    problems.push(`${place}@${version} wants Node ${range}, ours promises ${floor}`);
  }
}
report('engines', foreign.length, 'runtime packages', problems);
