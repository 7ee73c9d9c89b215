import { UsageError } from '@trove/commands';

export const defaultEndpoint = 'http://127.0.0.1:13619';

/** A value and where it came from. */
export interface SourcedValue {
  readonly value: string;
  readonly source: string;
}

/** In order of precedence: the option, `TROVE_ENDPOINT`, the profile's, the default. Throws a UsageError for no URL. */
export function chooseEndpoint(
  option: string | undefined,
  env: NodeJS.ProcessEnv,
  profile: string | undefined,
): SourcedValue {
  const found = [
    { value: option, source: '--endpoint' },
    { value: env['TROVE_ENDPOINT'], source: 'TROVE_ENDPOINT' },
    { value: profile, source: 'client.toml' },
  ].find(({ value }) => value);
  return {
    value: parseEndpoint(found?.value ?? defaultEndpoint),
    source: found?.source ?? 'the default',
  };
}

/** Without slashes at its end. Throws a UsageError for anything but a URL of HTTP. */
export function parseEndpoint(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`"${endpoint}" is no endpoint`, [
      `Write a URL such as ${defaultEndpoint}.`,
    ]);
  }
  return endpoint.replace(/\/+$/, '');
}

/** Whether an endpoint can only be a server on this machine. */
export function isLoopback(endpoint: string): boolean {
  const { hostname } = new URL(endpoint);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
