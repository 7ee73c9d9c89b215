import type { ByteRange, Content } from '@trove/core';

/** An object of a bucket or container. */
export interface StoredObject {
  readonly key: string;
  readonly size: number | null;
  /** Milliseconds since 1970, or null. */
  readonly modifiedAt: number | null;
  /** Changes with the content; null if the store returns none. */
  readonly etag: string | null;
  /** Whether the object only marks a folder. */
  readonly isFolder: boolean;
  /** The reason why the object cannot be read, or null. */
  readonly skip: string | null;
}

export interface StoredObjectPage {
  readonly objects: readonly StoredObject[];
  /** Common prefixes of keys, up to the next slash. */
  readonly prefixes: readonly string[];
}

export interface ObjectQuery {
  /** Prefix of the keys; '' for all. */
  readonly prefix: string;
  /** Whether to group keys at the next slash after the prefix. */
  readonly isOneLevel?: boolean;
}

/** A bucket or container, as its connector sees it. Methods throw errors with remedies. */
export interface ObjectStoreClient {
  listPages(query: ObjectQuery, signal: AbortSignal): AsyncIterable<StoredObjectPage>;
  /** Returns whether a key begins with a prefix, with as little work as possible. */
  hasObjects(prefix: string, signal: AbortSignal): Promise<boolean>;
  /** Returns null for a missing object. */
  find(key: string, signal: AbortSignal): Promise<StoredObject | null>;
  /** May return more than the range. */
  read(key: string, range: ByteRange | undefined, signal: AbortSignal): Promise<Content>;
}
