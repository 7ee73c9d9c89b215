import { realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';

/** An absolute path with its links resolved as far as it exists. */
export async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(await realPathOf(folder), basename(path));
  }
}

/** Whether a real path is the folder or inside it. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
