import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';
import { invalidParameter } from './problems.js';

/** Answers a list with counted pages. */
export function countedPage(
  { query, path, origin }: FakeRequest,
  items: readonly unknown[],
  { type = 'list', name = 'data', maxSize = 150 } = {},
): FakeAnswer {
  const size = Number(query.get('per_page') ?? 25);
  const page = Number(query.get('page') ?? 1);
  if (!(size >= 1 && size <= maxSize))
    return invalidParameter(`per_page must be a number between 1 and ${maxSize}`);
  if (!(page >= 1)) return invalidParameter('page must be a number greater than 0');
  const count = Math.ceil(items.length / size);
  const url = new URL(path, origin);
  for (const [key, value] of query) url.searchParams.set(key, value);
  url.searchParams.set('page', String(page + 1));
  // The schema of other lists describes an object here, which they do not have.
  const next = name === 'conversations' && page < count ? { next: url.href } : {};
  return {
    json: {
      type,
      pages: { type: 'pages', ...next, page, per_page: size, total_pages: count },
      total_count: items.length,
      [name]: items.slice((page - 1) * size, page * size),
    },
  };
}
