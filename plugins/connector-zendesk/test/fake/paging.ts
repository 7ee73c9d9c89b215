import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';
import { problem } from './problems.js';

const maxSize = 100;
const maxOffsetPages = 100;

/**
 * Answers a list. With `page[size]`, it continues with tokens. Without it, it has counted pages, of which there are at most
 * 100. `others`: further members of the answer.
 */
export function listPage(
  { query, path, origin }: FakeRequest,
  name: string,
  items: readonly unknown[],
  others: Readonly<Record<string, unknown>> = {},
): FakeAnswer {
  const size = query.get('page[size]');
  if (size === null) return countedPage({ query, path, origin }, name, items, others);
  const count = Math.min(Number(size), maxSize);
  const start = offsetOf(query.get('page[after]'));
  const end = Math.min(start + count, items.length);
  const hasMore = end < items.length;
  // The last page names a next one, too, as long as it has items.
  const cursor = end > start ? tokenOf(end) : null;
  const next = new URL(path, origin);
  next.searchParams.set('page[size]', size);
  next.searchParams.set('page[after]', cursor ?? '');
  return {
    json: {
      [name]: items.slice(start, end),
      meta: { has_more: hasMore, after_cursor: cursor, before_cursor: null },
      links: { prev: null, next: cursor === null ? null : next.href },
      ...others,
    },
  };
}

function countedPage(
  { query, path, origin }: Pick<FakeRequest, 'origin' | 'path' | 'query'>,
  name: string,
  items: readonly unknown[],
  others: Readonly<Record<string, unknown>>,
): FakeAnswer {
  const page = Number(query.get('page') ?? 1);
  if (page > maxOffsetPages)
    return problem(400, 'InvalidValue', 'Pagination limit reached for offset model');
  const url = (number: number): string => `${origin}${path}?page=${number}`;
  return {
    json: {
      [name]: items.slice((page - 1) * maxSize, page * maxSize),
      count: items.length,
      next_page: page * maxSize < items.length ? url(page + 1) : null,
      previous_page: page > 1 ? url(page - 1) : null,
      ...others,
    },
  };
}

function tokenOf(offset: number): string {
  return Buffer.from(JSON.stringify({ o: 'id', v: offset })).toString('base64');
}

function offsetOf(token: string | null): number {
  if (token === null) return 0;
  const { v }: { readonly v?: number } = JSON.parse(Buffer.from(token, 'base64').toString());
  return v ?? 0;
}
