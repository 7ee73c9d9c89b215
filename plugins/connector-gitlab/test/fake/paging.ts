import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';
import type { Json } from './forms.js';
import { requestProblem } from './problems.js';
import type { GitlabWorld } from './world.js';

const defaultSize = 20;
const maxSize = 100;

/** Returns a page of `items` with the headers that tell the other pages. `id`: the project in the path. */
export function page(
  world: GitlabWorld,
  request: FakeRequest,
  items: readonly Json[],
  id: string,
): FakeAnswer {
  const { query } = request;
  const size = Math.min(positive(query.get('per_page')) ?? defaultSize, maxSize);
  /** The parameters of the links are complete and sorted, and contain those of the path. */
  const link = (rel: string, changes: Readonly<Record<string, string>>): string => {
    const next = new URLSearchParams({
      ...Object.fromEntries(query),
      id,
      per_page: String(size),
      ...changes,
    });
    next.sort();
    return `<${request.origin}${request.path}?${next.toString()}>; rel="${rel}"`;
  };
  if (query.get('pagination') === 'keyset') {
    const start = Number(query.get('cursor') ?? 0);
    const end = start + size;
    const headers = end < items.length ? { link: link('next', { cursor: String(end) }) } : {};
    return { json: items.slice(start, end), headers };
  }
  const number = positive(query.get('page')) ?? 1;
  if (number * size > world.maxOffset) return tooFar(world.maxOffset);
  const last = Math.max(1, Math.ceil(items.length / size));
  const isCounted = items.length <= world.maxCounted;
  const to = (rel: string, target: number): string => link(rel, { page: String(target) });
  const headers = {
    link: [
      ...(number > 1 ? [to('prev', number - 1)] : []),
      ...(number < last ? [to('next', number + 1)] : []),
      to('first', 1),
      ...(isCounted ? [to('last', last)] : []),
    ].join(', '),
    'x-page': String(number),
    'x-per-page': String(size),
    'x-next-page': number < last ? String(number + 1) : '',
    'x-prev-page': number > 1 ? String(number - 1) : '',
    ...(isCounted && { 'x-total': String(items.length), 'x-total-pages': String(last) }),
  };
  return { json: items.slice((number - 1) * size, number * size), headers };
}

function tooFar(maxOffset: number): FakeAnswer {
  return requestProblem(
    405,
    `Offset pagination has a maximum allowed offset of ${maxOffset} for requests that return objects of type Issue. Remaining records can be retrieved using keyset pagination.`,
  );
}

function positive(text: string | null): number | null {
  return text !== null && /^[1-9]\d*$/.test(text) ? Number(text) : null;
}
