import type { BigIntStats } from 'node:fs';
import type { Entry } from '@trove/core';

/** The entry of a regular file. A file reached by a link has no identity: that belongs to the file itself. */
export function fileEntry(path: string, stats: BigIntStats, byLink: boolean): Entry {
  const entry: Entry = {
    path,
    size: Number(stats.size),
    modifiedAt: Number(stats.mtimeMs),
    fingerprint: `${stats.size}-${stats.mtimeNs}-${stats.ino}`,
  };
  // Two hard links share an inode: it would take each for a rename of the other.
  if (byLink || stats.nlink !== 1n) return entry;
  return { ...entry, identity: `${stats.dev}:${stats.ino}` };
}

/** The entry of something that is there but must not be indexed. */
export function skippedEntry(path: string, skip: string): Entry {
  return { path, size: null, modifiedAt: null, fingerprint: null, skip };
}

export const skipReasons = {
  linkOutside: 'a link that leads out of the source',
  linkBroken: 'a link that leads nowhere',
  linkLoop: 'a link back to a folder that it lies in',
  linkAgain: 'a link to a folder that another link leads to already',
  special: 'a pipe, socket or device, not a regular file',
  name: 'its name is not valid UTF-8',
} as const;
