import type { ConnectionPaging, Paging } from '../description/index.js';
import { textOf, valueAt } from '../json.js';
import { connectionCursor } from '../paging.js';
import type { FakeRequest } from './fake-service.js';
import { readRequest, type Places } from './places.js';

/** A page with the way to the next one. */
export interface FakePage {
  readonly items: readonly unknown[];
  readonly places: Places;
}

/** The parameter of URLs of pages. */
const startName = 'fake_start';

/**
 * Returns the page of a list that a request names. Null if its token is not one of this service. `toUrl` makes a URL of the
 * service absolute.
 */
export function cutPage(
  paging: Paging | undefined,
  all: readonly unknown[],
  request: FakeRequest,
  { size, base }: { readonly size: number; readonly base: string },
): FakePage | null {
  if (paging === undefined || paging === 'none' || typeof paging === 'function')
    return { items: all, places: {} };
  if (paging !== 'link' && paging.by === 'connection')
    return cutPage(connectionCursor(paging), all, request, { size, base });
  const sent =
    paging === 'link' || paging.by === 'next'
      ? (request.query.get(startName) ?? undefined)
      : readRequest(request, paging.send);
  const start = startOf(paging, all, sent, size);
  if (!Number.isSafeInteger(start) || start < 0) return null;
  const end = start + size;
  const isLast = end >= all.length;
  const page = { items: all.slice(start, end) };
  if (paging === 'link') {
    const first = `<${urlAt(request, base, 0)}>; rel="first"`;
    const link = isLast ? first : `${first}, <${urlAt(request, base, end)}>; rel="next"`;
    return { ...page, places: { 'header.link': link } };
  }
  switch (paging.by) {
    case 'next':
      return {
        ...page,
        places: { [paging.from]: isLast ? endOf(paging) : urlAt(request, base, end) },
      };
    case 'cursor': {
      const { from, until, more } = paging;
      const token = isLast && until === undefined ? '' : `c${end}`;
      return { ...page, places: { ...flags({ until, more }, isLast), [from]: token } };
    }
    case 'page': {
      const { pages, more } = paging;
      const count = Math.ceil(all.length / size);
      return { ...page, places: { ...flags({ more }, isLast), ...optional(pages, count) } };
    }
    case 'offset': {
      const { total, more } = paging;
      return { ...page, places: { ...flags({ more }, isLast), ...optional(total, all.length) } };
    }
    case 'keyset':
      return { ...page, places: flags(paging, isLast) };
  }
}

/** Returns the position of the first item. NaN for a token that is not one of this service. */
function startOf(
  paging: Exclude<Paging, string | ConnectionPaging | ((...args: never) => unknown)> | 'link',
  all: readonly unknown[],
  sent: unknown,
  size: number,
): number {
  if (sent === undefined) return 0;
  if (paging === 'link' || paging.by === 'next' || paging.by === 'offset') return Number(sent);
  switch (paging.by) {
    case 'cursor':
      return Number(/^c(\d+)$/.exec(textOf(sent) ?? '')?.[1] ?? Number.NaN);
    case 'page':
      return (Number(sent) - (paging.first ?? 1)) * size;
    case 'keyset': {
      const at = all.findIndex((item) => textOf(valueAt(item, paging.from)) === textOf(sent));
      return at < 0 ? all.length : at + 1;
    }
  }
}

/** Returns the values that tell whether there are more pages. */
export function flags(
  { until, more }: { readonly until?: string | undefined; readonly more?: string | undefined },
  isLast: boolean,
): Places {
  return { ...optional(until, isLast), ...optional(more, !isLast) };
}

/** Returns the value in place of the next page on the last page. */
export function endOf({ required }: { readonly required?: boolean }): string | undefined {
  return required === true ? '' : undefined;
}

function optional(place: string | undefined, value: unknown): Places {
  return place === undefined ? {} : { [place]: value };
}

function urlAt({ path, query }: FakeRequest, base: string, start: number): string {
  const url = new URL(path, base);
  for (const [name, value] of query) url.searchParams.append(name, value);
  url.searchParams.set(startName, String(start));
  return url.href;
}
