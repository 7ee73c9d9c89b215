import { constants, type Stats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';

/** A file of a repository is a pipe, a device or another thing that reading could wait for without end. */
export class SpecialFileError extends Error {
  override readonly name = 'SpecialFileError';
  readonly path: string;

  constructor(path: string) {
    super(`${path} is no regular file`);
    this.path = path;
  }
}

/** Opens a regular file, null if there is none. Throws `SpecialFileError`, or the system's error. */
export async function openRegular(path: string): Promise<FileHandle | null> {
  const found = await statOf(path);
  if (found === null || found.isDirectory()) return null;
  if (!found.isFile()) throw new SpecialFileError(path);
  // What has taken its place meanwhile does not block either.
  return open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(nullIfAbsent);
}

/** The start of a regular file, as Latin-1, null if there is none. Throws `SpecialFileError`, or the system's error. */
export async function readStart(path: string, maxBytes: number): Promise<string | null> {
  const file = await openRegular(path);
  if (file === null) return null;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Facts about what is at a path, links resolved; null if there is nothing. Throws the system's error. */
export async function statOf(path: string): Promise<Stats | null> {
  return stat(path).catch(nullIfAbsent);
}

/** Null for an error that says that nothing is there; throws any other. */
export function nullIfAbsent(error: unknown): null {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return null;
  throw error;
}
