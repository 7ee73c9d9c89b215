import type { ErrorCode } from '../error-catalogue.js';
import type { FieldValue, Infer, JsonSchema } from '../schema.js';
import type { RecordKey } from '../locator.js';
import type { ConnectorContext } from './connector-context.js';
import type { LoginContext, OAuthLogin } from './oauth-login.js';
import type { SyncExplanation, ExplainOptions } from './explanation.js';
import type { PluginBase } from './plugin.js';
import type { QuestionContext, Questions } from './questions.js';
import type { SourceSetup } from './source-setup.js';

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

/** The kind of an object. The engine chunks and reads each kind differently. */
export type ObjectKind = (typeof objectKinds)[number];

/** An object in a listing, without its content. Must be cheap to produce. */
export interface Entry {
  /** Path below the source's root, separated by `/`, without a leading slash. Empty for a source that is one object. */
  readonly path: string;
  /** Default: derived from the content, then from the name. */
  readonly kind?: ObjectKind;
  readonly mediaType?: string | null;
  /** Bytes that `read` will return, or null when unknown. */
  readonly size: number | null;
  /** Milliseconds since 1970, or null when unknown. */
  readonly modifiedAt: number | null;
  /** Changes whenever the content may have changed. Null: the engine compares the content itself. */
  readonly fingerprint: string | null;
  /** Stays the same when the object is renamed (an inode, a document id). */
  readonly identity?: string;
  readonly title?: string;
  /** The absolute URL of its page for people. Shown with hits and filterable as `url`. */
  readonly url?: string;
  /** The author's display name. Shown with hits and filterable as `author`. */
  readonly author?: string;
  /** Values to filter by and to show with hits. `url` and `author` take precedence over fields of the same name. */
  readonly fields?: Readonly<Record<string, FieldValue>>;
  /**
   * The names of the key fields of an object's records. The engine checks locators against them. The names `lines` and
   * `chars` are reserved.
   */
  readonly keyFields?: readonly string[];
  /** The reason for not indexing a listed object ("larger than 64 MiB"). */
  readonly skip?: string;
}

/** An entry of one level of the tree. */
export interface BrowseEntry {
  readonly name: string;
  readonly type: 'file' | 'dir';
  readonly mediaType?: string | null;
  readonly size: number | null;
  readonly modifiedAt: number | null;
  /** The identity of a folder (`dev:inode`), to detect loops of links. */
  readonly realId?: string;
  /** The reason for not indexing the object, shown to callers. */
  readonly skip?: string;
}

/**
 * A position in a stream. The engine may keep everything before it, and stores the token once that is durable. After a
 * pause, a retry or a crash, it calls the method again with the last token as `resume`. Nothing before the position is
 * requested again. Yield one after each page of a paged source.
 */
export interface Checkpoint {
  /** A JSON value of at most 100,000 characters. */
  readonly checkpoint: unknown;
}

export function isCheckpoint(item: unknown): item is Checkpoint {
  return typeof item === 'object' && item !== null && 'checkpoint' in item;
}

/** Yields the items of a stream without its checkpoints. */
export async function* withoutCheckpoints<T>(
  items: AsyncIterable<T> | Iterable<T>,
): AsyncGenerator<Exclude<T, Checkpoint>, void, undefined> {
  for await (const item of items) if (isNoCheckpoint(item)) yield item;
}

function isNoCheckpoint<T>(item: T): item is Exclude<T, Checkpoint> {
  return !isCheckpoint(item);
}

/** An item of a change listing. */
export type Change =
  /** A new or changed object. The engine reads it. */
  | { readonly entry: Entry }
  /** The path of a deleted object. */
  | { readonly removed: string }
  | RecordsChange
  | Checkpoint
  /** A full listing follows, for example because the cursor has expired. Allowed only as the first item. */
  | { readonly reset: true };

/**
 * The records of an object among which the source has reported every existing one: all records, those of a thread, or
 * those with `at` from `from`, inclusive, to `to`, exclusive, in milliseconds since 1970.
 */
export type CompleteScope =
  | 'object'
  | { readonly thread: string }
  | { readonly from: number; readonly to: number };

