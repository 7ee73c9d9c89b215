import { join } from 'node:path';
import { readSecret, type ResolvedSettings } from 'trove';
import { ensureToken } from './token-file.js';

/** The access rule: callers with the token or, in `open` mode, all callers. */
export type Auth =
  | { readonly mode: 'auto'; readonly token: string; readonly file: string }
  | { readonly mode: 'known'; readonly token: string }
  | { readonly mode: 'open' };

/**
 * Interprets the setting `auth_token`: `-` means open, an empty text generates a token, anything else is the
 * token or a reference to it.
 */
export async function resolveAuth(
  settings: Pick<ResolvedSettings, 'auth_token' | 'home'>,
): Promise<Auth> {
  if (settings.auth_token.trim() === '-') return { mode: 'open' };
  const token = await resolveToken(settings.auth_token);
  if (token !== '') return { mode: 'known', token };
  const file = join(settings.home, 'server.token');
  return { mode: 'auto', token: await ensureToken(file), file };
}

/**
 * Returns the token of the setting, resolving a reference. Returns '' if there is none. Throws
 * `credential_error`, because an unresolved reference must not become the token.
 */
export async function resolveToken(setting: string): Promise<string> {
  return (await readSecret('auth_token', setting.trim())).trim();
}
