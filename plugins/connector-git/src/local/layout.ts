import { join, resolve } from 'node:path';

import { readStart, statOf } from './regular-file.js';

/** Where git keeps what belongs to a repository. */
export interface RepositoryLayout {
  /** What belongs to one working tree, such as its HEAD. */
  readonly gitDir: string;
  /** What all working trees share; the same folder for most repositories. */
  readonly commonDir: string;
}

/** The file that names the commits whose parents a shallow clone lacks. */
export function shallowFileOf({ commonDir }: RepositoryLayout): string {
  return join(commonDir, 'shallow');
}

const maxPathBytes = 8192;

/** The repository of a folder: its `.git`, a folder or a file that names one, or the folder itself; null if there is none. */
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

/** A path as a file of git names it: its bytes, up to the end of the line. */
export function decodePath(latin1: string): string {
  return Buffer.from(latin1.replace(/\r?\n?$/, ''), 'latin1').toString('utf8');
}