/** Changed records of an object from an earlier listing. All other records of the object are unchanged. */
export interface RecordsChange {
  readonly path: string;
  /** New or changed. */
  readonly records: readonly SourceRecord[];
  readonly removedKeys: readonly RecordKey[];
  /**
   * The number of records in the object after this change. Set it on the last change of an object if the source does not
   * report deletions. If the engine has stored another number, it compares the keys of all records.
   */
  readonly total?: number;
  /**
   * Stored records of this scope count as deleted, unless this change or an earlier one of the object since the last
   * checkpoint has reported them.
   */
  readonly complete?: CompleteScope;
}

export interface ListRequest {
  /** Only objects that changed since this ISO date. Set only if `capabilities.since` is true. */
  readonly since?: string;
  /**
   * Only these paths, as reported by `watch`, and everything below them. No path is below another one. Set only if
   * `capabilities.paths` is true.
   */
  readonly paths?: readonly string[];
  /**
   * The identity of an object from an earlier listing. The connector throws if the source is empty and this object
   * cannot have been here, for example because a disk is not mounted. Otherwise all objects would count as deleted.
   */
  readonly knownIdentity?: string;
  /** Adds a warning to the job, a sentence for people. A job shows at most 20. */
  readonly warn?: (sentence: string) => void;
  /** The last checkpoint of an interrupted listing: continue after it. */
  readonly resume?: unknown;
  readonly signal: AbortSignal;
}

export interface ChangesRequest extends ListRequest {
  /**
   * The cursor of the last sync. Undefined for the first sync and for a full sync, after which all objects that were
   * not yielded count as deleted. For an expired cursor, yield `reset` and then a full listing.
   */
  readonly cursor: unknown;
  /**
   * Sets the new cursor, a JSON value. The engine stores the last one when the sync succeeds, wholly or in part. The
   * engine retries failed objects without the cursor.
   */
  commit(cursor: unknown): void;
}

/** A range of bytes from `start`, counted from 0, to `end`, exclusive. Default `end`: the last byte. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

/** The bytes of an object or of a range. */
export interface Content {
  readonly bytes: Uint8Array | AsyncIterable<Uint8Array>;
  readonly mediaType?: string | null;
  /**
   * The position of the first byte in the object, at most the `start` of the requested range. Undefined: `bytes` is the
   * whole object. The engine cuts the range out of `bytes`, which may be longer than requested.
   */
  readonly start?: number;
  /** The caller may transfer the memory of `bytes`, because the connector does not use it again. Default false. */
  readonly transferable?: boolean;
}

/** A record of a table, collection or message stream. Records are compared, indexed and replaced one by one. */
export interface SourceRecord {
  /** The fields that identify the record within its object. They become its locator. */
  readonly key: RecordKey;
  /** JSON values. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The text to search and embed. Default: the names and values of `fields`. */
  readonly text?: string;
  readonly title?: string;
  /** The absolute URL of its page for people. Shown with hits and filterable as `url`. */
  readonly url?: string;
  /** The author's display name. Shown with hits and filterable as `author`. */
  readonly author?: string;
  /** The time of the last change, in milliseconds since 1970. Default: the time of the object. */
  readonly at?: number;
  /** Changes whenever the record may have changed. Default: the engine compares the record itself. */
  readonly version?: string;
  /**
   * The name of the conversation that contains this message, unique within the object; at most 500 characters. Messages of
   * a thread are ordered by `at`, found together and replaced together.
   */
  readonly thread?: string;
  /**
   * Values that belong to the whole thread, such as the state of an issue. They apply to each chunk of the thread. If
   * several messages have them, the latest message counts.
   */
  readonly threadFields?: Readonly<Record<string, FieldValue>>;
  /** Paths of attachments. Each is an object of the same source and is listed like any other. */
  readonly attachments?: readonly string[];
}

export interface ReadOptions {
  readonly signal: AbortSignal;
}

export interface ObjectOptions extends ReadOptions {
  /** The `identity` of the object's entry, if it has one and the object is known. */
  readonly identity?: string;
}

export interface BytesOptions extends ObjectOptions {
  /** The requested bytes. A connector may ignore it if a part costs as much as the whole. */
  readonly range?: ByteRange;
}

