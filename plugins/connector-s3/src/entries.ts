import type { Entry } from '@trove/core';

import { problemOf } from './keys.js';
import type { S3Object } from './object-page.js';

/** Storage classes whose objects must be restored before they can be read. */
const archived = new Set(['GLACIER', 'DEEP_ARCHIVE']);

/** An object at its path below the source. */
export function entryOf(path: string, object: S3Object): Entry {
  const { size, modifiedAt, etag } = object;
  const skip = skipOf(object);
  return skip === null
    ? { path, size, modifiedAt, fingerprint: etag }
    : { path, size: null, modifiedAt, fingerprint: null, skip };
}

export function skipOf({ key, storageClass }: S3Object): string | null {
  if (archived.has(storageClass))
    return `archived (storage class ${storageClass}): it cannot be read unless it is restored to another class`;
  return problemOf(key);
}

/** Consoles make an empty object for a folder, whose key ends in a slash. */
export function isFolderMarker({ key, size }: S3Object): boolean {
  return key.endsWith('/') && size === 0;
}
