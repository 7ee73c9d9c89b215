import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Returns the names of version files that a power cut left empty. A killed process leaves none. */
async function emptyVersions(table: string): Promise<string[]> {
  const versions = join(table, '_versions');
  const names = (await nullIfMissing(readdir(versions))) ?? [];
  const paths = names.filter((name) => name.endsWith('.manifest')).map((n) => join(versions, n));
  const stats = await Promise.all(paths.map((path) => nullIfMissing(stat(path))));
  return paths.filter((_, at) => stats[at]?.size === 0);
}

/** Returns null if the file does not exist. Other read errors are thrown. */
async function nullIfMissing<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Moves empty version files of a table away, so that the last complete version counts. Returns their new folder, or
 * null if there were none.
 */
export async function quarantineVersions(table: string): Promise<string | null> {
  const empty = await emptyVersions(table);
  if (empty.length === 0) return null;
  const aside = await quarantineFolder(table);
  for (const path of empty) await rename(path, join(aside, basename(path)));
  return aside;
}

/** Moves a table into a quarantine folder and returns it. Creates a new folder by default. */
export async function quarantineTable(table: string, aside?: string): Promise<string> {
  const folder = aside ?? (await quarantineFolder(table));
  await nullIfMissing(rename(table, join(folder, basename(table))));
  return folder;
}

async function quarantineFolder(table: string): Promise<string> {
  // Without the extension of a table, LanceDB ignores it.
  const name = `damaged-${new Date().toISOString().replaceAll(':', '-')}`;
  const aside = join(dirname(table), name);
  await mkdir(aside, { recursive: true });
  return aside;
}
