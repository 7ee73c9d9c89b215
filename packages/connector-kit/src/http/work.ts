import { createHash } from 'node:crypto';
import { TroveError, type SourceRecord } from '@trove/core';

import type { PageChange, StreamDescription } from './description/index.js';

/** A listing of a stream that is not complete: the next page to request. JSON, because checkpoints contain it. */
export interface Work {
  readonly stream: string;
  /** The parent items by stream, reduced to what children use. */
  readonly parents: Readonly<Record<string, unknown>>;
  /** The cursor of an incremental run. Absent for a full listing. */
  readonly since?: number;
  /** The item whose contained items it lists, and the number of items around them. */
  readonly container?: { readonly item: unknown; readonly depth: number };
  /** The page to request. Null: the first one. */
  readonly page: PageChange | null;
  /** The number of pages before it. */
  readonly pages: number;
  /** The digest of an earlier page, to find cycles. */
  readonly mark?: string;
  /** Lists deleted items. */
  readonly isGone?: boolean;
  /** How often the listing started over. */
  readonly restarts?: number;
  /** The object of which it only counts the records. */
  readonly counts?: string;
  /** The key of the object that it belongs to, in the cursor. */
  readonly slot?: string;
  /** Records to report again, with the last page. */
  readonly carried?: readonly SourceRecord[];
  /** An item of an earlier page is left out, so the thread is not complete. */
  readonly hasGap?: boolean;
  /** The items of the only page, which the parent had, so it needs no request. */
  readonly embedded?: readonly unknown[];
  /** In a window: the time that earlier pages have reached. */
  readonly edge?: number;
}

const defaultMaxPages = 10_000;
const maxRestarts = 3;

/**
 * Returns the work for the page after this one. Throws if the listing does not end: if it repeats a page or exceeds the
 * maximum number of pages. Keeps the digest of one page and replaces it after 1, 2, 4, … pages, which finds every cycle.
 */
export function continueWork(
  work: Work,
  next: PageChange,
  limits: { readonly host: string; readonly maxPages: number | undefined },
): Work {
  const { maxPages = defaultMaxPages, host } = limits;
  const pages = work.pages + 1;
  if (pages >= maxPages) {
    throw listingError(
      `${host}: the listing of \`${work.stream}\` has more than ${maxPages} pages`,
      ['Raise `maxPages` in the description if the service has so many.'],
    );
  }
  const digest = digestOf(next);
  if (digest === work.mark) throw repeatedPage(host, work.stream);
  const isPowerOfTwo = (pages & (pages - 1)) === 0;
  return { ...work, page: next, pages, ...(isPowerOfTwo ? { mark: digest } : {}) };
}

/** Returns the listing from its first page, because the token of a page has expired. Throws after the third time. */
export function restart(work: Work, say: string): Work {
  const { mark: _mark, edge: _edge, restarts = 0, ...rest } = work;
  if (restarts >= maxRestarts) throw listingError(`Page tokens expire too early: ${say}`, []);
  return { ...rest, page: null, pages: 0, restarts: restarts + 1 };
}

/** The error of a listing in which a page names itself or an earlier page as the next one. */
export function repeatedPage(host: string, stream: string): TroveError {
  return listingError(
    `${host}: the listing of \`${stream}\` repeats a page and would never end`,
    [],
  );
}

/** The error of a page that a rule accepts as an empty listing, although it is not the first one. */
export function lostPage(host: string, stream: string, status: number): TroveError {
  return listingError(
    `${host}: a later page of the listing of \`${stream}\` is gone (HTTP ${status})`,
    [],
  );
}

/** Returns the listing from the page that a token of an export names. */
export function withToken(
  work: Work,
  { page }: Pick<StreamDescription, 'page'>,
  token: unknown,
): Work {
  if (typeof page !== 'object' || page.by !== 'cursor') return work;
  return typeof token === 'string' || typeof token === 'number'
    ? { ...work, page: { values: { [page.send]: token } } }
    : work;
}

export function isSamePage(first: PageChange | null, second: PageChange | null): boolean {
  return first !== null && second !== null && JSON.stringify(first) === JSON.stringify(second);
}

function digestOf(page: PageChange): string {
  return createHash('sha256').update(JSON.stringify(page)).digest('base64url').slice(0, 16);
}

function listingError(detail: string, suggestions: readonly string[]): TroveError {
  return new TroveError('connector_unhealthy', detail, { suggestions });
}
