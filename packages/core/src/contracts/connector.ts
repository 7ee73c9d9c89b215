import type { FieldValue, Infer, JsonSchema } from '../schema.js';
import type { RecordKey } from '../locator.js';
import type { ConnectorContext } from './connector-context.js';
import type { PluginBase } from './plugin.js';

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
  readonly fields?: Readonly<Record<string, FieldValue>>;
  /**
   * For an object made of records: the names of the fields in the key of each, so that a caller's locator is checked
   * before it is looked for. None of them is called `lines` or `chars`.
   */
  readonly keyFields?: readonly string[];
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

/** An item of a change listing. */
export type Change =
  /** An object that exists, and may have changed: it is read. */
  | { readonly entry: Entry }
  /** The path of an object that is gone. */
  | { readonly removed: string }
  | RecordsChange
  /**
   * What follows is everything there is, as if there were no cursor: the cursor has expired, say. Only before anything
   * else.
   */
  | { readonly reset: true };

/** What changed about the records of an object that an earlier sync met: all its other records are as they were. */
export interface RecordsChange {
  readonly path: string;
  /** New or changed. */
  readonly records: readonly SourceRecord[];
  readonly removedKeys: readonly RecordKey[];
  /**
   * How many records the object has after this change. If the engine knows of others, it looks for those that are gone, or were
   * missed, by their keys: a source that cannot tell what was deleted says so many. On the last change of an object.
   */
  readonly total?: number;
}

export interface ListRequest {
  /** Only what changed since this ISO date; set only if `capabilities.since` is true. */
  readonly since?: string;
  /**
   * Only what is at these paths or below them, and none of them is below another: what `watch` has told of. Set only if
   * `capabilities.paths` is true.
   */
  readonly paths?: readonly string[];
  /**
   * The identity of an object that an earlier sync met. A source that is empty now, and can tell by it that this is not
   * the place where that object was (a disk is not mounted, say), throws instead of having everything taken for gone.
   */
  readonly known?: string;
  /** Tells people, in one sentence, what they should know of this listing: it is shown with the job. At most 20 are. */
  readonly note?: (sentence: string) => void;
  readonly signal: AbortSignal;
}

export interface ChangesRequest extends ListRequest {
  /**
   * The cursor that the last sync kept. Undefined on the first sync and on a full one, after which anything not yielded
   * is treated as deleted. A cursor that is no longer good is not an error: yield `reset`, then everything.
   */
  readonly cursor: unknown;
  /**
   * Sets the new cursor, a JSON value; the engine stores the last one given once the sync succeeds, wholly or in part,
   * and keeps track of failed objects itself.
   */
  commit(cursor: unknown): void;
}

/** Bytes of an object: from `start`, counted from 0, to before `end`, or to the last one. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

/** The bytes of an object, or those that were asked for. */
export interface Content {
  readonly bytes: Uint8Array | AsyncIterable<Uint8Array>;
  readonly mediaType?: string | null;
  /**
   * Which byte of the object is the first one here, at most the `start` of the range that was asked for. Without it, these
   * are all bytes of the object, whatever was asked for; who asked takes the range out of them. There may be more than were
   * asked for.
   */
  readonly start?: number;
  /** Default false. True: the connector keeps nothing of `bytes`, whose memory belongs to whoever reads them. */
  readonly isGiven?: boolean;
}

/** One record of a table, collection or message stream: what is compared, indexed and replaced by itself. */
export interface SourceRecord {
  /** The fields that identify the record within its object; they become its locator. */
  readonly key: RecordKey;
  /** JSON values. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** What is searched and embedded; default: the names and values of `fields`. */
  readonly text?: string;
  readonly title?: string;
  /** Where people read it: an absolute URL, shown with hits and filterable as `url`. */
  readonly url?: string;
  /** The author's name as people know it; shown with hits and filterable as `author`. */
  readonly author?: string;
  /** When it was written or last changed, in milliseconds since 1970. Defaults to the time of its object. */
  readonly at?: number;
  /** Changes whenever the record may have changed; without one, the record itself is compared. */
  readonly version?: string;
  /**
   * Names the conversation that it is a message of, within its object; at most 500 characters. The messages of one are
   * put together in the order of their `at`, found together, and replaced together.
   */
  readonly thread?: string;
  /** Paths of objects of the same source that belong to it; they are listed like any other. */
  readonly attachments?: readonly string[];
}

export interface ReadOptions {
  readonly signal: AbortSignal;
}

export interface BytesOptions extends ReadOptions {
  /** Which bytes are wanted. A connector for which a part costs no less than the whole may ignore it. */
  readonly range?: ByteRange;
}

