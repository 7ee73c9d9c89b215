import { openHttp } from '@trove/runtime';

/** What a connector gets to ask over HTTP with. */
export function connectorHttp(): typeof globalThis.fetch {
  const signal = new AbortController().signal;
  return openHttp(signal, { userAgent: 'Trove (test)', retries: true });
}
