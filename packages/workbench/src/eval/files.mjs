import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the folders in `folder` (or itself) that contain all of these files. */
export async function foldersWith(names, folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  const present = new Set(entries.map(({ name }) => name));
  if (names.every((name) => present.has(name))) return [folder];
  const found = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => foldersWith(names, join(folder, name))),
  );
  return found.flat().toSorted();
}

/** Reads the values in a JSON Lines file. */
export async function readJsonLines(path) {
  const text = await readFile(path, 'utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}
