import { copyFile, open, rename } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';

/**
 * Writes a file that only its owner can read, and keeps a backup of the previous one. Returns the path of the
 * backup, or null.
 */
export async function replaceFile(path: string, text: string): Promise<string | null> {
  const backup = `${path}.bak`;
  const isReplaced = await copyFile(path, backup).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
      throw error;
    },
  );
  const draft = `${path}.${randomUUID()}.tmp`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  return isReplaced ? backup : null;
}
