import type { Filter } from '../filter/ast.js';
import type { Locator } from '../locator.js';
import type { Infer, JsonScalar, JsonSchema } from '../schema.js';
import type { PluginBase, PluginContext } from './plugin.js';

/** One chunk as the index keeps it. */
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
  readonly fields: Readonly<Record<string, JsonScalar>>;
  /** The analyzer's tokens, joined by single spaces: what BM25 sees. */
  readonly terms: string;
  /** Adjacent word pairs, joined by single spaces; '' for none. */
  readonly pairs: string;
  /** Of the collection's dimension, unit length; null when the row has none (its embedding failed). */
  readonly vector: Float32Array | null;
}

/** All rows of one object; an empty list removes the object. */
export interface IndexGroup {
  readonly group: string;
  readonly rows: readonly IndexRow[];
}

export interface SparseQuery {
  readonly terms: readonly string[];
  readonly pairs: readonly string[];
}

/** What a search, a count or a removal is limited to; all parts must hold. */
export interface IndexScope {
  readonly scope?: string;
  /** Canonical URIs: the object itself, and all that is below it. */
  readonly sourcePrefix?: string;
  readonly kinds?: readonly string[];
  /** Fields `path` (the source), `chunk_kind`, `media_type`, `modified_at`, `title`; any other is one of `fields`. */
  readonly filter?: Filter;
}

export interface IndexQuery extends IndexScope {
  /** Left out: no dense candidates. */
  readonly vector?: Float32Array;
  /** Left out: no sparse candidates. */
  readonly sparse?: SparseQuery;
  /** How much of a pair's BM25 score is added to that of the terms. */
  readonly pairWeight: number;
  /**
   * Candidates wanted of each kind, best first. Others that score the same as the last of them may follow; unless all of
   * these do, which of equal scores come first should be decided by their ids, or pages may overlap.
   */
  readonly candidates: number;
  readonly signal: AbortSignal;
}

/** What is shown of a row that was found; each column more makes every search slower. */
export type IndexHit = Pick<
  IndexRow,
  | 'id'
  | 'group'
  | 'source'
  | 'kind'
  | 'content'
  | 'locator'
  | 'title'
  | 'mediaType'
  | 'connectorType'
  | 'modifiedAt'
  | 'fields'
>;

/** A row that a search found: enough to rank it. */
export interface Candidate {
  /**
   * Names the row for `identify` and `fetch`, in both kinds of candidates alike: reading the ids of all of them, most of
   * which nobody looks at, can take as long as finding them. `optimize` leaves it as it is; when the group is replaced,
   * nothing or another row of that group is found under it.
   */
  readonly key: string;
  readonly score: number;
}

/** What tells a row from others, and says which object it belongs to and which rows have the same text. */
export interface RowIdentity extends Pick<IndexRow, 'id' | 'group' | 'source'> {
  /** The same for rows whose `content` is the same, and for no others; short, however long that is. */
  readonly digest: string;
}

export interface IndexCandidates {
  /** Cosine similarity in [-1, 1]. */
  readonly dense: readonly Candidate[];
  /** BM25 of the terms plus `pairWeight` times BM25 of the pairs. */
  readonly sparse: readonly Candidate[];
}

export interface CollectionSpec {
  readonly name: string;
  readonly dimension: number;
  /** What made the vectors (`lexical/v1/512`): another one means another collection. */
  readonly embedding: string;
}

/** Chunks with dense vectors and BM25 terms under one name. */
export interface Collection {
  readonly name: string;
  /**
   * Puts the given groups in place of what is stored of them, in as few commits as the store allows. When it
   * resolves no reader sees an old row; replayed, it leaves the same rows. Safe from several processes at once.
   */
  replace(groups: readonly IndexGroup[], options: { readonly signal: AbortSignal }): Promise<void>;
  search(query: IndexQuery): Promise<IndexCandidates>;
  /** What candidates are, in the order of their keys; null where the row is gone by now. */
  identify(keys: readonly string[]): Promise<(RowIdentity | null)[]>;
  /** What is shown of candidates, in the order of their keys; null where the row is gone by now. */
  fetch(keys: readonly string[]): Promise<(IndexHit | null)[]>;
  /** All rows of a group with their vectors, by ordinal. */
  rows(group: string): Promise<IndexRow[]>;
  /** Removes all rows of a scope. */
  removeScope(scope: string): Promise<void>;
  count(scope?: IndexScope): Promise<number>;
  /** Whether any row has this one of the free `fields`, with a value that is not null. */
  hasField(name: string): Promise<boolean>;
  /** Free `fields` that a sample of the rows have, a thousand at most: for what a mistyped one may mean. */
  someFields(): Promise<string[]>;
  /** How many rows each group of a scope has. */
  groups(scope: string): Promise<Map<string, number>>;
  /** Merges fragments and brings secondary indices up to date; harmless at any time. */
  optimize(): Promise<void>;
}

/** A database of collections. */
export interface VectorIndex {
  /** Opens a collection, creating it when it is not there. Throws `index_mismatch` when it holds other vectors. */
  collection(spec: CollectionSpec): Promise<Collection>;
  collections(): Promise<string[]>;
  drop(name: string): Promise<void>;
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
  readonly schemes: readonly string[];
  create(context: VectorIndexContext<Infer<S>>): VectorIndex | Promise<VectorIndex>;
}
