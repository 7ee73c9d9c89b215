import { TroveError } from '@trove/core';
import { parseJson, readBody } from '@trove/connector-kit/http';

/** An answer of the API, parsed. */
export interface Sample {
  readonly url: URL;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Headers and parameters that a login adds to a request. */
export interface SampleLogin {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

export interface SampleOptions {
  readonly http: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  readonly login?: SampleLogin;
}

/** Requests an address once. Returns null if the API demands a login. Throws `connector_unhealthy` for other failures. */
export async function requestSample(
  url: URL,
  { http, signal, login = {} }: SampleOptions,
): Promise<Sample | null> {
  const address = withQuery(url, login.query ?? {});
  const headers = { accept: 'application/json', ...login.headers };
  const response = await http(address, { headers, signal });
  const place = `${url.host}${url.pathname}`;
  if (response.status === 401) {
    await response.body?.cancel();
    return null;
  }
  const text = await readBody(response, url);
  if (!response.ok)
    throw new TroveError(
      'connector_unhealthy',
      `${place} answered with HTTP ${response.status}${excerpt(text)}`,
      { suggestions: [adviceFor(response.status)] },
    );
  const body = parseJson(text, response, url);
  if (body === undefined)
    throw new TroveError('connector_unhealthy', `${place} returned an empty answer`, {
      suggestions: ['Enter the address of a list.'],
    });
  return { url, headers: response.headers, body };
}

/** Returns the address with other values of some parameters. */
export function withQuery(url: URL, values: Readonly<Record<string, string>>): URL {
  const changed = new URL(url);
  for (const [name, value] of Object.entries(values)) changed.searchParams.set(name, value);
  return changed;
}

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line === '' || line.startsWith('<') ? '' : `: ${line.slice(0, 200)}`;
}

function adviceFor(status: number): string {
  if (status === 403) return 'Use a login that may read this address.';
  if (status === 404 || status === 410) return 'Check the address.';
  if (status === 429) return 'Wait a minute and try again.';
  return status >= 500 ? 'Try again later.' : 'Check the parameters of the address.';
}
