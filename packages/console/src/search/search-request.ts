import type { SearchParameters } from '@trove/client';
import { hrefOf, type RouteValues } from '../route.js';

/** A search as the address states it. Empty values are defaults. */
export interface SearchChoice {
  readonly q: string;
  /** The URI of a source, a folder or an object. */
  readonly path: string;
  readonly type: string;
  readonly kind: string;
  readonly since: string;
  readonly mode: string;
  readonly sort: string;
}

const names = ['q', 'path', 'type', 'kind', 'since', 'mode', 'sort'] as const;
const modes = ['hybrid', 'semantic', 'keyword'] as const;

export const pageSize = 20;
/** Characters of a passage. */
const snippetChars = 450;

export function readChoice(params: URLSearchParams): SearchChoice {
  const valueOf = (name: (typeof names)[number]): string => params.get(name) ?? '';
  return {
    q: valueOf('q'),
    path: valueOf('path'),
    type: valueOf('type'),
    kind: valueOf('kind'),
    since: valueOf('since'),
    mode: valueOf('mode'),
    sort: valueOf('sort'),
  };
}

export function searchHref(choice: SearchChoice): string {
  const values: RouteValues = { ...choice };
  return hrefOf('search', values);
}

export function isFiltered({ path, type, kind, since }: SearchChoice): boolean {
  return [path, type, kind, since].some((value) => value !== '');
}

/** Returns a search for the same words in all sources. */
export function withoutFilters(choice: SearchChoice): SearchChoice {
  return { ...choice, path: '', type: '', kind: '', since: '' };
}

/** Returns the parameters of the request. */
export function requestOf({
  q,
  path,
  type,
  kind,
  since,
  mode,
  sort,
}: SearchChoice): SearchParameters {
  const isMode = modes.find((name) => name === mode);
  return {
    q,
    ...(path === '' ? {} : { path }),
    ...(type === '' ? {} : { type }),
    ...(kind === '' ? {} : { kind }),
    ...(since === '' ? {} : { since }),
    ...(isMode === undefined ? {} : { mode: isMode }),
    ...(sort === 'modified' ? { sort } : {}),
    top_k: pageSize,
    snippet: snippetChars,
  };
}
