import { isTable } from '../tables.js';
import { withQuery, type Sample } from './sample.js';

/** A form of paging as in a description. */
export type ProposedPaging = 'none' | 'link' | Readonly<Record<string, string | number>>;

/** A form of paging that the answer suggests. */
export interface PagingProposal {
  readonly page: ProposedPaging;
  /** The address of the second page. Null: the answer itself proves the form. */
  readonly second: URL | null;
  /** Parameters of the address that the form sends, so the description omits them. */
  readonly sent: readonly string[];
}

interface Scalar {
  readonly path: string;
  readonly name: string;
  readonly value: string | number | boolean;
}

const pageNames = [
  'page',
  'page_number',
  'pageNumber',
  'pageNo',
  'p',
  'currentPage',
  'current_page',
];
const offsetNames = ['offset', 'skip', 'startAt', 'start', 'from', 'start_index', 'startIndex'];
const cursorNames = [
  'cursor',
  'after',
  'page_token',
  'pageToken',
  'starting_after',
  'continuation',
];
const limitNames = [
  'limit',
  'per_page',
  'perPage',
  'page_size',
  'pageSize',
  'count',
  'size',
  'max_results',
  'maxResults',
];
const morePath = /^(?:has_?more|has_?next|has_?next_?page|more)$/i;
const totalPath = /^(?:total|total_?count|total_?results|total_?items|count)$/i;
const pagesPath = /^(?:pages|total_?pages|last_?page|page_?count|num_?pages)$/i;
const maxDepth = 3;

/** Returns the likely forms of paging, the best one first. `none` is the last one. `list`: the path of the items. */
export function proposePaging(
  { url, headers, body }: Sample,
  list: string,
  items: number,
): readonly PagingProposal[] {
  const scalars = scalarsIn(body, [], list);
  const proposals = [
    ...(/<[^>]*>[^<]*;\s*rel\s*=\s*"?next\b/i.test(headers.get('link') ?? '')
      ? [proposal('link', [...pageNames, ...cursorNames, ...offsetNames])]
      : []),
    ...nextLinks(scalars, url),
    ...cursors(scalars, url),
    ...numbers(scalars, url, items),
  ];
  return [...proposals, proposal('none', [])];
}

function proposal(
  page: ProposedPaging,
  sent: readonly string[],
  second: URL | null = null,
): PagingProposal {
  return { page, sent, second };
}

/** Addresses of the next page. */
function nextLinks(scalars: readonly Scalar[], url: URL): readonly PagingProposal[] {
  return scalars
    .filter(({ path, value }) => /next/i.test(path) && isAddress(value, url))
    .map(({ path }) =>
      proposal({ by: 'next', from: path }, [...pageNames, ...cursorNames, ...offsetNames]),
    );
}

/** Tokens of the next page. The name of the parameter is a guess. */
function cursors(scalars: readonly Scalar[], url: URL): readonly PagingProposal[] {
  const more = scalars.find(({ name, value }) => morePath.test(name) && typeof value === 'boolean');
  const tokens = scalars.filter(
    ({ path, value }) =>
      (/next/i.test(path) || /(?:cursor|continuation|page_?token)$/i.test(path)) &&
      typeof value !== 'boolean' &&
      value !== '' &&
      !isAddress(value, url),
  );
  return tokens.flatMap(({ path, name, value }) =>
    parametersFor(name, url).map((parameter) =>
      proposal(
        {
          by: 'cursor',
          from: path,
          send: `query.${parameter}`,
          ...(more === undefined ? {} : { more: more.path }),
        },
        [parameter],
        withQuery(url, { [parameter]: String(value) }),
      ),
    ),
  );
}

/** `next_cursor` is sent as `cursor`, `nextPageToken` as `pageToken`. */
function parametersFor(name: string, url: URL): readonly string[] {
  const given = [...cursorNames, ...pageNames].filter((each) => url.searchParams.has(each));
  const bare = name.replace(/^next_?/i, '');
  const own = bare === '' ? [] : [bare.charAt(0).toLowerCase() + bare.slice(1)];
  return [...new Set([...given, ...own, name, 'cursor', 'after'])];
}

/** Numbered pages and numbers of skipped items. */
function numbers(scalars: readonly Scalar[], url: URL, items: number): readonly PagingProposal[] {
  const find = (pattern: RegExp): Scalar | undefined =>
    scalars.find(({ name, value }) => pattern.test(name) && typeof value === 'number');
  const [pages, total] = [find(pagesPath), find(totalPath)];
  const named = (names: readonly string[]): readonly string[] =>
    names.filter(
      (name) => url.searchParams.has(name) || scalars.some((each) => each.name === name),
    );
  const isFull =
    items > 0 &&
    (isRound(items) || limitNames.some((name) => url.searchParams.get(name) === String(items)));
  const hasMore = total === undefined ? isFull : Number(total.value) > items;
  const guessed = (names: readonly string[], name: string): readonly string[] => {
    const known = named(names).map((each) =>
      each.replace(/^current_?/i, '').replace(/^Page$/, 'page'),
    );
    return known.length > 0 ? known : hasMore || pages !== undefined ? [name] : [];
  };
  const byPage = guessed(pageNames, 'page').map((name) => {
    const first = Number(url.searchParams.get(name) ?? 1);
    return proposal(
      {
        by: 'page',
        send: `query.${name}`,
        ...(first === 0 ? { first } : {}),
        ...(pages === undefined ? {} : { pages: pages.path }),
      },
      [name],
      withQuery(url, { [name]: String(first + 1) }),
    );
  });
  const byOffset = guessed(offsetNames, 'offset').map((name) =>
    proposal(
      {
        by: 'offset',
        send: `query.${name}`,
        ...(total === undefined ? {} : { total: total.path }),
      },
      [name],
      withQuery(url, { [name]: String(Number(url.searchParams.get(name) ?? 0) + items) }),
    ),
  );
  return named(offsetNames).length > 0 && named(pageNames).length === 0
    ? [...byOffset, ...byPage]
    : [...byPage, ...byOffset];
}

/** Whether a number of items looks like the size of a full page. */
function isRound(items: number): boolean {
  return items >= 10 && (items % 10 === 0 || items % 25 === 0);
}

function isAddress(value: Scalar['value'], url: URL): boolean {
  return (
    typeof value === 'string' &&
    /^(?:https?:\/\/|\/|\?)/.test(value) &&
    URL.canParse(value, url.href)
  );
}

/** Returns the values of an answer outside its list. */
function scalarsIn(value: unknown, path: readonly string[], list: string): readonly Scalar[] {
  const at = path.join('.');
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return [{ path: at, name: path.at(-1) ?? '', value }];
  if (!isTable(value) || path.length > maxDepth || (at === list && at !== '')) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name.includes('.') ? [] : scalarsIn(member, [...path, name], list),
  );
}
