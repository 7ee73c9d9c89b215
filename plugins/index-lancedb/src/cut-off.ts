import { readdir, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Moves a table away if the power failed while it was written: the disk then has the name of a version, but nothing in
 * it. A process that is killed leaves none of these, nor does one that is writing. Returns where it is now, or null.
 */
export async function setAsideIfCutOff(table: string): Promise<string | null> {
  const versions = join(table, '_versions');
  const names = await readdir(versions).catch(() => []);
  const manifests = names.filter((name) => name.endsWith('.manifest'));
  const sizes = manifests.map(async (name) => (await stat(join(versions, name))).size);
  if (!(await Promise.all(sizes)).includes(0)) return null;
  // Without the ending of a table it is none.
  const aside = join(dirname(table), `damaged-${new Date().toISOString().replaceAll(':', '-')}`);
  await rename(table, aside);
  return aside;
}
