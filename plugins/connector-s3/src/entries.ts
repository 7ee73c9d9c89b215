import type { StoredObject } from '@trove/connector-kit/storage';

import type { S3Object } from './object-page.js';

/** Storage classes whose objects must be restored before they can be read. */
const archived = new Set(['GLACIER', 'DEEP_ARCHIVE']);

export function storedObjectOf(object: S3Object): StoredObject {
  return { ...object, isFolder: isFolderMarker(object), skip: skipOf(object) };
}

function skipOf({ storageClass }: S3Object): string | null {
  return archived.has(storageClass)
    ? `archived (storage class ${storageClass}): it must be restored to another class before it can be read`
    : null;
}

/** Returns whether an object is a folder marker: an empty object with a final slash, as consoles create. */
function isFolderMarker({ key, size }: S3Object): boolean {
  return key.endsWith('/') && size === 0;
}
