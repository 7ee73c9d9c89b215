import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const BUILT = /\.(js|d\.ts)(\.map)?$/;
const SOURCES = ['.ts', '.js'];

/** Files in a workspace's dist, relative to it, whose source is gone. */
export function staleFiles(path) {
  const dist = join(path, 'dist');
  if (!existsSync(dist)) return [];
  return readdirSync(dist, { recursive: true })
    .filter((file) => BUILT.test(file))
    .filter((file) => {
      const stem = join(path, 'src', file.replace(BUILT, ''));
      return !SOURCES.some((ending) => existsSync(stem + ending));
    })
    .map((file) => join('dist', file));
}
