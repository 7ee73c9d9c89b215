import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the bytes of the files below a folder. Files removed during the walk may or may not count. */
export async function folderSize(folder: string): Promise<number> {
  let bytes = 0;
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (!entry.isFile()) continue;
    const stats = await stat(join(entry.parentPath, entry.name)).catch(() => null);
    bytes += stats?.size ?? 0;
  }
  return bytes;
}