export interface RecordsOptions extends ObjectOptions {
  /** Only the record with this key. Its names are those of the entry's `keyFields`, if set. */
  readonly key?: RecordKey;
  /** Only the messages of this thread. */
  readonly thread?: string;
  /** With `thread`: the keys of the requested messages. A connector may ignore it. */
  readonly messageKeys?: readonly RecordKey[];
  /** The caller uses only the keys. `fields` may be empty, and other members may be absent. */
  readonly keysOnly?: boolean;
  /** The number of records to skip. Default 0. */
  readonly offset?: number;
  /** The maximum number of records. Default all. */
  readonly limit?: number;
  /** The last checkpoint of an interrupted stream of all records: continue after it. */
  readonly resume?: unknown;
}

/** A search for lines. The engine sets only options that `GrepCapabilities` declares. */
export interface GrepRequest {
  /** A literal text or, with `regex`, a regular expression. */
  readonly pattern: string;
  readonly regex: boolean;
  readonly ignoreCase: boolean;
  /** Lines shown before and after each match, 0 to 10. */
  readonly context: number;
  /** The path below the root to search. '' for everything. */
  readonly path: string;
  /** The `identity` of the entry at `path`, if `path` is a known object that has one. */
  readonly identity?: string;
  /**
   * Search only objects whose path below `path` matches every list. In a list, the last matching pattern decides.
   * `compilePathFilter` of `@trove/text/glob` implements this. Empty: all objects.
   */
  readonly globs: readonly (readonly string[])[];
  /**
   * Media types of documents, which the engine searches itself. The connector may skip objects of these types, judged
   * by name, and reports no notice for them.
   */
  readonly excludedMediaTypes: readonly string[];
  /** `content` is the matching text of a line, one occurrence per line. */
  readonly onlyMatching: boolean;
  /** Maximum number of matches. */
  readonly limit: number;
  /** Maximum number of matches in one object. */
  readonly limitPerObject: number;
  /** Continue after this position of an earlier search. Null: from the beginning. */
  readonly after: GrepPosition | null;
  readonly signal: AbortSignal;
}

/** A position in the results of a search: an object and the number of its matches before the position. */
export interface GrepPosition {
  readonly path: string;
  readonly matches: number;
}

export type GrepItem =
  | {
      readonly path: string;
      /** 1-based, inclusive: the matching line and its context. */
      readonly lines: readonly [number, number];
      readonly content: string;
      /** The matching lines, and the column of the match: 1-based, in UTF-16 code units. */
      readonly match: { readonly lines: readonly [number, number]; readonly column: number };
    }
  /** A record and its key, with which `cat` opens it. */
  | { readonly path: string; readonly key: RecordKey; readonly content: string }
  /** A message for the caller: a skipped file, a pattern that took too long. */
  | { readonly notice: string };

export interface Health {
  readonly ok: boolean;
  /** A sentence for people: the finding, or the problem and its remedy. */
  readonly detail: string;
  /** The kind of problem. Default: `connector_unhealthy`. A source that is `rate_limited` can be added: its sync waits. */
  readonly code?: ErrorCode;
  /** When the source may be asked again, in milliseconds from now. */
  readonly retryAfterMs?: number;
}

/**
 * An open source. `list` is required, and so is `read` or `records`. The engine derives other methods from them, or
 * answers `not_supported`. Every method honours its signal.
 */
