import {
  describeError,
  isTroveError,
  TroveError,
  type BrowseEntry,
  type Connector,
  type ConnectorContext,
  type Content,
  type Entry,
  type Health,
} from '@trove/core';
import { mediaTypeOf } from '@trove/text/media-types';
import { PathRules } from '@trove/text/ignore';

import { Bucket } from './bucket.js';
import type { S3Config } from './config.js';
import { entryOf, isFolderMarker, skipOf } from './entries.js';
import { keyOf, pathOf, problemOf } from './keys.js';
import { fetchPage, listPages } from './listing.js';
import { sizeOf, timeOf, type S3Object } from './object-page.js';
import { readRange } from './object-range.js';
import { bucketLocationOf } from './bucket-location.js';

const checkMs = 8000;

/** Creates a source of the objects in a bucket or in one of its folders. */
export function createS3Connector(context: ConnectorContext<S3Config>): Connector {
  const location = bucketLocationOf(context.target, context.config);
  const bucket = new Bucket(location, context);
  const rules = new PathRules(context.config.ignore);
  /** Prefix of all keys of the source. */
  const root = location.key === '' ? '' : `${location.key}/`;

  const notFound = (path: string): TroveError =>
    new TroveError('not_found', `There is nothing at "${path}".`);

  /** Converts a path of the source to a key. Returns null for a path without an object. */
  const keyAt = (path: string): string | null => {
    if (path === '') return location.key === '' ? null : location.key;
    const key = keyOf(path);
    return key === null || problemOf(root + key) !== null ? null : root + key;
  };

  /** Requests the metadata of one object. Returns null if it does not exist. */
  const objectAt = async (key: string, signal: AbortSignal): Promise<S3Object | null> => {
    try {
      const { headers } = await bucket.request({ method: 'HEAD', key, signal });
      return {
        key,
        size: sizeOf(headers.get('content-length')),
        modifiedAt: timeOf(headers.get('last-modified')),
        etag: headers.get('etag'),
        storageClass: headers.get('x-amz-storage-class') ?? '',
      };
    } catch (error) {
      if (isTroveError(error) && error.code === 'not_found') return null;
      throw error;
    }
  };

  const describe = (name: string, path: string, object: S3Object): BrowseEntry => {
    const { size, modifiedAt } = object;
    const entry = { name, type: 'file', mediaType: mediaTypeOf(name), size, modifiedAt } as const;
    const skip = skipOf(object) ?? rules.reason(path, false);
    return skip === null ? entry : { ...entry, skip };
  };

  /** Yields one level below a path. Returns whether any key exists, including the marker of the folder itself. */
  async function* listLevel(
    path: string,
    signal: AbortSignal,
  ): AsyncGenerator<BrowseEntry, boolean> {
    let isFound = false;
    const below = path === '' ? root : `${root}${keyOf(path) ?? ''}/`;
    for await (const page of listPages(bucket, { prefix: below, isOneLevel: true }, signal)) {
      isFound ||= page.prefixes.length > 0 || page.objects.length > 0;
      for (const prefix of page.prefixes) {
        const name = pathOf(prefix.slice(below.length, -1));
        const skip = rules.reason(joinPath(path, name), true);
        const folder = { name, type: 'dir', size: null, modifiedAt: null } as const;
        yield skip === null ? folder : { ...folder, skip };
      }
      for (const object of page.objects) {
        if (isFolderMarker(object)) continue;
        const name = pathOf(object.key.slice(below.length));
        yield describe(name, joinPath(path, name), object);
      }
    }
    return isFound;
  }

  return {
    async *list({ since, signal }): AsyncGenerator<Entry> {
      signal.throwIfAborted();
      const from = since === undefined ? -Infinity : Date.parse(since);
      let isFolder = false;
      for await (const { objects } of listPages(bucket, { prefix: root }, signal)) {
        isFolder ||= objects.length > 0;
        for (const object of objects) {
          const path = pathOf(object.key.slice(root.length));
          if (isFolderMarker(object) || (object.modifiedAt ?? Infinity) < from) continue;
          if (rules.reason(path, false) !== null) continue;
          yield entryOf(path, object);
          signal.throwIfAborted();
        }
      }
      const object = isFolder || location.key === '' ? null : await objectAt(location.key, signal);
      if (object !== null) yield entryOf('', object);
    },

    async read(path, { range, signal }): Promise<Content> {
      const key = keyAt(path);
      if (key === null) throw notFound(path);
      const content = range === undefined ? null : await readRange(bucket, key, range, signal);
      if (content !== null) return content;
      const { headers, body } = await bucket.request({ method: 'GET', key, signal });
      const mediaType = statedType(path, headers.get('content-type'));
      return { bytes: body ?? new Uint8Array(), mediaType };
    },

    async *browse(path, { signal }): AsyncGenerator<BrowseEntry> {
      if (path !== '' && keyOf(path) === null) throw notFound(path);
      if (yield* listLevel(path, signal)) return;
      const key = keyAt(path);
      const object = key === null ? null : await objectAt(key, signal);
      if (object !== null) yield describe(nameOf(object.key), path, object);
      else if (path !== '') throw notFound(path);
    },

    async stat(path, { signal }) {
      const key = keyAt(path);
      const object = key === null ? null : await objectAt(key, signal);
      return object === null ? null : entryOf(path, object);
    },

    async check({ signal }): Promise<Health> {
      const timeout = AbortSignal.timeout(checkMs);
      try {
        const stop = AbortSignal.any([signal, timeout]);
        const { objects } = await fetchPage(bucket, { prefix: root, pageSize: 1 }, null, stop);
        const isEmpty = objects.length === 0;
        return {
          ok: true,
          detail: `The bucket "${bucket.name}" can be listed${isEmpty ? ', but it has no objects there' : ''}.`,
        };
      } catch (error) {
        if (isTroveError(error)) return { ok: false, detail: describeError(error) };
        signal.throwIfAborted();
        if (!timeout.aborted) throw error;
        return {
          ok: false,
          detail: `The store did not answer within ${checkMs / 1000} seconds. Check \`endpoint\` and the network.`,
        };
      }
    },
  };
}

/** Returns the stored media type if the name gives none and the type is not a default of upload tools. */
function statedType(path: string, storedType: string | null): string | null {
  const isExplicit =
    storedType !== null &&
    !/^(?:application|binary)\/(?:octet-stream|x-www-form-urlencoded)\b/.test(storedType);
  return isExplicit && mediaTypeOf(path) === null ? storedType : null;
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}
