import type { Answer } from './value.js';

/**
 * How a listing continues. The kit ends a listing when an answer has no token for a next page. An empty or short page is not
 * the end. The same token twice is requested once more and then fails, and so does a listing of more than `maxPages`.
 */
export type Paging =
  /** One page. The default. */
  | 'none'
  /** The `Link` header with `rel="next"`. */
  | 'link'
  | NextPaging
  | CursorPaging
  | ConnectionPaging
  | PagePaging
  | OffsetPaging
  | KeysetPaging
  | PagingFunction;

/** The URL of the next page in the answer, absolute or relative: `{ by: 'next', from: '_links.next' }`. */
export interface NextPaging {
  readonly by: 'next';
  readonly from: string;
  /** Whether an answer without `from` fails, for a service that sends it empty at the end. By default the listing then ends. */
  readonly required?: boolean;
}

/** A path to a value that states whether there are more pages. */
export interface MorePaging {
  /** A path. The listing continues only when its value is true: `has_more`. An answer without it fails. */
  readonly more?: string;
  /** Whether the service leaves `more` or `until` out at the end, so an answer without it and without a token ends the listing. */
  readonly moreOptional?: boolean;
}

/** A token in the answer that the next request sends. */
export interface CursorPaging extends MorePaging {
  readonly by: 'cursor';
  /** The path of the token: `meta.next_cursor`. `header.X-Next` is a header. An empty text is no token. */
  readonly from: string;
  readonly send: Place;
  /** Whether an answer without `from` fails, for a service that sends it empty at the end. By default the listing then ends. */
  readonly required?: boolean;
  /**
   * A path. The listing ends when its value is true, although the answer has a token: `end_of_stream`. Otherwise an answer
   * without a token fails.
   */
  readonly until?: string;
}

/**
 * A connection of GraphQL: `{ by: 'connection', from: 'data.issues' }`. The listing continues after `pageInfo.endCursor` while
 * `pageInfo.hasNextPage` is true, and an answer without `pageInfo` fails. The items are at `data.issues.nodes`.
 */
export interface ConnectionPaging {
  readonly by: 'connection';
  /** The path of the connection, which has `pageInfo`. */
  readonly from: string;
  /** The variable for the cursor. Default `after`. */
  readonly variable?: string;
}

/** Counted pages. Without `pages` and `more`, an answer without items is the end. */
export interface PagePaging extends MorePaging {
  readonly by: 'page';
  readonly send: Place;
  /** The number of the first page. Default 1. */
  readonly first?: number;
  /** The path of the number of pages. */
  readonly pages?: string;
}

/** The number of items before a page. Without `total` and `more`, an answer without items is the end. */
export interface OffsetPaging extends MorePaging {
  readonly by: 'offset';
  readonly send: Place;
  /** The path of the number of all items. */
  readonly total?: string;
}

/** A value of the last item of a page, such as its id. An answer without items is the end, unless `more` is given. */
export interface KeysetPaging extends MorePaging {
  readonly by: 'keyset';
  /** The path of the value in an item. */
  readonly from: string;
  readonly send: Place;
}

/** A place in a request: `query.page`, `header.X-Page`, or in a body `body.filter.after` and `form.cursor`. */
export type Place = string;

/**
 * Returns the next request's changes, or null at the end. The result must be a JSON value and depend only on the arguments,
 * because a checkpoint stores it.
 */
type PagingFunction = {
  next(answer: Answer, items: readonly unknown[], previous: PageChange | null): PageChange | null;
}['next'];

/** What distinguishes the request of a page from that of the first one: another URL, or values by their places. */
export interface PageChange {
  readonly url?: string;
  readonly values?: Readonly<Record<Place, string | number | boolean>>;
}
