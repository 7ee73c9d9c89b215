import { createHmac, randomBytes } from 'node:crypto';

import type { Cli } from './cli.js';
import { isLoopback } from './endpoint.js';
import { chooseToken } from './token.js';

const lifetimeSeconds = 600;

/**
 * Returns the address of the console. It signs in once, within ten minutes, if the token of the server is known. Only
 * this token can make such links.
 */
export function consoleLink({ env, home, token: known }: Cli, endpoint: string): string {
  const loopback = isLoopback(endpoint);
  // A server that has just started for the first time has created its token.
  const token = known ?? chooseToken({ env, profile: undefined, home, loopback });
  const page = `${endpoint}/`;
  if (token === undefined || token.value.startsWith('trove_')) return page;
  return `${page}#sign-in=${createSignInCode(token.value)}`;
}

/** Names the console after a start. A link that signs in is only for a terminal, because it must not be in logs. */
export async function nameConsole(cli: Cli, endpoint: string): Promise<void> {
  const page = cli.err.isTerminal
    ? consoleLink(cli, endpoint)
    : `${endpoint}/ (sign in: trove console)`;
  await cli.err.line(`Open in a browser: ${page}`);
}

/** Creates a code for the console. The server verifies it with the token. */
function createSignInCode(token: string): string {
  const until = Math.floor(Date.now() / 1000) + lifetimeSeconds;
  const code = `signin.${until}.${randomBytes(16).toString('base64url')}`;
  return `${code}.${createHmac('sha256', token).update(code).digest('base64url')}`;
}
