import type { Infer, JsonScalar, JsonSchema } from '../schema.js';
import type { Locator } from '../locator.js';
import type { PluginBase, PluginContext } from './plugin.js';

export const objectKinds = [
  'document',
  'code',
  'text',
  'image',
  'binary',
  'table_rows',
  'table_schema',
  'message_stream',
  'record_collection',
  'directory',
] as const;

/** What an object is; decides how it is chunked and how it is read. */
export type ObjectKind = (typeof objectKinds)[number];

/** One object of a source as a listing reports it: cheap to produce, without content. */
export interface Entry {
  /** Path below the source's root, `/`-separated, no leading slash; '' for a source that is one object. */
  readonly path: string;
  /** When omitted, derived from the content, then from the name. */
  readonly kind?: ObjectKind;
  readonly mediaType?: string | null;
  /** Bytes that `read` will return, or null when unknown. */
  readonly size: number | null;
  /** Milliseconds since 1970, or null when unknown. */
  readonly modifiedAt: number | null;
  /** Changes whenever the content may have changed; null means the content itself must be compared. */
  readonly fingerprint: string | null;
  /** Stays the same when the object is renamed (an inode, a document id). */
  readonly identity?: string;
  readonly title?: string;
  /** Where people read it: an absolute URL, shown with hits and filterable as `url`. */
  readonly url?: string;
  /** The author's name as people know it; shown with hits and filterable as `author`. */
  readonly author?: string;
  /**
   * Values to filter by and to show with hits; `url` and `author` above take precedence over fields of the same name.
   */
  readonly fields?: Readonly<Record<string, JsonScalar>>;
  /** Why the object is listed but must not be indexed ("larger than 64 MiB"). */
  readonly skip?: string;
}

/** An entry at one level of the tree, as seen by browsing. */
export interface BrowseEntry {
  readonly name: string;
  readonly type: 'file' | 'dir';
  readonly mediaType?: string | null;
  readonly size: number | null;
  readonly modifiedAt: number | null;
  /** For directories: the real identity (`dev:inode`), used to detect link loops. */
  readonly realId?: string;
  /** Why it is kept out of the index, in words that answer "why can't I find this?". */
  readonly skip?: string;
}

/** An item of a change listing: an object that exists, or one known to be gone. */
export type Change = { readonly entry: Entry } | { readonly removed: string };

export interface ListRequest {
  /** Only what changed since this ISO date; set only if `capabilities.since` is true. */
  readonly since?: string;
  /**
   * The identity of an object that an earlier sync met. A source that is empty now, and can tell by it that this is not
   * the place where that object was (a disk is not mounted, say), throws instead of having everything taken for gone.
   */
  readonly known?: string;
  readonly signal: AbortSignal;
}

export interface ChangesRequest extends ListRequest {
  /**
   * The cursor kept by the last successful `changes`. Undefined on the first sync and on a full one, after which
   * anything not yielded is treated as deleted.
   */
  readonly cursor: unknown;
  /**
   * Sets the new cursor; the engine stores the last one given once the sync succeeds, wholly or in part, and keeps
   * track of failed objects itself.
   */
  commit(cursor: unknown): void;
}

/** The bytes of an object. */
export interface Content {
  readonly bytes: Uint8Array | AsyncIterable<Uint8Array>;
  readonly mediaType?: string | null;
}

/** One record of a table, collection or message stream. */
export interface SourceRecord {
  /** The fields that identify the record within its object; they become its locator. */
  readonly key: Readonly<Record<string, JsonScalar>>;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly title?: string;
  /** Where people read it: an absolute URL, shown with hits and filterable as `url`. */
  readonly url?: string;
  /** The author's name as people know it; shown with hits and filterable as `author`. */
  readonly author?: string;
  /** When it was written or last changed, in milliseconds since 1970. Defaults to the time of its object. */
  readonly at?: number;
}

export interface ReadOptions {
  readonly signal: AbortSignal;
}

export interface RecordsOptions extends ReadOptions {
  /** Only the record with this key. */
  readonly key?: Locator;
}

