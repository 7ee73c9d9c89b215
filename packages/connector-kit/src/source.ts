import type { Health, ObjectKind, RecordKey, SourceRecord, TroveError } from '@trove/core';

/** A table, a view, a collection: what has records in a database. */
export interface Relation {
  /** Where it is in the tree: of a table, the names of its schema and of itself. */
  readonly names: readonly string[];
  /** Why its records cannot be read, or need not be; null otherwise. */
  readonly skip: string | null;
}

/** What is known of a relation without reading all of it. */
export interface RelationDescription {
  /** The names of the fields in the key of each record; null: known once they are read. */
  readonly keyFields: readonly string[] | null;
  /** What `schema.json` says. */
  readonly schema: object;
  /** Changes whenever a record may have changed; null: it cannot be told. */
  readonly fingerprint: string | null;
}

/** What changed about the records of a relation, as far as its columns tell. */
export interface RelationChanges {
  /** Where it stands now: a JSON value, by which the next sync asks. */
  readonly watermark: unknown;
  /** Those that are new or changed since the mark, and how many there are in all; null: all have to be read. */
  readonly changed: {
    readonly records: AsyncIterable<SourceRecord>;
    readonly total: number;
  } | null;
}

/** What one operation sees of a database. It is closed when the operation ends. */
export interface DatabaseReader<R extends Relation> {
  /** All that are to be taken in, in the order of their names. */
  relations(): Promise<readonly R[]>;
  /** The one of these names; null when there is none, or when it is not to be taken in. */
  relation(names: readonly string[]): Promise<R | null>;
  describe(relation: R): Promise<RelationDescription>;
  /** Records in a stable order, no two with the same key. */
  records(relation: R, some: RecordRange): AsyncIterable<SourceRecord>;
  /** The record with a key, if there is one. */
  find(relation: R, key: RecordKey): AsyncIterable<SourceRecord>;
  /** Records in which a value contains the text, literally. */
  matches(relation: R, text: string): AsyncIterable<SourceRecord>;
  /** `mark`: of an earlier sync, null for none. Null: nothing tells what changed. */
  changes?(relation: R, mark: unknown): Promise<RelationChanges | null>;
  /** What `matches` does not look at in this relation: "the field x". Null: nothing that `searchNote` does not say. */
  describeUnsearched?(relation: R): Promise<string | null>;
  close(): Promise<void>;
}

export interface RecordRange {
  readonly offset: number;
  readonly limit: number;
  /** Only their keys are looked at. */
  readonly keysOnly: boolean;
}

export interface DatabaseSource<R extends Relation> {
  /** How many names say where a relation is. */
  readonly levels: number;
  /** What the objects are called that hold its records, and of what kind they are. */
  readonly recordsFile: { readonly name: string; readonly kind: ObjectKind };
  /** Whether readers have `changes`. */
  readonly tracksChanges: boolean;
  /** Whether schemas are made of what records are like: one that changes says nothing of the records. Default false. */
  readonly schemaIsInferred?: boolean;
  /** What `matches` does not look at in any relation, in a sentence. */
  readonly searchNotice?: string;
  /** Throws what `unhealthy` understands. */
  open(signal: AbortSignal): Promise<DatabaseReader<R>>;
  /** What a failure of `open` or of a reader means. Without it, they throw errors that say so. */
  toTroveError?(thrown: unknown): TroveError;
  check(signal: AbortSignal): Promise<Health>;
  close?(): Promise<void>;
}
