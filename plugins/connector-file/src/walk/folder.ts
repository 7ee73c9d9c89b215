import { isUtf8 } from 'node:buffer';
import { closeSync, constants, openSync, readdirSync, type Dirent } from 'node:fs';

import { platform } from 'node:os';

import { isOpenedAt } from '@trove/core/local';
import { systemCodeOf } from '../source/root.js';

export type FolderEntry = Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

/** The content of one folder, sorted by name. */
export interface FolderContent {
  readonly entries: readonly FolderEntry[];
  /** Names that are not valid UTF-8, with invalid bytes written as `\xff`. */
  readonly undecodable: readonly string[];
}

export const permissionDenied = 'permission denied';
const replacedReason = 'it was replaced while it was read';
const isLinux = platform() === 'linux';

/** Stands for a folder whose path is too long to open. Unlike other failures, this one is permanent. */
export const pathTooLong = Symbol('too long');

/**
 * Reads a folder by a path without links. Does not enter a link that has replaced the folder. Returns the reason as text
 * if the folder cannot be read.
 */
export function readFolder(at: string): FolderContent | string | typeof pathTooLong {
  try {
    const folder = openSync(at, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      if (!isOpenedAt(folder, at)) return replacedReason;
      // Reads through the open folder, because it cannot be replaced.
      return contentOf(isLinux ? `/proc/self/fd/${folder}` : at);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    return systemCodeOf(error) === 'ENAMETOOLONG' ? pathTooLong : reasonOf(error);
  }
}

function contentOf(at: string): FolderContent {
  const entries = readdirSync(at, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  if (!entries.some((entry) => entry.name.includes('\ufffd'))) return { entries, undecodable: [] };
  return readByteNames(at);
}

/** Reads names as bytes, because decoding turns invalid bytes into U+FFFD. */
function readByteNames(at: string): FolderContent {
  const all = readdirSync(at, { withFileTypes: true, encoding: 'buffer' });
  const entries = all
    .filter(({ name }) => isUtf8(name))
    .map((entry): FolderEntry => ({
      name: String(entry.name),
      isFile: () => entry.isFile(),
      isDirectory: () => entry.isDirectory(),
      isSymbolicLink: () => entry.isSymbolicLink(),
    }));
  const valid = new Set(entries.map(({ name }) => name));
  return {
    entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)),
    undecodable: all
      .map(({ name }) => name)
      .filter((name) => !isUtf8(name))
      .map(escapeName)
      .filter((name) => !valid.has(name)),
  };
}

function escapeName(name: Buffer): string {
  return name.toString('latin1').replace(/[\u0080-\u00ff]/g, (char) => {
    return `\\x${char.charCodeAt(0).toString(16)}`;
  });
}

/** Returns the reason for a read error. */
export function reasonOf(error: unknown): string {
  const code = systemCodeOf(error);
  if (code === 'EACCES' || code === 'EPERM') return permissionDenied;
  if (code === 'ELOOP') return replacedReason;
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'it vanished while it was listed' : code;
}
