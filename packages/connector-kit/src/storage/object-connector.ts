import {
  describeError,
  isTroveError,
  TroveError,
  type BrowseEntry,
  type Connector,
  type Content,
  type Entry,
  type Health,
} from '@trove/core';
import { PathRules } from '@trove/text/ignore';
import { mediaTypeOf } from '@trove/text/media-types';

import { keyOf, pathOf, problemOf } from './object-keys.js';
import type { ObjectStoreClient, StoredObject } from './object-store.js';

const checkMs = 8000;

export interface ObjectConnectorOptions {
  /** Key of a folder without a final slash, or of one object; '' for all keys. */
  readonly key: string;
  /** Patterns of the user, as in a `.gitignore`. */
  readonly ignore: readonly string[];
  /** Such as `The bucket "photos"`. */
  readonly name: string;
}

/** Creates a source of the objects of a bucket or container, or of one of its folders. Keys are paths. */
export function createObjectConnector(
  store: ObjectStoreClient,
  { key: rootKey, ignore, name: storeName }: ObjectConnectorOptions,
): Connector {
  const rules = new PathRules(ignore);
  /** Prefix of all keys of the source. */
  const root = rootKey === '' ? '' : `${rootKey}/`;

  const notFound = (path: string): TroveError =>
    new TroveError('not_found', `There is nothing at "${path}".`);

  /** Converts a path of the source to a key. Returns null for a path without an object. */
  const keyAt = (path: string): string | null => {
    if (path === '') return rootKey === '' ? null : rootKey;
    const key = keyOf(path);
    return key === null || problemOf(root + key) !== null ? null : root + key;
  };

  const describe = (name: string, path: string, object: StoredObject): BrowseEntry => {
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
    for await (const page of store.listPages({ prefix: below, isOneLevel: true }, signal)) {
      isFound ||= page.prefixes.length > 0 || page.objects.length > 0;
      for (const prefix of page.prefixes) {
        const name = pathOf(prefix.slice(below.length, -1));
        const skip = rules.reason(joinPath(path, name), true);
        const folder = { name, type: 'dir', size: null, modifiedAt: null } as const;
        yield skip === null ? folder : { ...folder, skip };
      }
      for (const object of page.objects) {
        if (object.isFolder) continue;
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
      for await (const { objects } of store.listPages({ prefix: root }, signal)) {
        isFolder ||= objects.length > 0;
        for (const object of objects) {
          const path = pathOf(object.key.slice(root.length));
          if (object.isFolder || (object.modifiedAt ?? Infinity) < from) continue;
          if (rules.reason(path, false) !== null) continue;
          yield entryOf(path, object);
          signal.throwIfAborted();
        }
      }
      const object = isFolder || rootKey === '' ? null : await store.find(rootKey, signal);
      if (object !== null) yield entryOf('', object);
    },

    async read(path, { range, signal }): Promise<Content> {
      const key = keyAt(path);
      if (key === null) throw notFound(path);
      const content = await store.read(key, range, signal);
      return { ...content, mediaType: statedType(path, content.mediaType) };
    },

    async *browse(path, { signal }): AsyncGenerator<BrowseEntry> {
      if (path !== '' && keyOf(path) === null) throw notFound(path);
      if (yield* listLevel(path, signal)) return;
      const key = keyAt(path);
      const object = key === null ? null : await store.find(key, signal);
      if (object !== null) yield describe(nameOf(object.key), path, object);
      else if (path !== '') throw notFound(path);
    },

    async stat(path, { signal }) {
      const key = keyAt(path);
      const object = key === null ? null : await store.find(key, signal);
      return object === null ? null : entryOf(path, object);
    },

    async check({ signal }): Promise<Health> {
      const timeout = AbortSignal.timeout(checkMs);
      try {
        const isEmpty = !(await store.hasObjects(root, AbortSignal.any([signal, timeout])));
        const detail = `${storeName} can be listed${isEmpty ? ', but it has no objects there' : ''}.`;
        return { ok: true, detail };
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

function skipOf({ skip, key }: StoredObject): string | null {
  return skip ?? problemOf(key);
}

function entryOf(path: string, object: StoredObject): Entry {
  const { size, modifiedAt, etag } = object;
  const skip = skipOf(object);
  return skip === null
    ? { path, size, modifiedAt, fingerprint: etag }
    : { path, size: null, modifiedAt, fingerprint: null, skip };
}

/** Returns the stored media type if the name gives none and the type is not a default of upload tools. */
function statedType(path: string, storedType: string | null | undefined): string | null {
  if (storedType === null || storedType === undefined || mediaTypeOf(path) !== null) return null;
  const isDefault = /^(?:application|binary)\/(?:octet-stream|x-www-form-urlencoded)\b/.test(
    storedType,
  );
  return isDefault ? null : storedType;
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}
