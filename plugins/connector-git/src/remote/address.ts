import { parseUri, TroveError } from '@trove/core';

/** The address of a remote repository. */
export interface RemoteAddress {
  readonly url: string;
  readonly protocol: 'http' | 'https';
  /** Name for messages. */
  readonly host: string;
}

/** Parses a target such as `git+https://host/path`. Throws `validation_error` if it names no repository. */
export function parseRemoteAddress(target: string): RemoteAddress {
  const { scheme, authority, path } = parseUri(target);
  const protocol = scheme === 'git+http' ? 'http' : 'https';
  const url = `${protocol}://${authority}${path.split('/').map(encodeURIComponent).join('/')}`;
  const isValid = /^[^@/?#\s\\]+$/.test(authority) && URL.canParse(url);
  if (isValid && path !== '') return { url, protocol, host: authority };
  throw new TroveError('validation_error', 'The target names no repository on a host.', {
    suggestions: [
      'Write git+https://HOST/PATH, and set `username` and `password` in the configuration if the host requires them.',
    ],
  });
}
