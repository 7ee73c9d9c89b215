import { hostname } from 'node:os';

const localPrefix = 'file://local/';

/** Returns the link of an object: its page, or its file if the server is local. */
export function linkTo(
  uri: string,
  { local }: { readonly local: boolean },
  page: string | null = null,
): string | null {
  if (page !== null) return page;
  return local && uri.startsWith(localPrefix)
    ? `file://${hostname()}/${uri.slice(localPrefix.length)}`
    : null;
}
