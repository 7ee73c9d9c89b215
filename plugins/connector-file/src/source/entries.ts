import type { Stats } from 'node:fs';
import type { Entry } from '@trove/core';

/**
 * How a file was found: at its own path, through a link, or in an upload. A linked file has no identity, because its own
 * path has it. A file of an upload has one hard link in each version of the tree.
 */
export type FileOrigin = 'own' | 'linked' | 'upload';

/** The stats that an entry is made of. */
export type FileStats = Pick<Stats, 'size' | 'mtimeMs' | 'dev' | 'ino' | 'nlink'>;

/** Creates the entry of a regular file. */
export function fileEntry(path: string, stats: FileStats, origin: FileOrigin): Entry {
  const { size, mtimeMs, dev, ino, nlink } = stats;
  const modifiedAt = Math.trunc(mtimeMs);
  // Formatting two small integers is several times faster than formatting one large fraction.
  const [seconds, micros] = [Math.trunc(mtimeMs / 1000), Math.trunc((mtimeMs % 1000) * 1000)];
  const fingerprint = `${size}-${seconds}.${micros}-${ino}`;
  // Hard links share an inode, and large inodes may round to the same number. Both would look like renames.
  const isUnique = origin === 'upload' || (origin === 'own' && nlink === 1);
  return isUnique && Number.isSafeInteger(ino)
    ? { path, size, modifiedAt, fingerprint, identity: `${dev}:${ino}` }
    : { path, size, modifiedAt, fingerprint };
}

/** Returns the device part of an identity. */
export function deviceOf(identity: string): string {
  return identity.slice(0, identity.indexOf(':'));
}

/** Creates the entry of an object that must not be indexed. */
export function skippedEntry(path: string, skip: string): Entry {
  return { path, size: null, modifiedAt: null, fingerprint: null, skip };
}

export const skipReasons = {
  linkOutside: 'a link that leads out of the source',
  linkBroken: 'a link that leads nowhere',
  special: 'a pipe, socket or device, not a regular file',
  name: 'its name is not valid UTF-8',
  tooLong: 'its path is longer than the system can open',
} as const;
