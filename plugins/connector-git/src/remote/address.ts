import { parseUri, TroveError } from '@trove/core';

/** Where a repository is. */
export interface RemoteAddress {
  readonly url: string;
  readonly protocol: 'http' | 'https';
  /** For people. */
  readonly host: string;
}

/** What `git+https://host/path` names. Throws `validation_error` for what names no repository. */
export function parseRemoteAddress(target: string): RemoteAddress {
  const { scheme, authority, path } = parseUri(target);
  const protocol = scheme === 'git+http' ? 'http' : 'https';
  const url = `${protocol}://${authority}${path.split('/').map(encodeURIComponent).join('/')}`;
  const isAddress = /^[^@/?#\s\\]+$/.test(authority) && URL.canParse(url);
  if (isAddress && path !== '') return { url, protocol, host: authority };
  throw new TroveError('validation_error', 'The target names no repository on a host.', {
    suggestions: [
      'Write git+https://HOST/PATH, with `username` and `password` in the configuration, if it wants them.',
    ],
  });
}
