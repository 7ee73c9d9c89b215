import { createHash, type Hash } from 'node:crypto';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { setImmediate as immediate } from 'node:timers/promises';

import { fileAt, type LocalFile } from './files.js';

const pieceBytes = 1024 * 1024;
const turnMs = 50;

/** A file changed, grew or vanished after it was listed. */
export class ChangedError extends Error {
  override readonly name = 'ChangedError';
}

/** The bytes of a file, as many as it was listed with. Throws a `ChangedError`, or the system's error. */
export function* bytesOf({ at, size }: LocalFile): Generator<Uint8Array, void> {
  const file = openSync(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
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

/** The SHA-1 of each file by path; a file that cannot be read, or is not what it was, has none. Blocking calls are faster. */
export async function hashFiles(
  files: readonly LocalFile[],
  tell: (bytes: number) => Promise<void>,
): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  let turn = performance.now();
  for (const file of files) {
    const hash = createHash('sha1');
    const isRead = await hashOne(file, hash, async () => {
      if (performance.now() - turn < turnMs) return;
      await immediate();
      turn = performance.now();
    });
    if (isRead) hashes.set(file.path, hash.digest('hex'));
    await tell(file.size);
  }
  return hashes;
}

async function hashOne(file: LocalFile, hash: Hash, pause: () => Promise<void>): Promise<boolean> {
  try {
    for (const piece of bytesOf(file)) {
      hash.update(piece);
      await pause();
    }
    await pause();
    return isSame(file);
  } catch {
    return false;
  }
}

/** Whether the file system still says the same about a file. */
export function isSame(file: LocalFile): boolean {
  try {
    const now = fileAt(file.path, file.at);
    return now?.size === file.size && now.mtimeNs === file.mtimeNs && now.inode === file.inode;
  } catch {
    return false;
  }
}
