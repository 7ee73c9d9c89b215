import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Returns the bytes of the files below a folder. Files removed during the walk may or may not count. `opendir` of Node 20
 * leaves out entries of large folders.
 */
export async function folderSize(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const stats = await stat(join(entry.parentPath, entry.name)).catch(() => null);
    bytes += stats?.size ?? 0;
  }
  return bytes;
}
