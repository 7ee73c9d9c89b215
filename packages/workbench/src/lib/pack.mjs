import { join } from 'node:path';

import { runNpm } from './run.mjs';

/**
 * Packs packages into a folder as for publishing, all at once. Returns each with the path of its `tarball` and the
 * paths of its `files`.
 */
export async function pack(packages, folder) {
  if (packages.length === 0) return [];
  const names = packages.map(({ manifest }) => `--workspace=${manifest.name}`);
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, ...names];
  const { code, stdout, output } = await runNpm(args, { capture: true });
  if (code !== 0) throw new Error(`npm pack failed\n${output}`);
  const results = new Map(Object.values(JSON.parse(stdout)).map((result) => [result.name, result]));
  return packages.map((one) => {
    const { filename, files } = results.get(one.manifest.name);
    return { ...one, tarball: join(folder, filename), files: files.map(({ path }) => path) };
  });
}
