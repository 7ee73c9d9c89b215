import type { Filter } from '../../filter/ast.js';
import type { Locator } from '../../locator.js';
import type { FieldValue, Infer, JsonSchema } from '../../schema.js';
import type { PluginBase, PluginContext } from '../plugin.js';

/** One chunk as stored in the index. */
export interface IndexRow {
  /** Hash of namespace, scope, group, kind, locator and ordinal. */
  readonly id: string;
  /** The object it belongs to: the unit of replacement. */
  readonly group: string;
  /** The connector (or graph) it belongs to: the unit of removal. */
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
  /** The analyzer's tokens, joined by single spaces; the input of BM25. */
  readonly terms: string;
  /** Adjacent word pairs, joined by single spaces; '' for none. */
  readonly pairs: string;
  /** Unit length, with the collection's dimension; null when the row has none (its embedding failed). */
  readonly vector: Float32Array | null;
}

/** All rows of one object; an empty list removes the object. */
export interface IndexGroup {
  readonly group: string;
  readonly rows: readonly IndexRow[];
  /** It is certain that no row of it is stored: looking for some would only take time. Default false. */
  readonly isNew?: boolean;
  /** The load (a job) that writes this group. See `WhileLoading`. */
  readonly load?: string;
}

/** The loads in progress. */
export interface LoadsInProgress {
  /**
   * Large loads in progress. Until the next `optimize`, an index may leave out rows of these loads, but of no others.
   * Default none.
   */
  readonly loading?: readonly string[];
}

/** Is given numbers of rows by group. */
export type GroupCallback = (groups: ReadonlyMap<string, number>) => Promise<void> | void;

/** A term or pair that occurs twice counts twice. */
export interface SparseQuery {
  readonly terms: readonly string[];
  readonly pairs: readonly string[];
}

/** What a search, count or removal is restricted to; all parts must match. */
export interface IndexScope {
  readonly scope?: string;
  /** Canonical URIs: the object itself and everything below it. */
  readonly sourcePrefix?: string;
  readonly kinds?: readonly string[];
  /** Fields `path` (the source), `chunk_kind`, `media_type`, `modified_at`, `title`; any other is one of `fields`. */
  readonly filter?: Filter;
}

/** Among which rows, and how far, terms are counted. */
export interface FrequencyQuery extends IndexScope, LoadsInProgress {
  /** The highest count that is wanted, at least 1. */
  readonly maxCount: number;
}

export interface IndexQuery extends IndexScope, LoadsInProgress {
  /** When omitted, no dense candidates. */
  readonly vector?: Float32Array;
  /** When omitted, no sparse candidates. */
  readonly sparse?: SparseQuery;
  /** Weight of the pairs' BM25 score, which is added to that of the terms. */
  readonly pairWeight: number;
  /**
   * How many candidates of each kind are wanted, best first. More may follow if they score the same as the last one;
   * unless all of those are included, ties should be broken by id, or pages may overlap.
   */
  readonly candidates: number;
  readonly signal: AbortSignal;
}

/** The columns shown of a hit. Every additional column makes every search slower. */
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

/** A row found by a search: just enough to rank it. */
export interface Candidate {
  /**
   * Names the row for `identify` and `fetch`, identically in both kinds of candidates. It exists because reading the
   * ids of all candidates, most of which are never shown, can take as long as finding them. `optimize` does not change
   * it; once the group is replaced, it refers to nothing or to another row of that group.
   */
  readonly key: string;
  readonly score: number;
}

/** The one of the free `fields` that identities have: why a row ranks below equals. */
export const demotedReasonField = 'demoted_reason';

/** What distinguishes a row, and tells where in which object it is and which rows have the same text. */
export interface RowIdentity extends Pick<IndexRow, 'id' | 'group' | 'source' | 'ordinal'> {
  /** Equal exactly for rows with the same `content`; short, however long the content is. */
  readonly digest: string;
  /** The text in its field `demoted_reason`; null without one. */
  readonly demotedReason: string | null;
}

