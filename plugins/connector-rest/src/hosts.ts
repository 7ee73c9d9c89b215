import { TroveError } from '@trove/core';
import type { HttpDescription } from '@trove/connector-kit/http';

import { textsIn } from './tables.js';

const requestKeys: ReadonlySet<string> = new Set(['base', 'get', 'graphql', 'post', 'tokenUrl']);

/**
 * Returns a `fetch` that refuses hosts that the description does not name. Links in answers come from the service, and must not
 * lead to other services in the network of the server.
 */
export function limitHosts(
  http: typeof globalThis.fetch,
  description: HttpDescription,
  others: readonly string[],
): typeof globalThis.fetch {
  const named = namedHosts(description);
  const patterns = [...others, ...readHosts(description)];
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (!named.has(url.host) && !patterns.some((pattern) => matches(pattern, url)))
      throw new TroveError(
        'path_not_allowed',
        `The API leads to ${url.host}, which the description does not name`,
        { suggestions: [`If this host belongs to the API, add it: hosts = ["${url.host}"].`] },
      );
    return http(input, init);
  };
}

/** Returns the hosts of the addresses that the description contains. */
function namedHosts(description: HttpDescription): ReadonlySet<string> {
  const addresses = [...textsIn(description)].filter(({ path }) =>
    requestKeys.has(path.at(-1) ?? ''),
  );
  return new Set(
    addresses.flatMap(({ text }) => {
      // A placeholder in the host could be filled in by an answer.
      const [origin] = /^https?:\/\/[^/?#{}]+(?=[/?#]|$)/i.exec(text) ?? [];
      return origin === undefined || !URL.canParse(origin) ? [] : [new URL(origin).host];
    }),
  );
}

function readHosts({ streams }: HttpDescription): readonly string[] {
  return Object.values(streams).flatMap(({ read }) => read?.hosts ?? []);
}

function matches(pattern: string, url: URL): boolean {
  const [, host = '', port] = /^(.*?)(?::(\d+))?$/.exec(pattern.toLowerCase()) ?? [];
  if (port === undefined ? url.port !== '' : url.port !== port) return false;
  return host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : url.hostname === host;
}
