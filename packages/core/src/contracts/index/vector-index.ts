import type { Filter } from '../../filter/ast.js';
import type { Locator } from '../../locator.js';
import type { FieldValue, Infer, JsonSchema } from '../../schema.js';
import type { PluginBase, PluginContext } from '../plugin.js';

/** A chunk as the index stores it. */
export interface IndexRow {
  /** Hash of namespace, scope, group, kind, locator and ordinal. */
  readonly id: string;
  /** The object of the row. A group is replaced as a whole. */
  readonly group: string;
  /** The connector or graph of the row. A scope is removed as a whole. */
  readonly scope: string;
  /** Canonical URI of the object. */
  readonly source: string;
  readonly kind: string;
  /** Position within the group, from 0. */
  readonly ordinal: number;
  readonly content: string;
  readonly locator: Locator | null;
  readonly title: string | null;
  readonly mediaType: string | null;
  readonly connectorType: string;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number | null;
  /** No list is empty. */
  readonly fields: Readonly<Record<string, FieldValue>>;
  /** The terms of the analyzer, joined by single spaces. BM25 counts them. */
  readonly terms: string;
  /** Pairs of adjacent terms, joined by single spaces. Empty if there are none. */
  readonly pairs: string;
  /** Of unit length, with the collection's dimension. Null if embedding failed. */
  readonly vector: Float32Array | null;
}

/** All rows of an object. An empty list removes the object. */
export interface IndexGroup {
  readonly group: string;
  readonly rows: readonly IndexRow[];
  /** The index certainly has no row of this group, so it need not look for old ones. Default false. */
  readonly isNew?: boolean;
  /** The load (a job) that writes this group. See `LoadsInProgress`. */
  readonly load?: string;
}

/** The loads in progress. */
export interface LoadsInProgress {
  /**
   * Large loads in progress. Until the next `optimize`, an index may leave out rows of these loads, but of no others. It
   * should not leave out rows that replaced others, because searches would find neither. Default none.
   */
  readonly loading?: readonly string[];
}

/** Receives the number of rows of each group. */
export type GroupCallback = (groups: ReadonlyMap<string, number>) => Promise<void> | void;

/** The terms and pairs of a query. Duplicates count. */
export interface SparseQuery {
  readonly terms: readonly string[];
  readonly pairs: readonly string[];
}

/** Restricts a search or count. A row must satisfy all members. */
export interface IndexScope {
  readonly scope?: string;
  /** Canonical URI of an object or folder: only this object and everything below it. */
  readonly sourcePrefix?: string;
  /** Canonical URIs of objects and folders: only these and everything below them. An empty list matches nothing. */
  readonly within?: readonly string[];
  readonly kinds?: readonly string[];
  /** Fields: `path` (the source), `chunk_kind`, `media_type`, `modified_at`, `title`, and the names in `fields`. */
  readonly filter?: Filter;
}

/** The rows in which terms are counted, and the maximum count. */
export interface FrequencyQuery extends IndexScope, LoadsInProgress {
  /** Stop counting here. At least 1. */
  readonly maxCount: number;
}

export interface IndexQuery extends IndexScope, LoadsInProgress {
  /** Default: no dense candidates. */
  readonly vector?: Float32Array;
  /** Default: no sparse candidates. */
  readonly sparse?: SparseQuery;
  /** Weight of the BM25 score of pairs, which is added to that of terms. */
  readonly pairWeight: number;
  /**
   * The number of best candidates per retrieval arm. The index may append candidates that tie with the last one. An
   * index that cuts off ties must break them by id, or pages may overlap.
   */
  readonly candidates: number;
  readonly signal: AbortSignal;
}

/** The columns of a hit. Every additional column slows down every search. */
export type IndexHit = Pick<
  IndexRow,
  | 'id'
  | 'group'
  | 'source'
  | 'kind'
  | 'ordinal'
  | 'content'
  | 'locator'
  | 'title'
  | 'mediaType'
  | 'connectorType'
  | 'modifiedAt'
  | 'fields'
>;

/** A row that a search returns, with only enough data to rank it. */
export interface Candidate {
  /**
   * Identifies the row for `identify` and `fetch`, the same in both retrieval arms. Reading the ids of all candidates
   * can take as long as the search, so the index chooses a cheaper key. `optimize` keeps keys valid. After a
   * replacement of the group, a key refers to no row or to another row of the group.
   */
  readonly key: string;
  readonly score: number;
}

/** The name of the field in `fields` that identities contain: the cause of a demotion. */
export const demotedReasonField = 'demoted_reason';

