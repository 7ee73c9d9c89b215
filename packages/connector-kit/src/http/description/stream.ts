import type { ObjectKind } from '@trove/core';

import type { Paging } from './paging.js';
import type { ErrorRule } from './error-rule.js';
import type { Duration, RequestDescription, RequestPart, Scope, Text, Value } from './value.js';

/** An object that consists of the records of one or more streams: a list of issues, a channel. */
export interface ObjectDescription<C = unknown> {
  /** Each item of this stream is one object. Without it, there is one object, and its texts have no item at hand. */
  readonly for?: string;
  /** The path below the root of the source: `issues`, `channels/{name}`. Slashes in values become `∕`. */
  readonly path: Text<C>;
  /** Default: `message_stream` if a stream has threads, otherwise `record_collection`. */
  readonly kind?: Extract<ObjectKind, 'record_collection' | 'message_stream' | 'table_rows'>;
  readonly title?: Value<C>;
  readonly url?: Value<C>;
  readonly author?: Value<C>;
  /** Stays the same when the object is renamed: `id`. Recommended with `for`. */
  readonly identity?: Value<C>;
  readonly modifiedAt?: Value<C>;
  readonly fields?: Readonly<Record<string, Value<C>>>;
  /** The reason for not indexing the object. An empty text or nothing: it is indexed. */
  readonly skip?: Value<C>;
  /**
   * Counts all records this often, with `keysOnly` requests, because the service reports no deletions. If the number differs
   * from that of the index, the keys are compared.
   */
  readonly countEvery?: Duration;
}

/**
 * A list of the service. With `in` and `key`, its items are records. With `document`, they are documents. With neither, they
 * are parents of other streams or of objects.
 */
export interface StreamDescription<C = unknown> extends RequestDescription<C> {
  readonly page?: Paging;
  /** The maximum number of pages of one listing, against endless ones. Default 10,000. */
  readonly maxPages?: number;
  /** The items in the answer: a path, `data.items`, or a function of the body. Default: the body, or the nodes of a connection. */
  readonly items?: Value<C>;
  /**
   * Whether an answer without the list fails, for a service that never leaves out an empty list. By default it counts as an
   * empty list, which deletes the remaining items. An answer to a query of GraphQL always fails without the list.
   */
  readonly itemsRequired?: boolean;
  /** Only items for which this is true and not empty: `text`, `(m) => m.subtype !== 'channel_join'`. */
  readonly where?: Value<C>;
  readonly errors?: readonly ErrorRule[];

  /** The parent stream. This stream is requested once for each of its items. */
  readonly for?: string;
  /** Only parents for which this is true and not zero: `reply_count`. */
  readonly when?: Value<C>;
  /** The items in the parent itself. If `isComplete` holds for the parent, no request is sent. */
  readonly embedded?: { readonly items: Value<C>; readonly isComplete: Value<C> };
  /** The number of items in the parent: `comment_count`. `countEvery` then counts them without requests. They have no children. */
  readonly count?: Value<C>;
  /** The time of the last change in the parent: `latest_reply`. In an incremental run, only parents that changed since the cursor. */
  readonly moved?: Value<C>;
  /**
   * Items may contain items, and the service lists one level of them: `{ when: 'has_child', send: { query: { parent:
   * '{container.token}' } } }`. The request is sent again, with `send`, for each item for which `when` is true. `{container}` is
   * this item, reduced to `keep`.
   */
  readonly nested?: { readonly when: Value<C>; readonly send: RequestPart<C> };
  /** The members of an item that its children, and objects `for` it, use. Checkpoints contain them. Default: all. */
  readonly keep?: readonly string[];

  /** The object of the records: a name in `objects`, or a path. */
  readonly in?: string;
  /**
   * The path of the identifying member, or several: `id`. A map names the members itself: `{ id: 'sys.id' }`. The values must
   * be scalars. If an object has several streams, the kit adds `stream`, the name of the stream, to the keys.
   */
  readonly key?: string | readonly string[] | Readonly<Record<string, string>>;
  /** The stream that this stream shares its records with, because both list the same ones. */
  readonly sameAs?: string;
  readonly record?: RecordMapping<C> | RecordFunction<C>;
  /** Requests one record by its key, of which `{key.id}` is a member. Without it, the kit searches the listing. */
  readonly one?: OneDescription<C>;
  /**
   * Changes the request so that it lists one thread, `{thread}`. The object then supports threads. Its streams without it
   * have no messages in threads, or another stream lists them. The answer may be a single item. A child sees its parent if the
   * thread has one item of the parent's stream.
   */
  readonly ofThread?: RequestDescription<C> & { readonly items?: Value<C> };
  /**
   * Changes the request so that it lists the records that contain `{pattern}`. The service must find each of them, also inside
   * words. `grep` uses it if all streams of records have it, no object has `for`, and there are no documents.
   */
  readonly grep?: RequestDescription<C> & { readonly items?: Value<C> };
  /** Changes the request so that its items have little more than their keys. */
  readonly keysOnly?: RequestPart<C>;

