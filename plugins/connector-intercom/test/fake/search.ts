import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';
import { invalidParameter, problem } from './problems.js';

const defaultSize = 20;
const maxSize = 150;

/** An item that searches find. */
export interface Searchable {
  readonly id: string;
  /** In seconds since 1970. */
  readonly updatedAt: number;
}

interface Query {
  readonly field?: string;
  readonly operator?: string;
  readonly value?: unknown;
}

interface SearchBody {
  readonly query?: Query;
  readonly sort?: { readonly field?: string; readonly order?: string };
  readonly pagination?: { readonly per_page?: number; readonly starting_after?: string };
}

/** A cursor names the last item by its time in milliseconds and its id. The service keeps nothing about it. */
function cursorOf({ updatedAt, id }: Searchable, page: number): string {
  return Buffer.from(JSON.stringify([updatedAt * 1000, id, page])).toString('base64');
}

function readCursor(cursor: string | undefined): readonly unknown[] | null {
  if (cursor === undefined) return [];
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64').toString());
    return Array.isArray(read) ? read : null;
  } catch {
    return null;
  }
}

/** Answers a search. By default, the last change comes first. */
export function searchAnswer<T extends Searchable>(
  { body }: FakeRequest,
  items: readonly T[],
  { type, name, form }: { type: string; name: string; form: (item: T) => unknown },
): FakeAnswer {
  const { query = {}, sort, pagination = {} }: SearchBody = Object(body);
  const order = sort?.order ?? 'descending';
  if (order !== 'ascending' && order !== 'descending')
    return problem(
      400,
      'invalid_sort_order',
      `Invalid sort order '${order}'. Must be one of: ascending, descending`,
    );
  const size = pagination.per_page ?? defaultSize;
  if (size > maxSize) return invalidParameter(`per_page must be at most ${maxSize}`);
  const cursor = readCursor(pagination.starting_after);
  if (cursor === null) return invalidParameter('starting_after is invalid');
  const sign = order === 'ascending' ? 1 : -1;
  const compare = (a: Searchable, b: Searchable): number =>
    sign * (a.updatedAt - b.updatedAt || Number(a.id) - Number(b.id));
  const [time, id, lastPage = 0] = cursor;
  const found = items.filter((item) => matches(item, query)).toSorted(compare);
  const after = { updatedAt: Number(time) / 1000, id: String(id) };
  const rest = time === undefined ? found : found.filter((item) => compare(item, after) > 0);
  const shown = rest.slice(0, size);
  const last = shown.at(-1);
  const page = Number(lastPage) + 1;
  const next =
    last === undefined || rest.length <= size
      ? {}
      : { next: { per_page: size, starting_after: cursorOf(last, page) } };
  return {
    json: {
      type,
      pages: {
        type: 'pages',
        ...next,
        page,
        per_page: size,
        total_pages: Math.ceil(found.length / size),
      },
      total_count: found.length,
      [name]: shown.map(form),
    },
  };
}

function matches(item: Searchable, { field, operator, value }: Query): boolean {
  const own = field === 'updated_at' ? item.updatedAt : item.id;
  switch (operator) {
    case '>':
      return Number(own) > Number(value);
    case '<':
      return Number(own) < Number(value);
    case 'IN':
      return Array.isArray(value) && value.includes(own);
    default:
      return String(own) === String(value);
  }
}
