import { join, resolve } from 'node:path';

import { readStart, statOf } from './regular-file.js';

/** The folders of a repository. */
export interface RepositoryLayout {
  /** The folder of one working tree, with its HEAD. */
  readonly gitDir: string;
  /** The folder that all working trees share. In most repositories, it is the same folder. */
  readonly commonDir: string;
}

/** Returns the path of the file that lists the commits whose parents a shallow clone lacks. */
export function shallowFileOf({ commonDir }: RepositoryLayout): string {
  return join(commonDir, 'shallow');
}

const maxPathBytes = 8192;

/** Finds the repository of a folder: `.git` as a folder or a file with a path, or the folder itself. Returns null for none. */
export async function findLayout(folder: string): Promise<RepositoryLayout | null> {
  const inside = join(folder, '.git');
  const named = await readStart(inside, maxPathBytes);
  if (named !== null) {
    const [, path] = /^gitdir: (.+)/.exec(named) ?? [];
    return path === undefined ? null : layoutOf(resolve(folder, decodePath(path)));
  }
  return (await layoutOf(inside)) ?? (await layoutOf(folder));
}

async function layoutOf(gitDir: string): Promise<RepositoryLayout | null> {
  const shared = await readStart(join(gitDir, 'commondir'), maxPathBytes);
  const [line = '.'] = shared?.split('\n') ?? [];
  const commonDir = resolve(gitDir, decodePath(line));
  const isRepository =
    (await readStart(join(gitDir, 'HEAD'), maxPathBytes)) !== null &&
    (await isFolder(join(commonDir, 'objects'))) &&
    (await isFolder(join(commonDir, 'refs')));
  return isRepository ? { gitDir, commonDir } : null;
}

async function isFolder(path: string): Promise<boolean> {
  return (await statOf(path))?.isDirectory() === true;
}

/** Decodes a path from a file of git that was read as Latin-1. Drops the end of the line. */
export function decodePath(latin1: string): string {
  return Buffer.from(latin1.replace(/\r?\n?$/, ''), 'latin1').toString('utf8');
}