export interface IndexCandidates {
  /** Cosine similarity in [-1, 1]. */
  readonly dense: readonly Candidate[];
  /** BM25 of the terms plus `pairWeight` times BM25 of the pairs; only rows with at least one of the terms. */
  readonly sparse: readonly Candidate[];
}

export interface CollectionSpec {
  readonly name: string;
  readonly dimension: number;
  /** What produced the vectors (`lexical/v2/512`); a different value means a different collection. */
  readonly embedding: string;
}

/** A named set of chunks with dense vectors and BM25 terms. */
export interface Collection {
  readonly name: string;
  /**
   * Replaces the stored rows of the given groups, in as few commits as the store allows. Once it resolves, no reader
   * sees an old row. All readers see the new rows, except those of large loads in progress (see `WhileLoading`).
   * Idempotent, and safe to call from several processes at once.
   */
  replace(groups: readonly IndexGroup[], options: { readonly signal: AbortSignal }): Promise<void>;
  search(query: IndexQuery): Promise<IndexCandidates>;
  /** The identities of candidates, in the order of their keys; null for rows that are gone. */
  identify(keys: readonly string[]): Promise<(RowIdentity | null)[]>;
  /** The hits with these keys, in the same order; null for rows that no longer exist. */
  fetch(keys: readonly string[]): Promise<(IndexHit | null)[]>;
  /** All rows of a group with their vectors, by ordinal. */
  rows(group: string): Promise<IndexRow[]>;
  /** Removes all rows of a scope. */
  removeScope(scope: string): Promise<void>;
  /** Some of the scopes that rows have besides these, if there are any. Does not look at the rows of these one by one. */
  otherScopes(known: readonly string[]): Promise<string[]>;
  count(scope?: IndexScope): Promise<number>;
  /**
   * Returns how many rows within the scope have each term, at most `atMost`. Terms without rows are left out. Rows that
   * a search does not see yet do not count.
   */
  frequencies(terms: readonly string[], query: FrequencyQuery): Promise<Map<string, number>>;
  /** Whether any row has a non-null value for this one of the free `fields`. */
  hasField(name: string): Promise<boolean>;
  /** Names of free `fields` in a sample of at most a thousand rows, to suggest what a mistyped one may mean. */
  sampleFields(): Promise<string[]>;
  /**
   * Hands over the groups of a scope and how many rows they have, some at a time and in any order; one that comes several
   * times has as many as these together. Goes on once `take` has taken them.
   */
  groups(scope: string, take: GroupCallback): Promise<void>;
  /**
   * Merges fragments and updates secondary indices. Called after every job, even while another call runs. The index
   * decides whether the work is worthwhile and runs one call at a time. Each load in progress causes another call later.
   */
  optimize(meanwhile?: LoadsInProgress): Promise<void>;
  /** Gives back the space of everything that is not needed any more, however long it takes; others go on meanwhile. */
  compact?(): Promise<void>;
}

/** A database of collections. */
export interface VectorIndex {
  /**
   * Opens a collection, creating it if needed, also when another process has dropped it since it was opened. Throws
   * `index_mismatch` when it holds other vectors.
   */
  collection(spec: CollectionSpec): Promise<Collection>;
  collections(): Promise<string[]>;
  drop(name: string): Promise<void>;
  /** Bytes that all collections take up where they are stored; cheap. */
  size?(): Promise<number>;
  close(): Promise<void>;
}

export interface VectorIndexContext<C> extends PluginContext<C> {
  /** Where the index is: an absolute folder path, or a URI of one of the plugin's schemes. */
  readonly uri: string;
}

/** A vector index plugin; its keys are URI schemes (`file` for a local folder). */
export interface VectorIndexPlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'vector-index',
  S
> {
  create(context: VectorIndexContext<Infer<S>>): VectorIndex | Promise<VectorIndex>;
}
