import { UsageError } from '../failure.js';

export const DEFAULT_ENDPOINT = 'http://127.0.0.1:13619';

/** In order of precedence: the option, `TROVE_ENDPOINT`, the profile's, the default. */
export function chooseEndpoint(
  option: string | undefined,
  env: NodeJS.ProcessEnv,
  profile: string | undefined,
): string {
  const endpoint = option || env['TROVE_ENDPOINT'] || profile || DEFAULT_ENDPOINT;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`"${endpoint}" is no endpoint`, [
      `Write a URL such as ${DEFAULT_ENDPOINT}.`,
    ]);
  }
  return endpoint.replace(/\/+$/, '');
}

/** Whether an endpoint can only be a server on this machine. */
export function isLoopback(endpoint: string): boolean {
  const { hostname } = new URL(endpoint);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
