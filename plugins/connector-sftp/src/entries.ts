import type { BrowseEntry, Entry } from '@trove/core';
import { mediaTypeOf } from '@trove/text/media-types';
import type { Attributes } from 'ssh2';

/** Files changed this recently may change again within the same second, which the server does not show. */
const settlingMs = 3000;
const typeMask = 0o170_000;
const types: ReadonlyMap<number, RemoteType> = new Map([
  [0o100_000, 'file'],
  [0o040_000, 'dir'],
  [0o120_000, 'link'],
]);

export type RemoteType = 'file' | 'dir' | 'link' | 'other';

export type RemoteAttributes = Pick<Attributes, 'mode' | 'size' | 'mtime'>;

export function typeOf({ mode }: Pick<Attributes, 'mode'>): RemoteType {
  return types.get(mode & typeMask) ?? 'other';
}

/** Creates the entry of a file. */
export function entryOf(path: string, { size, mtime }: RemoteAttributes, now = Date.now()): Entry {
  const modifiedAt = mtime * 1000;
  const isSettled = Math.abs(now - modifiedAt) > settlingMs;
  return { path, size, modifiedAt, fingerprint: isSettled ? `${size} ${mtime}` : null };
}

export function skippedEntry(path: string, skip: string): Entry {
  return { path, size: null, modifiedAt: null, fingerprint: null, skip };
}

export function browseEntryOf(
  name: string,
  attributes: RemoteAttributes,
  skip: string | null,
): BrowseEntry {
  const { size, mtime } = attributes;
  const isFolder = typeOf(attributes) === 'dir';
  const entry: BrowseEntry = isFolder
    ? { name, type: 'dir', size: null, modifiedAt: null }
    : { name, type: 'file', mediaType: mediaTypeOf(name), size, modifiedAt: mtime * 1000 };
  return skip === null ? entry : { ...entry, skip };
}

/** Returns the reason why a file with this name cannot be requested, or null. */
export function nameProblem(name: string): string | null {
  return name.includes('\uFFFD') ? 'its name is not valid UTF-8' : null;
}

/** Returns the reason why a link cannot be followed, from the code of the error. */
export function linkProblem(code: string): string {
  return code === 'path_not_allowed'
    ? 'a link to a place outside the source'
    : 'a link that leads nowhere';
}

export function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}
