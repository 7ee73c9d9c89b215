import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const homeParents = new Set(['/home', '/Users']);

/** Describes why a target is probably larger than intended, such as "a home folder". Returns null for other targets. */
export async function describeLargeTarget(target: string): Promise<string | null> {
  const path = localPathOf(target);
  if (path === null) return null;
  const real = await realpath(path).catch(() => path);
  if (real === '/') return 'the whole machine';
  if (homeParents.has(real)) return 'the parent folder of all homes';
  const home = await realpath(homedir()).catch(() => homedir());
  const isHome = real === home || real === '/root' || homeParents.has(dirname(real));
  if (isHome) return 'a home folder';
  return (await isMountPoint(real)) ? 'a whole disk' : null;
}

/** Returns the local path of a target, or null. */
export function localPathOf(target: string): string | null {
  if (target.startsWith('/')) return target;
  try {
    return resolve(fileURLToPath(target.replace(/^file:\/\/local(?=\/|$)/, 'file://')));
  } catch {
    return null;
  }
}

async function isMountPoint(path: string): Promise<boolean> {
  try {
    const [folder, parent] = await Promise.all([stat(path), stat(dirname(path))]);
    return folder.isDirectory() && folder.dev !== parent.dev;
  } catch {
    return false;
  }
}
