import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const built = /\.(js|d\.ts)(\.map)?$/;
const sources = ['.ts', '.js'];

/** Returns files in a workspace's dist without a source, relative to it. */
export function staleFiles(path) {
  const dist = join(path, 'dist');
  if (!existsSync(dist)) return [];
  return readdirSync(dist, { recursive: true })
    .filter((file) => built.test(file))
    .filter((file) => {
      const stem = join(path, 'src', file.replace(built, ''));
      return !sources.some((ending) => existsSync(stem + ending));
    })
    .map((file) => join('dist', file));
}
