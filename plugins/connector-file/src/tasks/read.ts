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

/** Files up to this size are sent in one piece, larger ones in smaller pieces, a few at a time. */
const maxSinglePieceBytes = 1024 * 1024;
const pieceBytes = 64 * 1024;

/**
 * A range of one file: its bytes as the result or, if they are many, in pieces with null as the result. What is added
 * after it was opened is left out: a file may grow faster than it is read. Throws
 * `not_found` for anything that does not exist, is not a regular file or is outside the root, `is_directory` for a
 * folder, and `path_not_allowed` for files this user may not read and for Trove's own.
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

/** Bytes of a file in a new buffer; fewer only at its end. */
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

/** Opens a regular file inside the root, whatever links lead to it and whoever moves folders meanwhile. */
function openFile(source: FileSource, path: string): number {
  const root = openRoot(source);
  const place = diskPathOf(root, path);
  if (place === null) throw notFoundError(path);
  try {
    const real = realPathOf(place);
    if (!isInside(root, real)) throw notFoundError(path);
    if (isDenied(root, real)) throw notAllowedError(path);
    return openUnchanged(real, path);
  } catch (error) {
    throw readError(path, error);
  }
}

/** Opens what was examined, and nothing that has replaced it since. */
function openUnchanged(real: string, path: string): number {
  const seen = lstatSync(real);
  if (seen.isDirectory()) throw new TroveError('is_directory', `"${path}" is a folder.`);
  // Opening a pipe would block, and a device may do anything.
  if (!seen.isFile()) throw notFoundError(path);
  const file = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const opened = fstatSync(file);
  const isSame = opened.ino === seen.ino && opened.dev === seen.dev;
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
      // A file this user may not read says nothing about the source: five in a row must not end a job.
      return new TroveError('path_not_allowed', `"${path}" may not be read by this user.`, {
        suggestions: ['Give the user that the server runs as the right to read it.'],
        cause: error,
      });
    default:
      return error;
  }
}
