import type { Scope } from '@trove/connector-kit/http';

import type { IntercomConfig } from './config.js';

/** The address of the API. */
export function apiUrl({ config }: Pick<Scope<IntercomConfig>, 'config'>): string {
  const { base_url: address, region } = config;
  const host = region === undefined || region === 'us' ? 'api' : `api.${region}`;
  return address ?? `https://${host}.intercom.io`;
}

/** A workspace, as `/me` describes it. */
interface Workspace {
  readonly id_code?: string;
  readonly region?: string;
}

/** Returns the address at which teammates see a conversation or ticket. Undefined if the workspace has no id. */
export async function inboxUrl(
  id: string,
  { lookup }: Pick<Scope, 'lookup'>,
): Promise<string | undefined> {
  const { id_code: workspace, region = '' }: Workspace = Object(await lookup('workspaces', 'me'));
  if (workspace === undefined) return undefined;
  const host = /^(?:eu|au)$/i.test(region) ? `app.${region.toLowerCase()}` : 'app';
  return `https://${host}.intercom.com/a/inbox/${workspace}/inbox/conversation/${id}`;
}
