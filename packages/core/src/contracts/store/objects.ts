import type { Entry, ObjectKind } from '../connector.js';

export type SearchStatus = 'indexed' | 'partial' | 'not_indexed';

/** The facts of an entry that the source stated and that reading the object does not show. */
export type StatedFacts = Pick<
  Entry,
  'kind' | 'mediaType' | 'title' | 'url' | 'author' | 'fields' | 'keyFields'
> &
  Partial<Pick<Entry, 'fingerprint'>>;

export interface ObjectRecord {
  /** Hash of namespace, connector and path. */
  readonly id: string;
  readonly connectorId: string;
  readonly path: string;
  readonly kind: ObjectKind;
  readonly mediaType: string | null;
  readonly size: number | null;
  readonly modifiedAt: number | null;
  /** The revision under which the object was indexed. Unchanged objects are not indexed again. */
  readonly revision: string | null;
  readonly identity: string | null;
  readonly contentHash: string | null;
  readonly title: string | null;
  readonly searchStatus: SearchStatus;
  readonly indexable: boolean;
  /** The reason for not indexing the object or part of it. For an indexed text, a note about its decoding. */
  readonly reason: string | null;
  readonly chunks: number;
  /** JSON values. Null: unknown. */
  readonly stated: StatedFacts | null;
}

export interface ObjectStats {
  readonly objects: number;
  readonly chunks: number;
  /** Number of objects by search status. */
  readonly bySearchStatus: Readonly<Partial<Record<SearchStatus, number>>>;
}

/** Objects of a source with the same reason. */
export interface LeftOut {
  readonly reason: string;
  readonly objects: number;
  /** The path of the first one. */
  readonly path: string;
}

/**
 * Selects objects by their type. Also selects an object with an unknown type, a type with parameters, and the object at
 * path ''.
 */
export interface ObjectTypeFilter {
  /** In lower case. */
  readonly mediaTypes: readonly string[];
  /** Endings of paths, matched in any case of ASCII letters. `%` and `_` match other characters, too. */
  readonly endings: readonly string[];
}

/** The stored objects of sources. Tasks put and remove them. */
export interface ObjectCatalog {
  /** Returns the objects of a connector with these paths, in any order. */
  findByPath(connectorId: string, paths: readonly string[]): Promise<ObjectRecord[]>;
  findByIdentity(connectorId: string, identities: readonly string[]): Promise<ObjectRecord[]>;
  /**
   * Returns objects whose path starts with `prefix` and sorts after `after` (null: from the start). The order is by
   * code point, as in UTF-8 and unlike JavaScript's `<` beyond U+D7FF.
   */
  list(
    connectorId: string,
    options: {
      readonly prefix: string;
      readonly after: string | null;
      readonly limit: number;
      /** Default: all types. */
      readonly types?: ObjectTypeFilter;
    },
  ): Promise<ObjectRecord[]>;
  /** Returns the ids of those of the given connectors that have an object of the types, in any order. */
  holders(connectorIds: readonly string[], types: ObjectTypeFilter): Promise<string[]>;
  /** Returns statistics of the object at a path and those below it. The path '' is the whole source. */
  stats(connectorId: string, path: string): Promise<ObjectStats>;
  /** Returns the reasons for left-out objects, most frequent first, at most `limit`. */
  leftOut(connectorId: string, limit: number): Promise<LeftOut[]>;
  /** Returns the warnings about indexed objects, in the same form and order. */
  warnings(connectorId: string, limit: number): Promise<LeftOut[]>;
  /** Clears the revision and content hash of objects, so the next sync treats them as changed. */
  invalidate(connectorId: string, objectIds: readonly string[]): Promise<void>;
}
