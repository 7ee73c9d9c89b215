import { matchesFilter } from './filters.js';
import type { Form } from './forms.js';
import { fieldError } from './problems.js';

const defaultFirst = 50;
const maxFirst = 250;

/** The arguments of a connection. */
export interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly filter?: unknown;
  readonly includeArchived?: boolean | null;
  readonly orderBy?: 'createdAt' | 'updatedAt' | null;
}

/** A page of items, newest first. A cursor names the last item, which need not exist any more. */
export function connection(items: readonly Form[], args: PageArguments): Form {
  const { after, filter, includeArchived, orderBy } = args;
  const first = args.first ?? defaultFirst;
  if (first < 1 || first > maxFirst)
    throw fieldError(
      'INPUT_ERROR',
      `Argument Validation Error: first must be from 1 to ${maxFirst}`,
    );
  const place = (item: Form): string =>
    `${String(item[orderBy ?? 'createdAt'])} ${String(item['id'])}`;
  const listed = items
    .filter((item) => includeArchived === true || (item['archivedAt'] ?? null) === null)
    .filter((item) => matchesFilter(filter, item))
    .toSorted((a, b) => (place(a) < place(b) ? 1 : -1));
  const begin = after === undefined || after === null ? undefined : placeIn(after);
  const rest = begin === undefined ? listed : listed.filter((item) => place(item) < begin);
  const nodes = rest.slice(0, first);
  const cursorOf = (item: Form | undefined): string | null =>
    item === undefined ? null : Buffer.from(place(item)).toString('base64url');
  return {
    nodes,
    edges: nodes.map((node) => ({ node, cursor: cursorOf(node) })),
    pageInfo: {
      hasNextPage: rest.length > nodes.length,
      hasPreviousPage: begin !== undefined,
      startCursor: cursorOf(nodes[0]),
      endCursor: cursorOf(nodes.at(-1)),
    },
  };
}

function placeIn(cursor: string): string {
  const place = Buffer.from(cursor, 'base64url').toString();
  if (!/^\d{4}-\S+ \S+$/.test(place))
    throw fieldError('INPUT_ERROR', 'Argument Validation Error: after is no cursor');
  return place;
}
