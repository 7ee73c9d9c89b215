import { TroveError } from '@trove/core';
import { retryAfterMs } from '@trove/core/provider';

const defaultPauseMs = 30_000;

/** Creates an error with a remedy for an unsuccessful response. `path` is '' for the root of the source. */
export function refusalError(
  response: Pick<Response, 'headers' | 'status'>,
  url: string,
  path: string,
): TroveError {
  const { status, headers } = response;
  const { host } = new URL(url);
  if (status === 429) {
    return new TroveError('rate_limited', `${host} requests a pause (HTTP 429).`, {
      retryable: true,
      retryAfterMs: retryAfterMs(headers) ?? defaultPauseMs,
    });
  }
  if (status >= 500 || status === 408 || status === 423) {
    const pause = retryAfterMs(headers);
    return new TroveError('connector_unhealthy', `${host} could not answer (HTTP ${status}).`, {
      suggestions: ['Try again later.'],
      retryable: true,
      ...(pause === undefined ? {} : { retryAfterMs: pause }),
    });
  }
  if (status === 401) return loginError(headers, host);
  if (path !== '') {
    const shown = path.slice(0, 200);
    if (status === 404 || status === 410)
      return new TroveError('not_found', `There is nothing at "${shown}".`);
    if (status === 403)
      return new TroveError('path_not_allowed', `The user may not read "${shown}".`);
  }
  return new TroveError('connector_unhealthy', rootProblem(status, url), {
    suggestions: ['Check the address. Nextcloud: webdav://HOST/remote.php/dav/files/USER.'],
  });
}

function loginError(headers: Headers, host: string): TroveError {
  const schemes = headers.get('www-authenticate') ?? '';
  const isUnsupported = schemes !== '' && !/\b(?:basic|bearer)\b/i.test(schemes);
  return new TroveError(
    'connector_unhealthy',
    isUnsupported
      ? `${host} accepts only logins that Trove does not support: ${schemes.slice(0, 100)}.`
      : `${host} refuses the user name or the password (HTTP 401).`,
    {
      suggestions: [
        isUnsupported
          ? 'Allow Basic logins over TLS on the server.'
          : 'Correct `user` and `password`. With two-factor logins, create an app password.',
      ],
    },
  );
}

function rootProblem(status: number, url: string): string {
  if (status === 404 || status === 410) return `There is no folder at ${url}.`;
  if (status === 403) return `The user may not list ${url}.`;
  if (status === 405 || status === 501) return `There is no WebDAV server at ${url}.`;
  return `${url} does not answer like a WebDAV server (HTTP ${status}).`;
}

/** Creates an error for an invalid response. */
export function protocolError(url: string, problem: string, cause?: unknown): TroveError {
  return new TroveError(
    'connector_unhealthy',
    `${url} does not answer like a WebDAV server: ${problem}.`,
    { suggestions: ['Check the address in the configuration of the source.'], cause },
  );
}