export interface RecordsOptions extends ReadOptions {
  /** Only the record with this key, of which the names are those of the entry's `keyFields`, if it has any. */
  readonly key?: RecordKey;
  /** Only the messages of this thread. */
  readonly thread?: string;
  /** With `thread`: the keys of all its messages that are wanted, so that nobody has to look for them. It may be ignored. */
  readonly known?: readonly RecordKey[];
  /** Only the key of each record is looked at: `fields` may be empty, and the rest left out. */
  readonly keysOnly?: boolean;
  /** How many records to leave out first. Default 0. */
  readonly offset?: number;
  /** How many records to yield at most. Default all. */
  readonly limit?: number;
}

/** What is searched for. What a connector does not say that its `grep` understands is not asked of it. */
export interface GrepRequest {
  /** A text to be found literally or, with `regex`, a regular expression. */
  readonly pattern: string;
  readonly regex: boolean;
  readonly ignoreCase: boolean;
  /** Lines shown before and after each match, 0 to 10. */
  readonly context: number;
  /** Path below the root to search under; '' for everything. */
  readonly path: string;
  /**
   * Search only objects whose path below `path` every list chooses: in each, the last pattern that covers it decides.
   * `choosesPath` of `@trove/text/glob` says whether it does. Empty for all.
   */
  readonly globs: readonly (readonly string[])[];
  /**
   * Media types of documents, whose text the caller searches itself: objects that are of these types by their name need not
   * be searched, and are not to be named as skipped.
   */
  readonly except: readonly string[];
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
  | { readonly path: string; readonly key: RecordKey; readonly content: string }
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
  /** The bytes of one object, or those of a range. Throws `not_found` when it does not exist. */
  read?(path: string, options: BytesOptions): Promise<Content>;
  /**
   * The records of one object, in a stable order, no two with the same key. Throws `not_found` when the object does not
   * exist.
   */
  records?(path: string, options: RecordsOptions): AsyncIterable<SourceRecord>;
  /** What changed since a cursor, instead of a full listing. */
  changes?(request: ChangesRequest): AsyncIterable<Change>;
  /** One level of the tree; '' is the root. For an object, yields just that object. Throws `not_found`. */
  browse?(path: string, options: ReadOptions): AsyncIterable<BrowseEntry>;
  /** One object's entry without a listing, or null when it does not exist. */
  stat?(path: string, options: ReadOptions): Promise<Entry | null>;
  /**
   * Searches the source itself, faster than reading every object through the engine: object by object, in an order that
   * stays the same as long as nothing changes. Says in a notice what it did not look at.
   */
  grep?(request: GrepRequest): AsyncIterable<GrepItem>;
  /**
   * Yields paths of what may have changed, be it gone, as it happens, until the signal aborts; '' for anything, and first of
   * all, once it is watching. The source is synced soon after; only what is at these paths or below them, if `list`
   * understands `paths`: whoever may have missed something, or does not know what else a change concerns, yields ''. All of it
   * is compared now and then nevertheless. Throws when it cannot watch: the source is then synced at intervals.
   */
  watch?(options: ReadOptions): AsyncIterable<string>;
  /** Whether the source can be reached with this configuration; an unreachable source is reported, not thrown. */
  check?(options: ReadOptions): Promise<Health>;
  close?(): Promise<void>;
}

/** What a `grep` understands of a request, beyond a text to be found literally. Default: nothing. */
export interface GrepCapabilities {
  readonly regex?: boolean;
  readonly ignoreCase?: boolean;
  readonly context?: boolean;
  readonly onlyMatching?: boolean;
  /**
   * `globs`, `limitPerObject` and `after`. Without it, the source is searched from its beginning, and the engine leaves
   * out what was not asked for.
   */
  readonly paging?: boolean;
}

/** What a connector supports beyond its methods. The engine never uses a capability that is false. */
export interface ConnectorCapabilities {
  readonly grep?: GrepCapabilities;
  /** `list` and `changes` understand `since`. */
  readonly since?: boolean;
  /** `list` understands `paths`, and looks at little else. Of no use to a source with `changes`. */
  readonly paths?: boolean;
  /**
   * `records` gives one `thread` without reading all there is. Without it, the engine reads everything and leaves out the
   * others.
   */
  readonly threads?: boolean;
  /** `records` understands `keysOnly`, and reads less for it. */
  readonly keysOnly?: boolean;
  /** Records keep their order within an object, so `tail` makes sense. Default true. */
  readonly stableOrder?: boolean;
  /**
   * A listing takes so long, or asks so much of the source, that only a sync should list. Trees and single entries are
   * then shown as the last sync met them, unless the connector has a `browse` and a `stat` of its own.
   */
  readonly costlyListing?: boolean;
}

/** A connector plugin; its keys are URI schemes, in lower case: `[a-z][a-z0-9+.-]*`. */
export interface ConnectorPlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'connector',
  S
> {
  readonly capabilities?: ConnectorCapabilities;
  /**
   * Authority used when a target has none (`file:///a` is `file://local/a`). With `local`, targets are paths of this
   * machine: those outside of what the operator allows are refused.
   */
  readonly defaultAuthority?: string;
  create(context: ConnectorContext<Infer<S>>): Connector | Promise<Connector>;
}
