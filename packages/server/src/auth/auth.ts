import { join } from 'node:path';
import { readSecret, type ResolvedSettings } from 'trove';
import { ensureToken } from './token-file.js';

/** Who may call: holders of the token or, in `open` mode, everyone. */
export type Auth =
  | { readonly mode: 'auto'; readonly token: string; readonly file: string }
  | { readonly mode: 'known'; readonly token: string }
  | { readonly mode: 'open' };

/** Interprets the setting `auth_token`: `-` is open, empty generates a token, anything else is the token, or refers to it. */
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
 * The token that the setting is or refers to; '' if there is none. As it stands, a reference would be a token that
 * whoever sees the file knows. Throws `credential_error`.
 */
export async function resolveToken(setting: string): Promise<string> {
  return (await readSecret('auth_token', setting.trim())).trim();
}