  readonly incremental?: Incremental<C>;
  /** Whether an item is a deleted record or document: `deleted`. */
  readonly isGone?: Value<C>;
  /** The thread that a deleted item ends: `id`. All its messages are deleted. By default only the record of the item is. */
  readonly endsThread?: Value<C>;
  /** Lists deleted items. Only their keys are used. Sent in incremental runs. */
  readonly gone?: RequestDescription<C> & {
    readonly page?: Paging;
    readonly items?: Value<C>;
    readonly key?: StreamDescription<C>['key'];
    /** The time of a deletion, for a list that begins with the last one. The listing stops at the first older item. */
    readonly time?: Value<C>;
  };
  /**
   * The request lists all records of the parent's thread, so the missing ones are deleted: `{ thread: '{ts}' }`. Without
   * `outlivesParent`, a deleted parent ends the thread without a request.
   */
  readonly complete?: { readonly thread: Value<C>; readonly outlivesParent?: boolean };

  readonly document?: DocumentMapping<C>;
  /** Returns the content of a document. Required with `document`. */
  readonly read?: ReadDescription<C>;
}

/** How a record is made of an item. See `SourceRecord` for the members. Texts and numbers are converted. */
export interface RecordMapping<C = unknown> {
  readonly title?: Value<C>;
  readonly text?: Value<C>;
  /** The time of the last change: an ISO date, epoch seconds or epoch milliseconds, also as a text of digits. */
  readonly at?: Value<C>;
  readonly author?: Value<C>;
  readonly url?: Value<C>;
  readonly version?: Value<C>;
  readonly thread?: Value<C>;
  readonly threadFields?: Readonly<Record<string, Value<C>>>;
  /** Default: the whole item if `text` is absent, otherwise none. */
  readonly fields?: Readonly<Record<string, Value<C>>> | readonly string[];
  /** A list of paths of documents of this source. */
  readonly attachments?: Value<C>;
}

/** Returns the members of a record by their names. An exception leaves out this record, and the listing is incomplete. */
type RecordFunction<C> = {
  record(item: unknown, scope: Scope<C>): Promise<RecordParts> | RecordParts;
}['record'];
export type RecordParts = { readonly [Member in keyof RecordMapping]?: unknown };

/** How the entry of a document is made of an item. See `Entry` for the members. */
export interface DocumentMapping<C = unknown> {
  /** The path below the root, with a name that shows the type: `pages/{id}.md`. With `tree`, only the name. */
  readonly path: Text<C>;
  /** The id of the item, which stays the same when it is renamed. Required with `tree` and with a change feed. */
  readonly identity?: Value<C>;
  readonly title?: Value<C>;
  readonly url?: Value<C>;
  readonly author?: Value<C>;
  readonly size?: Value<C>;
  readonly modifiedAt?: Value<C>;
  /** Changes whenever the content may have changed. Default: `modifiedAt`. */
  readonly fingerprint?: Value<C>;
  readonly mediaType?: Value<C>;
  /** Values by name, or the value that is an object of them: `properties`. */
  readonly fields?: Readonly<Record<string, Value<C>>> | Value<C>;
  readonly skip?: Value<C>;
  /** The items form a tree by their ids. */
  readonly tree?: TreeDescription<C>;
}

/**
 * Places documents in folders by the ids of their parents. A renamed or moved folder moves everything below it. Documents and
 * folders with the same name in one folder get a part of their id as a suffix.
 */
export interface TreeDescription<C = unknown> {
  /** The stream that lists the folders. It is listed before the documents. */
  readonly folders: string;
  /** The id of a folder. */
  readonly id: Value<C>;
  /** The name of a folder. */
  readonly name: Value<C>;
  /** The id of the parent of a folder or document, or a list of which the first one counts: `parents`. */
  readonly parent: Value<C>;
  /** The time at which a folder was created. Without it, any folder that appears causes a full listing. */
  readonly createdAt?: Value<C>;
  /** The id of the root folder: `{config.folder}`. Only its contents are listed. Default: everything. */
  readonly root?: Text<C>;
  /**
   * Requests the id of a top folder that `folders` does not list: `{ get: '/files/root', id: 'id' }`. Its items are at the top.
   * With `root`, the listing fails if the request does.
   */
  readonly top?: RequestDescription<C> & { readonly id: string };
  /** The folder of items whose parent is not listed, such as shared ones. Default `Shared`. Not used with `root`. */
  readonly orphans?: string;
}

