import { constants, type Stats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';

/** Thrown when a file of a repository is a pipe, a device or another file that could block forever. */
export class SpecialFileError extends Error {
  override readonly name = 'SpecialFileError';
  readonly path: string;

  constructor(path: string) {
    super(`${path} is not a regular file`);
    this.path = path;
  }
}

/** Opens a regular file; null if it does not exist. Throws `SpecialFileError` or the system's error. */
export async function openRegular(path: string): Promise<FileHandle | null> {
  const stats = await statOf(path);
  if (stats === null || stats.isDirectory()) return null;
  if (!stats.isFile()) throw new SpecialFileError(path);
  // O_NONBLOCK protects against a pipe that has replaced the file.
  return open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(nullIfAbsent);
}

/** Reads the start of a regular file as Latin-1; null if it does not exist. Throws like `openRegular`. */
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

/** Returns the stats of a path with links resolved; null if nothing exists. Throws the system's error. */
export async function statOf(path: string): Promise<Stats | null> {
  return stat(path).catch(nullIfAbsent);
}

/** Returns null if an error means that a path does not exist, and rethrows other errors. */
export function nullIfAbsent(error: unknown): null {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return null;
  throw error;
}
