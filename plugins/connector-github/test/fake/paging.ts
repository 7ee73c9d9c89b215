import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';
import { problem } from './problems.js';

const defaultSize = 30;
const maxSize = 100;

export interface Paging {
  /** The path in the links, which is not the requested one. */
  readonly path: string;
  /** `after` instead of `page`. */
  readonly usesCursors: boolean;
}

/** Returns a page of `items` with its `Link` header. A page after the last one is empty. */
export function page(
  request: FakeRequest,
  items: readonly unknown[],
  { path, usesCursors }: Paging,
): FakeAnswer {
  const { query } = request;
  // Sizes above the maximum are served as the maximum. The links repeat them as they were sent.
  const size = Math.min(positive(query.get('per_page')) ?? defaultSize, maxSize);
  const number = positive(query.get('page')) ?? 1;
  if (usesCursors && number > 1)
    return problem(
      422,
      'Pagination with the page parameter is not supported for large datasets, please use cursor based pagination (after/before)',
    );
  const start = usesCursors ? cursorStart(query.get('after')) : (number - 1) * size;
  const answer = items.slice(start, start + size);
  const address = (changes: Record<string, string>): string => {
    const next = new URLSearchParams(query);
    for (const [name, value] of Object.entries(changes)) {
      next.delete(name);
      next.append(name, value);
    }
    return `${request.origin}${path}?${next.toString()}`;
  };
  const links = usesCursors
    ? cursorLinks(start + size, items.length)
    : pageLinks(number, Math.ceil(items.length / size));
  const link = Object.entries(links)
    .map(([rel, changes]) => `<${address(changes)}>; rel="${rel}"`)
    .join(', ');
  return { json: answer, headers: link === '' ? {} : { link } };
}

type Links = Readonly<Record<string, Record<string, string>>>;

function cursorLinks(end: number, total: number): Links {
  return end < total ? { next: { after: cursorOf(end) } } : {};
}

function pageLinks(number: number, last: number): Links {
  const to = (target: number): Record<string, string> => ({ page: String(target) });
  return {
    ...(number > 1 && { prev: to(number - 1) }),
    ...(number < last && { next: to(number + 1), last: to(last) }),
    ...(number > 1 && { first: to(1) }),
  };
}

function positive(text: string | null): number | null {
  return text !== null && /^[1-9]\d*$/.test(text) ? Number(text) : null;
}

function cursorOf(start: number): string {
  return Buffer.from(`cursor:v2:${start}`).toString('base64');
}

function cursorStart(cursor: string | null): number {
  if (cursor === null) return 0;
  return Number(Buffer.from(cursor, 'base64').toString().split(':')[2] ?? 0);
}
