import { UsageError } from '@trove/commands';

export const defaultEndpoint = 'http://127.0.0.1:13619';

/** A value and its origin. */
export interface SourcedValue {
  readonly value: string;
  readonly source: string;
}

/**
 * Chooses the endpoint: the option, `TROVE_ENDPOINT`, the profile, the default. Throws a UsageError for an invalid URL.
 */
export function chooseEndpoint(
  option: string | undefined,
  env: NodeJS.ProcessEnv,
  profile: string | undefined,
): SourcedValue {
  const first = [
    { value: option, source: '--endpoint' },
    { value: env['TROVE_ENDPOINT'], source: 'TROVE_ENDPOINT' },
    { value: profile, source: 'client.toml' },
  ].find(({ value }) => value);
  return {
    value: parseEndpoint(first?.value ?? defaultEndpoint),
    source: first?.source ?? 'the default',
  };
}

/** Removes trailing slashes. Throws a UsageError unless it is an HTTP URL. */
export function parseEndpoint(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`"${endpoint}" is not an endpoint`, [
      `Use a URL such as ${defaultEndpoint}.`,
    ]);
  }
  return endpoint.replace(/\/+$/, '');
}

/** Tests if two endpoints are the same server. */
export function isSameEndpoint(one: string, other: string): boolean {
  return one === other || parseEndpoint(new URL(one).href) === parseEndpoint(new URL(other).href);
}

/** Tests if an endpoint is on this machine. */
export function isLoopback(endpoint: string): boolean {
  const { hostname } = new URL(endpoint);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
