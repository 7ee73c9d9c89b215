import { openHttp } from '@trove/runtime';

/** Returns the HTTP client that a connector gets. */
export function connectorHttp(): typeof globalThis.fetch {
  const signal = new AbortController().signal;
  return openHttp(signal, { userAgent: 'Trove (test)', retries: true });
}