export interface GrepRequest {
  readonly pattern: string;
  readonly regex: boolean;
  readonly ignoreCase: boolean;
  /** Lines shown before and after each match, 0 to 10. */
  readonly context: number;
  /** Path below the root to search under; '' for everything. */
  readonly path: string;
  /**
   * Search only objects whose path below `path` every list chooses: in each, the last pattern that covers it decides.
   * `choosesPath` of `@trove/core/glob` says whether it does. Empty for all.
   */
  readonly globs: readonly (readonly string[])[];
  /** The content of a match is what matches in its line, one occurrence per line. */
  readonly onlyMatching: boolean;
  /** Maximum number of matches wanted. */
  readonly limit: number;
  /** Maximum number of them in one object. */
  readonly limitPerObject: number;
  /** Where an earlier search ended: go on in that object after as many of its matches. Null: from the beginning. */
  readonly after: GrepPlace | null;
  readonly signal: AbortSignal;
}

/** A place in the results of a search: an object, and how many of its matches come before. */
export interface GrepPlace {
  readonly path: string;
  readonly matches: number;
}

export type GrepItem =
  | {
      readonly path: string;
      /** 1-based, inclusive: the matching line and its context. */
      readonly lines: readonly [number, number];
      readonly content: string;
      /** Which of the lines match, and where the match begins: 1-based, in UTF-16 code units. */
      readonly match: { readonly lines: readonly [number, number]; readonly column: number };
    }
  /** A record and its key, with which `cat` opens it. */
  | { readonly path: string; readonly key: Locator; readonly content: string }
  /** Something the caller should know: a skipped file, a pattern that took too long. */
  | { readonly notice: string };

export interface Health {
  readonly ok: boolean;
  /** One sentence for people: what was found, or what is wrong and how to fix it. */
  readonly detail: string;
}

/**
 * An open source. `list` and at least one of `read` and `records` are required; everything else is derived from them or
 * answered with `not_supported`. Every method honours its signal.
 */
export interface Connector {
  /**
   * All objects of the source, in any order, each path once. Throwing means the listing is incomplete: what was yielded
   * is indexed, nothing is deleted, no cursor is kept, and the job fails; or, with `listing_incomplete`, thrown once
   * everything that could be listed has been yielded, ends `partial`.
   */
  list(request: ListRequest): AsyncIterable<Entry>;
  /** The bytes of one object. Throws `not_found` when it does not exist. */
  read?(path: string, options: ReadOptions): Promise<Content>;
  /** The records of one object, in a stable order. */
  records?(path: string, options: RecordsOptions): AsyncIterable<SourceRecord>;
  /** What changed since a cursor, instead of a full listing. */
  changes?(request: ChangesRequest): AsyncIterable<Change>;
  /** One level of the tree; '' is the root. For an object, yields just that object. Throws `not_found`. */
  browse?(path: string, options: ReadOptions): AsyncIterable<BrowseEntry>;
  /** One object's entry without a listing, or null when it does not exist. */
  stat?(path: string, options: ReadOptions): Promise<Entry | null>;
  /**
   * Searches the source itself, faster than reading every object through the engine: object by object, in an order that
   * stays the same as long as nothing changes.
   */
  grep?(request: GrepRequest): AsyncIterable<GrepItem>;
  /** Whether the source can be reached with this configuration; an unreachable source is reported, not thrown. */
  check?(options: ReadOptions): Promise<Health>;
  close?(): Promise<void>;
}

/** What a connector supports beyond its methods. The engine never uses a capability that is false. */
export interface ConnectorCapabilities {
  /** `list` and `changes` understand `since`. */
  readonly since?: boolean;
  /** Records keep their order within an object, so `tail` makes sense. Default true. */
  readonly stableOrder?: boolean;
}

export interface ConnectorContext<C> extends PluginContext<C> {
  /** Canonical URI of the source's root. */
  readonly target: string;
  /**
   * Absolute real paths on this machine where Trove keeps its own files. A source of local files must never list, read
   * or search anything inside them, even through links. The engine itself refuses a target inside them.
   */
  readonly withheld: readonly string[];
  /**
   * Absolute path of the folder that holds the source's files if a client sent them to Trove, for plugins that serve
   * local files. It is no part of the source's name: nobody must be shown it.
   */
  readonly tree?: string;
}

/** A connector plugin; its key is the URI scheme. */
export interface ConnectorPlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'connector',
  S
> {
  /** Lower case: `[a-z][a-z0-9+.-]*`. */
  readonly scheme: string;
  readonly capabilities?: ConnectorCapabilities;
  /** Authority used when a target has none (`file:///a` is `file://local/a`). */
  readonly defaultAuthority?: string;
  create(context: ConnectorContext<Infer<S>>): Connector | Promise<Connector>;
}
