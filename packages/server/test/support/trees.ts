import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns absolute paths of all uploaded trees below this home, current or not, of all databases. */
export async function treesIn(home: string): Promise<string[]> {
  const folders = await folderNames(join(home, 'uploads'));
  return (await Promise.all(folders.map(folderNames))).flat().sort();
}

async function folderNames(path: string): Promise<string[]> {
  const names = await readdir(path).catch(() => []);
  return names.map((name) => join(path, name));
}
