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

/** A source of the objects in a bucket, or below one of its folders. */
export function createS3Connector(context: ConnectorContext<S3Config>): Connector {
  const place = bucketLocationOf(context.target, context.config);
  const bucket = new Bucket(place, context);
  const rules = new PathRules(context.config.ignore);
  /** What the keys of the source begin with. */
  const root = place.key === '' ? '' : `${place.key}/`;

  const notFound = (path: string): TroveError =>
    new TroveError('not_found', `There is nothing at "${path}".`);

  /** The key of an object of the source, null when the path is that of none. */
  const keyAt = (path: string): string | null => {
    if (path === '') return place.key === '' ? null : place.key;
    const key = keyOf(path);
    return key === null || problemOf(root + key) !== null ? null : root + key;
  };

  /** The object with a key, by itself. */
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

  const described = (name: string, path: string, object: S3Object): BrowseEntry => {
    const { size, modifiedAt } = object;
    const entry = { name, type: 'file', mediaType: mediaTypeOf(name), size, modifiedAt } as const;
    const skip = skipOf(object) ?? rules.reason(path, false);
    return skip === null ? entry : { ...entry, skip };
  };

  /** One level below what keys begin with. Returns whether there is any key, maybe only that of the folder itself. */
  async function* level(path: string, signal: AbortSignal): AsyncGenerator<BrowseEntry, boolean> {
    let isThere = false;
    const below = path === '' ? root : `${root}${keyOf(path) ?? ''}/`;
    for await (const page of listPages(bucket, { prefix: below, isOneLevel: true }, signal)) {
      isThere ||= page.prefixes.length > 0 || page.objects.length > 0;
      for (const prefix of page.prefixes) {
        const name = pathOf(prefix.slice(below.length, -1));
        const skip = rules.reason(inside(path, name), true);
        const folder = { name, type: 'dir', size: null, modifiedAt: null } as const;
        yield skip === null ? folder : { ...folder, skip };
      }
      for (const object of page.objects) {
        if (isFolderMarker(object)) continue;
        const name = pathOf(object.key.slice(below.length));
        yield described(name, inside(path, name), object);
      }
    }
    return isThere;
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
      const object = isFolder || place.key === '' ? null : await objectAt(place.key, signal);
      if (object !== null) yield entryOf('', object);
    },

    async read(path, { range, signal }): Promise<Content> {
      const key = keyAt(path);
      if (key === null) throw notFound(path);
      const found = range === undefined ? null : await readRange(bucket, key, range, signal);
      if (found !== null) return found;
      const { headers, body } = await bucket.request({ method: 'GET', key, signal });
      const mediaType = statedType(path, headers.get('content-type'));
      return { bytes: body ?? new Uint8Array(), mediaType };
    },

    async *browse(path, { signal }): AsyncGenerator<BrowseEntry> {
      if (path !== '' && keyOf(path) === null) throw notFound(path);
      if (yield* level(path, signal)) return;
      const key = keyAt(path);
      const object = key === null ? null : await objectAt(key, signal);
      if (object !== null) yield described(nameOf(object.key), path, object);
      else if (path !== '') throw notFound(path);
    },

    async stat(path, { signal }) {
      const key = keyAt(path);
      const object = key === null ? null : await objectAt(key, signal);
      return object === null ? null : entryOf(path, object);
    },

    async check({ signal }): Promise<Health> {
      const late = AbortSignal.timeout(checkMs);
      try {
        const either = AbortSignal.any([signal, late]);
        const { objects } = await fetchPage(bucket, { prefix: root, pageSize: 1 }, null, either);
        const isEmpty = objects.length === 0;
        return {
          ok: true,
          detail: `The bucket "${bucket.name}" can be listed${isEmpty ? '; nothing is there yet' : ''}.`,
        };
      } catch (error) {
        if (isTroveError(error)) return { ok: false, detail: describeError(error) };
        signal.throwIfAborted();
        if (!late.aborted) throw error;
        return {
          ok: false,
          detail: `The store did not answer within ${checkMs / 1000} seconds. Check \`endpoint\` and the network.`,
        };
      }
    },
  };
}

/** What the store says of an object's type, where its name does not tell and an uploader may have chosen it. */
function statedType(path: string, stated: string | null): string | null {
  const isChosen =
    stated !== null &&
    !/^(?:application|binary)\/(?:octet-stream|x-www-form-urlencoded)\b/.test(stated);
  return isChosen && mediaTypeOf(path) === null ? stated : null;
}

function inside(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}