/** Identifies a row, its object and its position. Equal digests mean equal texts. */
export interface RowIdentity extends Pick<IndexRow, 'id' | 'group' | 'source' | 'ordinal'> {
  /** A short digest of `content`. */
  readonly digest: string;
  /** The value of the field `demoted_reason`, or null. */
  readonly demotedReason: string | null;
}

export interface IndexCandidates {
  /** Cosine similarity in [-1, 1]. */
  readonly dense: readonly Candidate[];
  /**
   * BM25 of the terms plus `pairWeight` times BM25 of the pairs. Only rows with at least one of the terms. The score of
   * several terms is the sum of their own scores.
   */
  readonly sparse: readonly Candidate[];
}

export interface CollectionSpec {
  readonly name: string;
  readonly dimension: number;
  /** The embedding of the vectors (`lexical/v2/512`). Another embedding is another collection. */
  readonly embedding: string;
}

/** A named set of chunks with dense vectors and BM25 terms. */
export interface Collection {
  readonly name: string;
  /**
   * Replaces the rows of the given groups, in as few commits as the store allows. After it resolves, no reader sees an
   * old row, and all readers see the new rows, except those of large loads in progress (see `LoadsInProgress`).
   * Idempotent, and safe to call from several processes at once.
   */
  replace(groups: readonly IndexGroup[], options: { readonly signal: AbortSignal }): Promise<void>;
  search(query: IndexQuery): Promise<IndexCandidates>;
  /** Returns the identities of candidates in the order of `keys`. Null for rows that no longer exist. */
  identify(keys: readonly string[]): Promise<(RowIdentity | null)[]>;
  /** Returns the hits with these keys, in the same order. Null for rows that no longer exist. */
  fetch(keys: readonly string[]): Promise<(IndexHit | null)[]>;
  /** Returns all rows of a group with their vectors, by ordinal. */
  rows(group: string): Promise<IndexRow[]>;
  /** Removes all rows of a scope. */
  removeScope(scope: string): Promise<void>;
  /** Returns some scopes other than `known`, if rows have any. Does not read the rows of known scopes one by one. */
  otherScopes(known: readonly string[]): Promise<string[]>;
  count(scope?: IndexScope): Promise<number>;
  /**
   * Returns the number of rows in the scope that have each term, at most `maxCount`. Omits terms without rows and
   * ignores rows that searches do not see yet.
   */
  frequencies(terms: readonly string[], query: FrequencyQuery): Promise<Map<string, number>>;
  /** Returns whether any row in the scope has a non-null value for this name in `fields`. */
  hasField(name: string, scope?: IndexScope): Promise<boolean>;
  /** Returns the names in `fields` of at most a thousand rows in the scope, to suggest corrections of mistyped names. */
  sampleFields(scope?: IndexScope): Promise<string[]>;
  /**
   * Passes the groups of a scope with their number of rows to `take`, in batches and in any order. If a group comes
   * several times, its counts add up. Waits for each call of `take`.
   */
  groups(scope: string, take: GroupCallback): Promise<void>;
  /**
   * Merges fragments and updates secondary indices. Called after every job, even while another call runs. The index
   * decides whether the work is worthwhile and runs one call at a time. A call follows later for each load in progress.
   */
  optimize(meanwhile?: LoadsInProgress): Promise<void>;
  /** Frees unused space, however long it takes. Other calls continue meanwhile. */
  compact?(): Promise<void>;
}

/** A database of collections. */
export interface VectorIndex {
  /**
   * Opens a collection and creates it if necessary, even if another process dropped it since it was opened. Throws
   * `index_mismatch` if it has other vectors.
   */
  collection(spec: CollectionSpec): Promise<Collection>;
  collections(): Promise<string[]>;
  drop(name: string): Promise<void>;
  /** Returns the bytes that all collections occupy in storage. Must be cheap. */
  size?(): Promise<number>;
  /**
   * Copies all collections, as of one moment, to a new folder from which the index can be opened. Other calls continue
   * meanwhile. Not for an index that is not a folder.
   */
  snapshot?(folder: string, options: IndexSnapshotOptions): Promise<void>;
  close(): Promise<void>;
}

export interface IndexSnapshotOptions {
  readonly signal: AbortSignal;
  /** Called when the moment is fixed, before the files are copied. If it throws, the snapshot fails. */
  readonly onTaken?: () => Promise<void>;
}

export interface VectorIndexContext<C> extends PluginContext<C> {
  /** The location of the index: an absolute folder path, or a URI of one of the plugin's schemes. */
  readonly uri: string;
}

/** A vector index plugin. Its keys are URI schemes (`file` for a local folder). */
export interface VectorIndexPlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'vector-index',
  S
> {
  create(context: VectorIndexContext<Infer<S>>): VectorIndex | Promise<VectorIndex>;
}
