import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of the files below a folder; what is removed meanwhile counts or does not. */
export async function folderSize(folder: string): Promise<number> {
  let bytes = 0;
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (!entry.isFile()) continue;
    const stats = await stat(join(entry.parentPath, entry.name)).catch(() => null);
    bytes += stats?.size ?? 0;
  }
  return bytes;
}