/** The request of a document. The item at hand is the listed item, reduced to `keep`. */
export interface ReadDescription<C = unknown> extends RequestDescription<C> {
  /** The text in a JSON answer. Default: the bytes of the answer. */
  readonly text?: Value<C>;
  /**
   * The content is in the item, so no request is sent. Requires `text`. For lists of up to 8 MiB: a document that is not in
   * memory any more is requested with `one`, or the list is requested again.
   */
  readonly inItem?: boolean;
  readonly mediaType?: Value<C>;
  /** Requests by `document.mediaType`: `{ 'application/vnd.google-apps.document': { get: …, mediaType: 'text/markdown' } }`. */
  readonly exports?: Readonly<Record<string, ExportDescription<C>>>;
  /** Whether the service honours `Range`. */
  readonly ranges?: boolean;
  /** Other hosts that bytes may come from: `*.googleusercontent.com`. They get no login. */
  readonly hosts?: readonly string[];
}

export interface ExportDescription<C = unknown> extends RequestDescription<C> {
  /** The media type of the content. */
  readonly mediaType?: string;
  /** The ending of the name, because the name in the service has none: `.md`. */
  readonly extension?: string;
  /** The reason for not indexing documents of this type. */
  readonly skip?: string;
}

export interface OneDescription<C = unknown> extends RequestDescription<C> {
  /** The item in the answer. Default: the body. */
  readonly item?: Value<C>;
  /** The answer is a list, and the item may be on a later page. */
  readonly page?: Paging;
}

/**
 * How an incremental run finds what changed since the cursor. The cursor is the start of the last successful run. `overlap`
 * is subtracted, because many services show changes late. Unchanged items cost nothing.
 */
export type Incremental<C = unknown> =
  | SinceIncremental<C>
  | NewestFirstIncremental<C>
  | WindowIncremental<C>
  | ExportIncremental<C>
  | FeedIncremental<C>;

/** The format of times in requests. `iso` is `2026-01-31T12:00:00.000Z`, `date` is `2026-01-31`. Default `iso`. */
export type TimeFormat = 'iso' | 'seconds' | 'milliseconds' | 'date';

/** The service filters by time. */
export interface SinceIncremental<C = unknown> {
  readonly by: 'since';
  /** Added to the request: `{ query: { since: '{since}', sort: 'updated' } }`. */
  readonly send: RequestPart<C>;
  readonly format?: TimeFormat;
  /** Required, because hardly a service shows all changes at once. */
  readonly overlap: Duration;
}

/** The service sorts by the time of change, newest first. The listing stops at the first older item. */
export interface NewestFirstIncremental<C = unknown> {
  readonly by: 'newest-first';
  /** The time of the last change of an item. */
  readonly time: Value<C>;
  readonly overlap: Duration;
  /** Added to incremental requests, such as the order. */
  readonly send?: RequestPart<C>;
}

/** The service reports no changes. Each run reads the newest items again. Missing ones are deleted. */
export interface WindowIncremental<C = unknown> {
  readonly by: 'window';
  /** The age of the oldest items to read again. */
  readonly last: Duration;
  /** Added to incremental requests: `{ query: { oldest: '{since}' } }`. `{since}` is the begin of the window. */
  readonly send: RequestPart<C>;
  readonly format?: TimeFormat;
  /**
   * The order of the items by `record.at`, usually the time of creation. A newest-first listing ends at its first page that is
   * older than the window. Unordered items are complete only at the end of the window.
   */
  readonly order: 'newest-first' | 'oldest-first' | 'none';
}

/** The token of the last page is the cursor. The paging must be `cursor`. */
export interface ExportIncremental<C = unknown> {
  readonly by: 'export';
  /** Added to a request without a token, in place of a cursor: `{ query: { start_time: '{since}' } }`. A full run begins at 0. */
  readonly send: RequestPart<C>;
  readonly format?: TimeFormat;
  readonly overlap: Duration;
}

/** A list of changes since a token. Only for documents and records without a parent stream and without child streams. */
export interface FeedIncremental<C = unknown> {
  readonly by: 'feed';
  /** The request for the current token, and the path of the token in the answer. It is sent before a full listing. */
  readonly start: RequestDescription<C> & { readonly token: string };
  /** The request for the changes since `{token}`. */
  readonly changes: RequestDescription<C>;
  readonly page?: Paging;
  /** The list of the changes in the answer. */
  readonly items: Value<C>;
  /** The path of the token for the next run, in the answer of the last page. */
  readonly next: string;
  /** The id of the changed item in a change: the `identity` of documents, `{key.id}` of `one`. */
  readonly id: Value<C>;
  /** The item in a change. Without it, the item is requested with `one`. */
  readonly item?: Value<C>;
  /** Whether the change is a deletion. */
  readonly isGone?: Value<C>;
  /** Whether the changed item is a folder of the tree. */
  readonly isFolder?: Value<C>;
  /** Rules for these requests. A rule with `expired` recognizes a token that is too old. Everything is then listed again. */
  readonly errors?: readonly ErrorRule[];
}
