import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Names of versions that a power cut has left without anything in them. A process that is killed leaves none of these. */
async function emptyVersions(table: string): Promise<string[]> {
  const versions = join(table, '_versions');
  const names = (await nullIfMissing(readdir(versions))) ?? [];
  const paths = names.filter((name) => name.endsWith('.manifest')).map((n) => join(versions, n));
  const stats = await Promise.all(paths.map((path) => nullIfMissing(stat(path))));
  return paths.filter((_, at) => stats[at]?.size === 0);
}

/** Null for what is not there. What cannot be read may be anything, and is left as it is. */
async function nullIfMissing<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Moves away what a power cut has left empty of a table's versions, so that the last whole one counts. Returns the folder
 * where it is now, or null if there was nothing of the kind.
 */
export async function quarantineVersions(table: string): Promise<string | null> {
  const empty = await emptyVersions(table);
  if (empty.length === 0) return null;
  const aside = await quarantineFolder(table);
  for (const path of empty) await rename(path, join(aside, basename(path)));
  return aside;
}

/** Moves a table into a folder for what is damaged: by default a new one, which is returned. */
export async function quarantineTable(table: string, aside?: string): Promise<string> {
  const folder = aside ?? (await quarantineFolder(table));
  await nullIfMissing(rename(table, join(folder, basename(table))));
  return folder;
}

async function quarantineFolder(table: string): Promise<string> {
  // Without the ending of a table it is none.
  const name = `damaged-${new Date().toISOString().replaceAll(':', '-')}`;
  const aside = join(dirname(table), name);
  await mkdir(aside, { recursive: true });
  return aside;
}
