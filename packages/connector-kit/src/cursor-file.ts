import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A longer cursor is stored in a file. */
const maxInlineChars = 50_000;
/** A longer cursor cannot be stored without a folder. */
const maxStoredChars = 1_000_000;
const fileNamePattern = /^cursor-[\w-]{16}\.json$/;

/**
 * Returns a short cursor unchanged, otherwise the name of its file, or null if it cannot be stored. Keeps the file of
 * `previous`, because that cursor is used again if the job fails.
 */
export async function storeCursor(
  cursor: unknown,
  previous: unknown,
  folder: string | undefined,
): Promise<unknown> {
  const text = JSON.stringify(cursor);
  if (text.length <= maxInlineChars) return cursor;
  if (folder === undefined) return text.length <= maxStoredChars ? cursor : null;
  const file = `cursor-${createHash('sha256').update(text).digest('base64url').slice(0, 16)}.json`;
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${file}.${process.pid}`), text);
    await rename(join(folder, `${file}.${process.pid}`), join(folder, file));
    for (const name of await readdir(folder))
      if (fileNamePattern.test(name) && name !== file && name !== fileOf(previous))
        await rm(join(folder, name), { force: true });
    return { file };
  } catch {
    // For example on a full disk. The next sync then lists everything.
    return null;
  }
}

/** Returns the cursor, or null if its file is missing. */
export async function loadCursor(cursor: unknown, folder: string | undefined): Promise<unknown> {
  const file = fileOf(cursor);
  if (file === null) return cursor;
  try {
    return JSON.parse(await readFile(join(folder ?? '', file), 'utf8'));
  } catch {
    return null;
  }
}

function fileOf(cursor: unknown): string | null {
  if (typeof cursor !== 'object' || cursor === null || !('file' in cursor)) return null;
  return typeof cursor.file === 'string' && fileNamePattern.test(cursor.file) ? cursor.file : null;
}
