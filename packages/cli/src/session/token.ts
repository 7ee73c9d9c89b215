import { join } from 'node:path';

import { readFileIfAny } from './system-errors.js';

/** A bearer token and its origin. */
export interface BearerToken {
  readonly value: string;
  readonly source: string;
}

interface TokenSources {
  readonly env: NodeJS.ProcessEnv;
  readonly profile: string | undefined;
  readonly home: string;
  /** The token file belongs to the local server and is not sent to other servers. */
  readonly loopback: boolean;
}

/**
 * Chooses the token: `TROVE_API_TOKEN`, the profile, the token file of the local server. Returns undefined if the
 * profile names an unset variable.
 */
export function chooseToken({
  env,
  profile,
  home,
  loopback,
}: TokenSources): BearerToken | undefined {
  const fromEnv = env['TROVE_API_TOKEN'];
  if (fromEnv) return { value: fromEnv, source: 'TROVE_API_TOKEN' };
  if (profile !== undefined) return profileToken(profile, env);
  if (!loopback) return undefined;
  const path = join(home, 'server.token');
  const value = readFileIfAny(path)?.trim();
  return value ? { value, source: path } : undefined;
}

/** Returns the environment variable that a profile's token refers to. */
export function variableOf(token: string | undefined): string | undefined {
  return token?.startsWith('env:') === true ? token.slice('env:'.length) : undefined;
}

function profileToken(token: string, env: NodeJS.ProcessEnv): BearerToken | undefined {
  const name = variableOf(token);
  if (name === undefined) return { value: token, source: 'client.toml' };
  const value = env[name];
  return value ? { value, source: name } : undefined;
}
