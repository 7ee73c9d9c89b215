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
  /** The URL of the next page in the answer, absolute or relative: `{ by: 'next', from: '_links.next' }`. */
  | { readonly by: 'next'; readonly from: string }
  | CursorPaging
  | ConnectionPaging
  | PagePaging
  | OffsetPaging
  | KeysetPaging
  | PagingFunction;

/** A token in the answer that the next request sends. */
export interface CursorPaging {
  readonly by: 'cursor';
  /** The path of the token: `meta.next_cursor`. `header.X-Next` is a header. An empty text is no token. */
  readonly from: string;
  readonly send: Place;
  /** A path. The listing ends when its value is true, although the answer has a token: `end_of_stream`. */
  readonly until?: string;
  /** A path. The listing continues only when its value is true: `has_more`. */
  readonly more?: string;
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
export interface PagePaging {
  readonly by: 'page';
  readonly send: Place;
  /** The number of the first page. Default 1. */
  readonly first?: number;
  /** The path of the number of pages. */
  readonly pages?: string;
  readonly more?: string;
}

/** The number of items before a page. Without `total` and `more`, an answer without items is the end. */
export interface OffsetPaging {
  readonly by: 'offset';
  readonly send: Place;
  /** The path of the number of all items. */
  readonly total?: string;
  readonly more?: string;
}

/** A value of the last item of a page, such as its id. An answer without items is the end, unless `more` is given. */
export interface KeysetPaging {
  readonly by: 'keyset';
  /** The path of the value in an item. */
  readonly from: string;
  readonly send: Place;
  readonly more?: string;
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
