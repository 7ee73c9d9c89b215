import type { Stats } from 'node:fs';
import type { Entry } from '@trove/core';

/**
 * How a file is reached: at its own place; by a link, and then it has no identity, which belongs to the file itself; or
 * in a stored tree, where a file has as many hard links as there are versions of the tree, but one place in each.
 */
export type FileOrigin = 'own' | 'linked' | 'stored';

/** What the entry of a file is made of. */
export type FileStats = Pick<Stats, 'size' | 'mtimeMs' | 'dev' | 'ino' | 'nlink'>;

/** The entry of a regular file. */
export function fileEntry(path: string, stats: FileStats, origin: FileOrigin): Entry {
  const { size, mtimeMs, dev, ino, nlink } = stats;
  const modifiedAt = Math.trunc(mtimeMs);
  // Two small integers for the time: fractions and large numbers take several times as long to format.
  const [seconds, micros] = [Math.trunc(mtimeMs / 1000), Math.trunc((mtimeMs % 1000) * 1000)];
  const fingerprint = `${size}-${seconds}.${micros}-${ino}`;
  // Hard links share an inode, and large inodes may be rounded to the same number; either would look like a rename.
  const isUnique = origin === 'stored' || (origin === 'own' && nlink === 1);
  return isUnique && Number.isSafeInteger(ino)
    ? { path, size, modifiedAt, fingerprint, identity: `${dev}:${ino}` }
    : { path, size, modifiedAt, fingerprint };
}

/** The device of a file, by its identity. */
export function deviceOf(identity: string): string {
  return identity.slice(0, identity.indexOf(':'));
}

/** The entry of something that exists but must not be indexed. */
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
