import { join } from 'node:path';
import type { ResolvedSettings } from 'trove';
import { ensureToken } from './token-file.js';

/** Who may call: holders of the token or, in `open` mode, everyone. */
export type Auth =
  | { readonly mode: 'auto'; readonly token: string; readonly file: string }
  | { readonly mode: 'known'; readonly token: string }
  | { readonly mode: 'open' };

/** Interprets the setting `auth_token`: `-` is open, empty generates a token, anything else is the token. */
export async function resolveAuth(
  settings: Pick<ResolvedSettings, 'auth_token' | 'home'>,
): Promise<Auth> {
  const token = settings.auth_token.trim();
  if (token === '-') return { mode: 'open' };
  if (token !== '') return { mode: 'known', token };
  const file = join(settings.home, 'server.token');
  return { mode: 'auto', token: await ensureToken(file), file };
}
