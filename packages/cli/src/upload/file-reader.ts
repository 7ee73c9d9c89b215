import { createHash, type Hash } from 'node:crypto';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { setImmediate as immediate } from 'node:timers/promises';

import { fileAt, type LocalFile } from './files.js';

const pieceBytes = 1024 * 1024;
const sliceMs = 50;

/** A file changed, grew or vanished after it was listed. */
export class ChangedError extends Error {
  override readonly name = 'ChangedError';
}

/** Yields the listed number of bytes of a file. Throws a `ChangedError`, or the system's error. */
export function* readBytes({ absolutePath, size }: LocalFile): Generator<Uint8Array, void> {
  const file = openSync(
    absolutePath,
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  );
  try {
    for (let left = size; left > 0;) {
      const piece = Buffer.allocUnsafe(Math.min(left, pieceBytes));
      const count = readSync(file, piece);
      if (count === 0) throw new ChangedError();
      left -= count;
      yield piece.subarray(0, count);
    }
  } finally {
    closeSync(file);
  }
}

/** Hashes files with SHA-1 by path. Omits unreadable and changed files. Blocking reads are faster. */
export async function hashFiles(
  files: readonly LocalFile[],
  onHashed: (bytes: number) => Promise<void>,
): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  let turn = performance.now();
  for (const file of files) {
    const hash = createHash('sha1');
    const isRead = await hashOne(file, hash, async () => {
      if (performance.now() - turn < sliceMs) return;
      await immediate();
      turn = performance.now();
    });
    if (isRead) hashes.set(file.path, hash.digest('hex'));
    await onHashed(file.size);
  }
  return hashes;
}

async function hashOne(file: LocalFile, hash: Hash, pause: () => Promise<void>): Promise<boolean> {
  try {
    for (const piece of readBytes(file)) {
      hash.update(piece);
      await pause();
    }
    await pause();
    return isUnchanged(file);
  } catch {
    return false;
  }
}

/** Tests if the metadata of a file is unchanged. */
export function isUnchanged(file: LocalFile): boolean {
  try {
    const now = fileAt(file.path, file.absolutePath);
    return now?.size === file.size && now.mtimeNs === file.mtimeNs && now.inode === file.inode;
  } catch {
    return false;
  }
}