export interface Connector {
  /** What this source supports, if it depends on the configuration. Default: `capabilities` of the plugin. */
  readonly capabilities?: ConnectorCapabilities;
  /**
   * Yields all objects of the source, in any order, each path once. If it throws, the listing is incomplete: the yielded
   * objects are indexed, no object is deleted, no cursor is kept, and the job fails. After `listing_incomplete`, thrown when
   * all accessible objects have been yielded, the job ends `partial`.
   */
  list(request: ListRequest): AsyncIterable<Entry | Checkpoint>;
  /** Returns the bytes of an object or of a range. Throws `not_found` if the object does not exist. */
  read?(path: string, options: BytesOptions): Promise<Content>;
  /**
   * Yields the records of an object in a stable order, with unique keys. Throws `not_found` if the object does not
   * exist. A stream without checkpoints is continued with `offset`.
   */
  records?(path: string, options: RecordsOptions): AsyncIterable<SourceRecord | Checkpoint>;
  /** Yields the changes since a cursor, instead of a full listing. */
  changes?(request: ChangesRequest): AsyncIterable<Change>;
  /** Yields one level of the tree. '' is the root. For an object, yields only that object. Throws `not_found`. */
  browse?(path: string, options: ReadOptions): AsyncIterable<BrowseEntry>;
  /**
   * Returns the entry of an object without a listing, or null if the object does not exist. `modifiedAt` may be null if finding
   * the time is slow.
   */
  stat?(path: string, options: ObjectOptions): Promise<Entry | null>;
  /**
   * Returns the path of the object with a web address, such as the `url` of its entry, or null if the address belongs to no
   * object. Called only with the capability `addresses`.
   */
  pathOf?(address: string, options: ReadOptions): Promise<string | null>;
  /**
   * Searches in the source itself, faster than reading every object through the engine. Goes object by object, in an
   * order that is stable while the source does not change. Reports objects that it did not search as notices.
   */
  grep?(request: GrepRequest): AsyncIterable<GrepItem>;
  /**
   * Yields changed or deleted paths as they happen, until the signal aborts. Yields '' when watching begins, and
   * whenever any path may have changed. The engine then syncs the source, limited to these paths if `list` supports
   * `paths`. It still compares the whole source from time to time. If `watch` throws, the engine syncs at intervals.
   */
  watch?(options: ReadOptions): AsyncIterable<string>;
  /** Checks whether the source can be reached. Reports an unreachable source instead of throwing. */
  check?(options: ReadOptions): Promise<Health>;
  /** Returns the requests that a sync makes, with no secret in them. Makes no request itself. */
  explain?(options: ExplainOptions): Promise<SyncExplanation>;
  /** Frees everything. An idle connector is closed, and its source gets a new one for the next call. */
  close?(): Promise<void>;
}

/** The options that a `grep` supports besides literal texts. Default: none. */
export interface GrepCapabilities {
  readonly regex?: boolean;
  readonly ignoreCase?: boolean;
  readonly context?: boolean;
  readonly onlyMatching?: boolean;
  /**
   * `globs`, `limitPerObject` and `after`. Without it, the connector searches from the beginning, and the engine filters the
   * result.
   */
  readonly paging?: boolean;
}

/** Optional behaviour of a connector's methods. The engine never uses a capability that is false. */
export interface ConnectorCapabilities {
  readonly grep?: GrepCapabilities;
  /** `list` and `changes` support `since`. */
  readonly since?: boolean;
  /** `list` supports `paths` and reads little else. Useless for a source with `changes`. */
  readonly paths?: boolean;
  /**
   * `records` yields one `thread` without reading all records. Without it, the engine reads all records and filters
   * them.
   */
  readonly threads?: boolean;
  /** `records` supports `keysOnly` and reads less with it. */
  readonly keysOnly?: boolean;
  /** Records keep their order within an object, which `tail` requires. Default true. */
  readonly stableOrder?: boolean;
  /** `pathOf` finds objects by their web addresses. */
  readonly addresses?: boolean;
  /**
   * Listing is slow or expensive, so only a sync lists the source. Trees and single entries then show the state of the last
   * sync, unless the connector has its own `browse` and `stat`.
   */
  readonly costlyListing?: boolean;
}

/** A connector plugin. Its keys are URI schemes in lower case: `[a-z][a-z0-9+.-]*`. */
export interface ConnectorPlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'connector',
  S
> {
  readonly capabilities?: ConnectorCapabilities;
  /**
   * The authority of targets without one (`file:///a` is `file://local/a`). With `local`, targets are paths of this machine,
   * and paths outside the allowed roots are refused.
   */
  readonly defaultAuthority?: string;
  /**
   * Returns the endpoints for a login on a terminal. Throws `config_invalid` if the configuration names no client. Absent:
   * tokens come from settings only.
   */
  login?(context: LoginContext): Promise<OAuthLogin>;
  /** Asks a person for the configuration, if questions depend on earlier answers. Without it, `setup` has the questions. */
  askConfig?(
    questions: Questions,
    context: QuestionContext,
  ): Promise<Readonly<Record<string, unknown>>>;
  /** The questions of the wizard. Default: one for each property of `configSchema`. */
  readonly setup?: SourceSetup;
  create(context: ConnectorContext<Infer<S>>): Connector | Promise<Connector>;
}
