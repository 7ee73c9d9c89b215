import { TroveError } from '@trove/core';

import type {
  Answer,
  ConnectionPaging,
  CursorPaging,
  KeysetPaging,
  OffsetPaging,
  PageChange,
  PagePaging,
  Paging,
} from './description/index.js';
import { isRecord, isTruthy, textOf, valueAt } from './json.js';
import { readPlace } from './limits.js';

/** Returns what the request of the first page has besides the described one. */
export function firstPage(paging: Paging = 'none'): PageChange | null {
  if (typeof paging !== 'object' || paging.by !== 'page') return null;
  return { values: { [paging.send]: paging.first ?? 1 } };
}

/** Returns the request of the page after an answer, or null after the last page. Depends only on its arguments. */
export function nextPage(
  paging: Paging = 'none',
  answer: Answer,
  items: readonly unknown[],
  previous: PageChange | null,
): PageChange | null {
  // An error that a rule accepts means that there is nothing to list.
  if (answer.status >= 400) return null;
  if (typeof paging === 'function') return paging(answer, items, previous);
  if (paging === 'none') return null;
  if (paging === 'link') return urlChange(linkOf(answer), answer);
  switch (paging.by) {
    case 'next':
      return urlChange(readNext(paging, answer), answer);
    case 'cursor':
      return afterCursor(paging, answer);
    case 'connection':
      return afterConnection(paging, answer);
    case 'page':
      return afterPage(paging, answer, items, previous);
    case 'offset':
      return afterOffset(paging, answer, items, previous);
    case 'keyset':
      return afterKey(paging, answer, items, previous);
  }
}

function afterCursor(paging: CursorPaging, answer: Answer): PageChange | null {
  const { from, until, more, moreOptional = false } = paging;
  if (until !== undefined && isTruthy(readPlace(answer, until))) return null;
  if (more !== undefined && !hasMore({ more, moreOptional }, answer)) return null;
  const next = cursorChange(paging, answer);
  if (next !== null) return next;
  const isOpen = until !== undefined && !(moreOptional && readPlace(answer, until) === undefined);
  if (more !== undefined)
    throw pageError(answer, `states that there are more pages, but has no \`${from}\``);
  if (isOpen)
    throw pageError(answer, `does not state the end of the listing, but has no \`${from}\``);
  readNext(paging, answer);
  return null;
}

/** Throws for an answer without a required member, because the remaining items would count as deleted. */
function readNext(
  { from, required }: Pick<CursorPaging, 'from' | 'required'>,
  answer: Answer,
): unknown {
  const next = readPlace(answer, from);
  if (next === undefined && required === true) throw pageError(answer, `has no \`${from}\``);
  return next;
}

/** Whether an answer states that there are more pages. Throws if it lacks the member, unless the service may leave it out. */
function hasMore(
  { more, moreOptional }: { readonly more: string; readonly moreOptional: boolean },
  answer: Answer,
): boolean {
  const value = readPlace(answer, more);
  if (value === undefined && !moreOptional) throw pageError(answer, `has no \`${more}\``);
  return isTruthy(value);
}

/**
 * Throws for a connection without `pageInfo`, because the listing would end early and the remaining items would count as deleted.
 * An answer without the connection is one item.
 */
function afterConnection(paging: ConnectionPaging, answer: Answer): PageChange | null {
  const cursor = connectionCursor(paging);
  if (!isRecord(readPlace(answer, paging.from))) return null;
  if (typeof readPlace(answer, cursor.more) !== 'boolean')
    throw pageError(answer, `has no \`${cursor.more}\``);
  return afterCursor(cursor, answer);
}

/** Returns the paging of a single item, which states nothing about pages. */
export function partPaging(paging: Paging = 'none'): Paging {
  if (typeof paging !== 'object' || paging.by === 'connection') return paging;
  if (paging.by === 'next') return { ...paging, required: false };
  if (paging.by === 'cursor') return { ...paging, moreOptional: true, required: false };
  return { ...paging, moreOptional: true };
}

/** Returns the path of the items in an answer, if the description names none. */
export function defaultItems(paging: Paging = 'none'): string {
  const isConnection = typeof paging === 'object' && paging.by === 'connection';
  return isConnection ? `${paging.from}.nodes` : '.';
}

