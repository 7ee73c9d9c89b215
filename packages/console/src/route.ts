/** The values of a route's parameters. Undefined and empty values are omitted from the address. */
export type RouteValues = Readonly<Record<string, string | number | undefined>>;

/** A page of the console with its parameters, from the fragment of the address. */
export interface PageRoute {
  readonly page: string;
  readonly params: URLSearchParams;
}

/** The page without a path in the address. */
export const firstPage = 'search';

/** Parses a fragment such as `#/search?q=fox`. */
export function parseRoute(fragment: string): PageRoute {
  const text = fragment.replace(/^#\/?/, '');
  const end = text.indexOf('?');
  const page = end < 0 ? text : text.slice(0, end);
  const params = new URLSearchParams(end < 0 ? '' : text.slice(end + 1));
  return { page: page === '' ? firstPage : page, params };
}

/** Returns the fragment of a page. */
export function hrefOf(page: string, values: RouteValues = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== '') params.set(name, String(value));
  }
  return `#/${page}${params.size === 0 ? '' : `?${params.toString()}`}`;
}
