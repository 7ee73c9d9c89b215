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

/** What an object is; it decides how it is cut into chunks and how it is read. */
export type ObjectKind = (typeof objectKinds)[number];

/** One object of a source, as a listing reports it: cheap to make, without its content. */
export interface Entry {
  /** Path below the source's root, `/`-separated, no leading slash; '' for a source that is one object. */
  readonly path: string;
  /** Left out: decided from the content, then from the name. */
  readonly kind?: ObjectKind;
  readonly mediaType?: string | null;
  /** Bytes that `read` will return, or null when not known. */
  readonly size: number | null;
  /** Milliseconds since 1970, or null when not known. */
  readonly modifiedAt: number | null;
  /** Changes whenever the content may have changed; null: compare the content itself. */
  readonly fingerprint: string | null;
  /** Stays the same when the object is renamed (an inode, a document id). */
  readonly identity?: string;
  readonly title?: string;
  /** Where people read it: an absolute URL, shown with hits and filtered by as the field `url`. */
  readonly url?: string;
  /** Who wrote it, as people know them; shown with hits and filtered by as the field `author`. */
  readonly author?: string;
  /** Facts to filter by and to show with hits; `url` and `author` come before fields of these names. */
  readonly fields?: Readonly<Record<string, JsonScalar>>;
  /** Why the object is listed but must not be indexed ("larger than 64 MiB"). */
  readonly skip?: string;
}

/** An entry of one level of the tree, as browsing sees it. */
export interface BrowseEntry {
  readonly name: string;
  readonly type: 'file' | 'dir';
  readonly mediaType?: string | null;
  readonly size: number | null;
  readonly modifiedAt: number | null;
  /** On directories: what this one really is (`dev:inode`), to recognise a loop of links. */
  readonly realId?: string;
  /** False for what the source's ignore rules leave out of the index. */
  readonly indexable?: boolean;
}

/** A listing's item: an object that is there, or one that is known to be gone. */
export type Change = { readonly entry: Entry } | { readonly removed: string };

export interface ListRequest {
  /** Only what changed since this ISO date, where `capabilities.since` is true. */
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
   * What the last `changes` that ended well stored. Undefined at the first sync and at a full one: what is then not
   * yielded is taken for gone.
   */
  readonly cursor: unknown;
  /** Keeps a new cursor; the engine stores the last one once the sync succeeded, wholly or in part, and remembers what failed. */
  commit(cursor: unknown): void;
}

/** The bytes of an object. */
export interface Content {
  readonly bytes: Uint8Array | AsyncIterable<Uint8Array>;
  readonly mediaType?: string | null;
}

/** One record of a table, collection or message stream. */
export interface SourceRecord {
  /** The fields that identify the record within its object; becomes its locator. */
  readonly key: Readonly<Record<string, JsonScalar>>;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly title?: string;
  /** Where people read it: an absolute URL, shown with hits and filtered by as the field `url`. */
  readonly url?: string;
  /** Who wrote it, as people know them; shown with hits and filtered by as the field `author`. */
  readonly author?: string;
  /** Milliseconds since 1970: when it was written, or last changed. Left out: that of its object. */
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
  /** Lines shown before and after each match, 0..10. */
  readonly context: number;
  /** Path below the root to search in; '' for all. */
  readonly path: string;
  /** Matches wanted at most. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

export type GrepItem =
  | {
      readonly path: string;
      /** 1-based, inclusive: the matching line with its context. */
      readonly lines: readonly [number, number];
      readonly content: string;
    }
  /** A record, with its key: `cat` opens it by that. */
  | { readonly path: string; readonly key: Locator; readonly content: string }
  /** Something the caller should know: a file that was skipped, a pattern that took too long. */
  | { readonly notice: string };

export interface Health {
  readonly ok: boolean;
  /** One sentence for people: what was found, or what is wrong and how to mend it. */
  readonly detail: string;
}

/**
 * A source, opened. `list`, and one of `read` and `records`, are required; everything else is derived from
 * them, or answered with `not_supported`. Every method honours its signal.
 */
export interface Connector {
  /** All objects of the source, in any order, each path once. Throwing means: incomplete, delete nothing. */
  list(request: ListRequest): AsyncIterable<Entry>;
  /** The bytes of one object; throws `not_found` when it is not there. */
  read?(path: string, options: ReadOptions): Promise<Content>;
  /** The records of one object, in a stable order. */
  records?(path: string, options: RecordsOptions): AsyncIterable<SourceRecord>;
  /** What changed since a cursor, instead of listing everything. */
  changes?(request: ChangesRequest): AsyncIterable<Change>;
  /** One level of the tree; '' is the root. Throws `not_found`; for an object, yields just that one. */
  browse?(path: string, options: ReadOptions): AsyncIterable<BrowseEntry>;
  /** One object's entry without a listing, null when it is not there. */
  stat?(path: string, options: ReadOptions): Promise<Entry | null>;
  /** Searches the source itself, faster than reading every object through the engine. */
  grep?(request: GrepRequest): AsyncIterable<GrepItem>;
  /** Whether the source can be reached with this configuration; never throws for a source that cannot. */
  check?(options: ReadOptions): Promise<Health>;
  /** Why a path is left out of the index, or null when it is not: for "why is this not found?". */
  explain?(path: string, options: ReadOptions): Promise<string | null>;
  close?(): Promise<void>;
}

/** What a connector can do beyond its methods. A capability that is false is never asked for. */
export interface ConnectorCapabilities {
  /** `list` and `changes` understand `since`. */
  readonly since?: boolean;
  /** Objects keep the order of their records, so that `tail` means something. Default true. */
  readonly stableOrder?: boolean;
}

export interface ConnectorContext<C> extends PluginContext<C> {
  /** Canonical URI of the source's root. */
  readonly target: string;
  /**
   * Absolute real paths on this machine where Trove keeps its own files. A source of local files never lists, reads or
   * searches what lies there, whatever links lead to it. A target that lies there itself is refused by the engine.
   */
  readonly withheld: readonly string[];
}

/** A connector plugin; its key is the URI scheme. */
export interface ConnectorPlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'connector',
  S
> {
  /** Lower case, `[a-z][a-z0-9+.-]*`. */
  readonly scheme: string;
  readonly capabilities?: ConnectorCapabilities;
  /** Authority used when a target has none (`file:///a` is `file://local/a`). */
  readonly defaultAuthority?: string;
  create(context: ConnectorContext<Infer<S>>): Connector | Promise<Connector>;
}
