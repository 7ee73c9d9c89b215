import type { ObjectKind } from '../connector.js';

export type SearchStatus = 'indexed' | 'partial' | 'not_indexed';

export interface ObjectRecord {
  /** Hash of namespace, connector and path. */
  readonly id: string;
  readonly connectorId: string;
  readonly path: string;
  readonly kind: ObjectKind;
  readonly mediaType: string | null;
  readonly size: number | null;
  readonly modifiedAt: number | null;
  /** Fingerprint of the entry and of the settings it was indexed with; if equal, there is nothing to do. */
  readonly revision: string | null;
  readonly identity: string | null;
  readonly contentHash: string | null;
  readonly title: string | null;
  readonly searchStatus: SearchStatus;
  readonly indexable: boolean;
  /** Why it is not indexed, or only partly; of an indexed text, what to know of how it was read. */
  readonly reason: string | null;
  readonly chunks: number;
}

/** Objects of a source with the same reason. */
export interface LeftOut {
  readonly reason: string;
  readonly objects: number;
  /** The first of their paths. */
  readonly path: string;
}

/** What is known of the objects of sources; tasks put and remove them. */
export interface ObjectCatalog {
  /** The objects of a connector with these paths, in any order. */
  findByPath(connectorId: string, paths: readonly string[]): Promise<ObjectRecord[]>;
  findByIdentity(connectorId: string, identities: readonly string[]): Promise<ObjectRecord[]>;
  /**
   * Objects whose path starts with `prefix` and sorts after `after` (null: from the start), ordered by code point,
   * which is the order of the UTF-8 bytes (unlike JavaScript's `<` beyond U+D7FF).
   */
  list(
    connectorId: string,
    options: { readonly prefix: string; readonly after: string | null; readonly limit: number },
  ): Promise<ObjectRecord[]>;
  /** What is not indexed, grouped by reason: the most frequent first, at most `limit` reasons. */
  leftOut(connectorId: string, limit: number): Promise<LeftOut[]>;
  /** What is to be known of indexed objects, grouped by reason, in the same order. */
  warnings(connectorId: string, limit: number): Promise<LeftOut[]>;
  /** Clears the revision and content hash of objects, so that the next sync treats them as changed. */
  invalidate(connectorId: string, objectIds: readonly string[]): Promise<void>;
}
