import type { Entry } from '@trove/core';

import { problemOf } from './keys.js';
import type { S3Object } from './object-page.js';

/** Storage classes whose objects must be restored before they can be read. */
const archived = new Set(['GLACIER', 'DEEP_ARCHIVE']);

/** Creates the entry of an object. */
export function entryOf(path: string, object: S3Object): Entry {
  const { size, modifiedAt, etag } = object;
  const skip = skipOf(object);
  return skip === null
    ? { path, size, modifiedAt, fingerprint: etag }
    : { path, size: null, modifiedAt, fingerprint: null, skip };
}

export function skipOf({ key, storageClass }: S3Object): string | null {
  if (archived.has(storageClass))
    return `archived (storage class ${storageClass}): it must be restored to another class before it can be read`;
  return problemOf(key);
}

/** Returns whether an object is a folder marker: an empty object with a final slash, as consoles create. */
export function isFolderMarker({ key, size }: S3Object): boolean {
  return key.endsWith('/') && size === 0;
}
