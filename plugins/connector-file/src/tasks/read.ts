import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { TroveError, type ByteRange } from '@trove/core';

import { isOpenedAt, realPathOf } from '@trove/core/local';
import {
  isInside,
  isDenied,
  notAllowedError,
  notFoundError,
  openRoot,
  diskPathOf,
  systemCodeOf,
  type FileSource,
} from '../source/root.js';

export interface ReadTask extends FileSource {
  readonly path: string;
  readonly range: ByteRange;
}

/** Ranges up to this size are sent in one piece, larger ones in pieces of `pieceBytes`. */
const maxSinglePieceBytes = 1024 * 1024;
const pieceBytes = 64 * 1024;

/**
 * Reads a range of one file. Returns a small range as one piece. Yields a large range in pieces and returns null. Leaves
 * out bytes that are appended after opening, because a file may grow faster than it is read. Throws `not_found` for missing
 * and special files and outside the root, `is_directory` for a folder, and `path_not_allowed` for unreadable files and
 * Trove's own files.
 */
export function* read({
  path,
  range,
  ...source
}: ReadTask): Generator<Uint8Array[], Uint8Array | null> {
  const file = openFile(source, path);
  try {
    const end = Math.min(range.end ?? Infinity, fstatSync(file).size);
    const size = Math.max(0, end - range.start);
    if (size <= maxSinglePieceBytes) return readUpTo(file, range.start, size);
    for (let at = range.start; at < end;) {
      const piece = readUpTo(file, at, Math.min(pieceBytes, end - at));
      if (piece.length === 0) break;
      at += piece.length;
      yield [piece];
    }
    return null;
  } finally {
    closeSync(file);
  }
}

/** Reads bytes into a new buffer. Returns fewer bytes only at the end of the file. */
function readUpTo(file: number, from: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(file, bytes, filled, size - filled, from + filled);
    if (count === 0) return bytes.slice(0, filled);
    filled += count;
  }
  return bytes;
}

/** Opens a regular file inside the root. Links and moved folders cannot lead outside. */
function openFile(source: FileSource, path: string): number {
  const root = openRoot(source);
  const at = diskPathOf(root, path);
  if (at === null) throw notFoundError(path);
  try {
    const real = realPathOf(at);
    if (!isInside(root, real)) throw notFoundError(path);
    if (isDenied(root, real)) throw notAllowedError(path);
    return openUnchanged(real, path);
  } catch (error) {
    throw readError(path, error);
  }
}

/** Opens the examined file. Throws `not_found` if another file has replaced it. */
function openUnchanged(real: string, path: string): number {
  const examined = lstatSync(real);
  if (examined.isDirectory()) throw new TroveError('is_directory', `"${path}" is a folder.`);
  // Opening a pipe would block, and opening a device may have side effects.
  if (!examined.isFile()) throw notFoundError(path);
  const file = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const opened = fstatSync(file);
  const isSame = opened.ino === examined.ino && opened.dev === examined.dev;
  if (isSame && isOpenedAt(file, real)) return file;
  closeSync(file);
  throw notFoundError(path);
}

function readError(path: string, error: unknown): unknown {
  switch (systemCodeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ELOOP':
    case 'ENAMETOOLONG':
      return notFoundError(path);
    case 'EACCES':
    case 'EPERM':
      // An unreadable file must not count as a failure of the source. Five of those in a row end a job.
      return new TroveError('path_not_allowed', `"${path}" may not be read by this user.`, {
        suggestions: ['Allow the user that runs the server to read it.'],
        cause: error,
      });
    default:
      return error;
  }
}