/** Returns the paging of a connection in terms of its cursor. */
export function connectionCursor({
  from,
  variable = 'after',
}: ConnectionPaging): CursorPaging & { readonly more: string } {
  return {
    by: 'cursor',
    from: `${from}.pageInfo.endCursor`,
    more: `${from}.pageInfo.hasNextPage`,
    send: `body.variables.${variable}`,
  };
}

/** Returns the request after the token of an answer, also of the last one. */
export function cursorChange({ from, send }: CursorPaging, answer: Answer): PageChange | null {
  const token = readPlace(answer, from);
  if (isAbsent(token)) return null;
  if (typeof token !== 'string' && typeof token !== 'number')
    throw pageError(answer, `has a \`${from}\` that is neither a text nor a number`);
  return token === '' ? null : { values: { [send]: token } };
}

function afterPage(
  paging: PagePaging,
  answer: Answer,
  items: readonly unknown[],
  previous: PageChange | null,
): PageChange | null {
  const { send, first = 1, pages } = paging;
  const current = Number(previous?.values?.[send] ?? first);
  const count = countAt(answer, pages);
  const isLast = Number.isFinite(count)
    ? current - first + 1 >= count
    : isLastPage(paging, answer, items);
  return isLast ? null : { values: { [send]: current + 1 } };
}

function afterOffset(
  paging: OffsetPaging,
  answer: Answer,
  items: readonly unknown[],
  previous: PageChange | null,
): PageChange | null {
  const { send, total } = paging;
  const next = Number(previous?.values?.[send] ?? 0) + items.length;
  const count = countAt(answer, total);
  const isLast = Number.isFinite(count) ? next >= count : isLastPage(paging, answer, items);
  return isLast ? null : { values: { [send]: next } };
}

/** An empty page that is not the last one continues after the same key. The kit then stops at the repeated request. */
function afterKey(
  paging: KeysetPaging,
  answer: Answer,
  items: readonly unknown[],
  previous: PageChange | null,
): PageChange | null {
  const { from, send } = paging;
  if (isLastPage(paging, answer, items)) return null;
  const key = valueAt(items.at(-1), from);
  return typeof key === 'string' || typeof key === 'number'
    ? { values: { [send]: key } }
    : (previous ?? { values: {} });
}

function isLastPage(
  { more, moreOptional = false }: Pick<OffsetPaging, 'more' | 'moreOptional'>,
  answer: Answer,
  items: readonly unknown[],
): boolean {
  return more === undefined ? items.length === 0 : !hasMore({ more, moreOptional }, answer);
}

/** Returns the number at a place. NaN if there is none, such as null, which would count as zero pages. */
function countAt(answer: Answer, place: string | undefined): number {
  const text = place === undefined ? undefined : textOf(readPlace(answer, place));
  return text !== undefined && /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
}

/**
 * Returns the request of a URL in an answer, relative to that of the answer. A service behind a proxy may state `http`. Throws
 * for another host, because neither the login nor the data belong there.
 */
function urlChange(value: unknown, answer: Answer): PageChange | null {
  if (isAbsent(value) || value === '') return null;
  if (typeof value !== 'string' || !URL.canParse(value, answer.url))
    throw pageError(answer, 'names a next page that is no URL');
  const current = new URL(answer.url);
  const next = new URL(value, current);
  const isUpgraded = current.protocol === 'https:' && next.protocol === 'http:' && next.port === '';
  if (isUpgraded && next.hostname === current.hostname) {
    next.protocol = current.protocol;
    next.port = current.port;
  }
  if (next.origin !== current.origin)
    throw pageError(answer, `names a next page of another host: ${next.origin}`);
  return { url: next.href };
}

/** Whether a member states that there is no next page. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === false;
}

/** The error of an answer that does not state whether there are more pages. Ending the listing would delete the remaining items. */
export function pageError({ url }: Answer, problem: string): TroveError {
  const { host, pathname } = new URL(url);
  return new TroveError('connector_unhealthy', `${host}${pathname} ${problem}`, {
    suggestions: ['Check `page` in the description of the service.'],
  });
}

/** Returns the URL of the link with `rel="next"`. */
function linkOf({ headers }: Answer): string | undefined {
  for (const [, url, parameters = ''] of (headers.get('link') ?? '').matchAll(/<([^>]*)>([^<]*)/g))
    if (/;\s*rel\s*=\s*"?(?:[^"]*\s)?next(?:\s|"|,|;|$)/i.test(parameters)) return url;
  return undefined;
}
