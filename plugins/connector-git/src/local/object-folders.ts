import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { unquotePath } from '../quoted-path.js';
import { decodePath } from './layout.js';
import { nullIfAbsent, SpecialFileError, readStart, statOf } from './regular-file.js';

const maxAlternatesBytes = 1024 * 1024;
/** Git follows chains up to this length. */
const maxAlternatesDepth = 5;

/** Finds all folders from which git takes objects, including the first one. */
export async function findObjectFolders(first: string): Promise<string[]> {
  const folders = new Set([first]);
  let level = [first];
  for (let depth = 0; depth <= maxAlternatesDepth && level.length > 0; depth++) {
    const named = await Promise.all(level.map(alternatesOf));
    level = named.flat().filter((folder) => !folders.has(folder));
    for (const folder of level) folders.add(folder);
  }
  return [...folders];
}

async function alternatesOf(folder: string): Promise<string[]> {
  const text = await readStart(join(folder, 'info/alternates'), maxAlternatesBytes);
  return (text ?? '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => resolve(folder, line.startsWith('"') ? unquotePath(line) : decodePath(line)));
}

/** Returns the links in a folder of objects, because git follows them. Throws `SpecialFileError` for pipes and devices. */
export async function findLinks(folder: string): Promise<string[]> {
  const links: string[] = [];
  const visit = async (place: string, depth: number): Promise<void> => {
    const folders: string[] = [];
    for (const entry of await entriesOf(place)) {
      const path = join(place, entry.name);
      if (entry.isDirectory()) folders.push(path);
      if (entry.isDirectory() || entry.isFile()) continue;
      const found = await statOf(path);
      if (found === null) continue;
      if (entry.isSymbolicLink()) links.push(path);
      if (found.isDirectory()) folders.push(path);
      else if (!found.isFile()) throw new SpecialFileError(path);
    }
    if (depth > 0) await Promise.all(folders.map((each) => visit(each, depth - 1)));
  };
  // objects/info/commit-graphs/… is the deepest path.
  await visit(folder, 2);
  return links;
}

/** Lists a folder. Git ignores missing folders. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    return nullIfAbsent(error) ?? [];
  }
}
