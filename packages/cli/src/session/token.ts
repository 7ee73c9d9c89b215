import { join } from 'node:path';

import { readFileIfAny } from './system-errors.js';

/** A bearer token and where it came from. */
export interface Token {
  readonly value: string;
  readonly source: string;
}

interface Sources {
  readonly env: NodeJS.ProcessEnv;
  readonly profile: string | undefined;
  readonly home: string;
  /** The token file belongs to the server on this machine and is sent to no other. */
  readonly loopback: boolean;
}

/**
 * In order of precedence: `TROVE_API_TOKEN`, the profile's, the token file of the server on this machine. A profile
 * that refers to an empty variable means no token at all.
 */
export function chooseToken({ env, profile, home, loopback }: Sources): Token | undefined {
  const fromEnv = env['TROVE_API_TOKEN'];
  if (fromEnv) return { value: fromEnv, source: 'TROVE_API_TOKEN' };
  if (profile !== undefined) return profileToken(profile, env);
  if (!loopback) return undefined;
  const path = join(home, 'server.token');
  const value = readFileIfAny(path)?.trim();
  return value ? { value, source: path } : undefined;
}

function profileToken(token: string, env: NodeJS.ProcessEnv): Token | undefined {
  if (!token.startsWith('env:')) return { value: token, source: 'client.toml' };
  const name = token.slice('env:'.length);
  const value = env[name];
  return value ? { value, source: name } : undefined;
}
