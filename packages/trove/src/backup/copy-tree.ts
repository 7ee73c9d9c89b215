import { chmod, constants, copyFile, mkdir, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The number and size of files. */
export interface FileTotals {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Copies a file, or a folder with everything below it, readable only by the owner. Leaves out links, and files that are
 * deleted meanwhile. Does nothing if the path does not exist.
 */
export async function copyTree(from: string, to: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const found = await stat(from).catch(() => null);
  if (found?.isFile() === true) return copyOne(from, to);
  if (found?.isDirectory() !== true) return;
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (entry.isDirectory() || entry.isFile())
      await copyTree(join(from, entry.name), join(to, entry.name), signal);
  }
}

async function copyOne(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    await chmod(to, 0o600);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

/** Writes the files below a folder through to the disk, so they survive a power cut. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else await syncFile(path);
  }
}

export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Counts the files below a folder. */
export async function totalsOf(folder: string): Promise<FileTotals> {
  let files = 0;
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const below = await totalsOf(path);
      files += below.files;
      bytes += below.bytes;
    } else {
      const { size } = await stat(path).catch(() => ({ size: 0 }));
      files++;
      bytes += size;
    }
  }
  return { files, bytes };
}
