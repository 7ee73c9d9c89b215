import type { BrowseEntry, Entry } from '@trove/core';
import { mediaTypeOf } from '@trove/text/media-types';

import type { DavMember } from './members.js';
import type { DavResource } from './multistatus.js';

/** Creates the entry of a file. `skip`: the reason to leave it out, or null. */
export function entryOf(path: string, resource: DavResource, skip: string | null = null): Entry {
  const { size, modifiedAt, fileId } = resource;
  if (skip !== null) return { path, size: null, modifiedAt, fingerprint: null, skip };
  const identity = fileId === null ? {} : { identity: fileId };
  return { path, size, modifiedAt, fingerprint: fingerprintOf(resource), ...identity };
}

export function browseEntryOf({ name, resource }: DavMember, skip: string | null): BrowseEntry {
  const { isCollection, size, modifiedAt } = resource;
  const entry: BrowseEntry = isCollection
    ? { name, type: 'dir', size: null, modifiedAt: null }
    : { name, type: 'file', mediaType: mediaTypeOf(name), size, modifiedAt };
  return skip === null ? entry : { ...entry, skip };
}

/** Returns the reason why a member cannot be read, or null. */
export function problemOf({ problem, resource: { failure } }: DavMember): string | null {
  if (problem !== null) return problem;
  return failure === null ? null : `the server refuses it (HTTP ${failure})`;
}

function fingerprintOf({ etag, size, modifiedAt }: DavResource): string | null {
  if (etag !== null) return etag;
  return size === null || modifiedAt === null ? null : `${size} ${modifiedAt}`;
}

export function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}
