import type { Scope } from '@trove/connector-kit/http';

import type { ZendeskConfig } from './config.js';

/** The address of the account, for people and for the API. */
export function siteUrl({
  config,
  target,
}: Pick<Scope<ZendeskConfig>, 'config' | 'target'>): string {
  const { authority } = target;
  const host = authority.includes('.') ? authority : `${authority}.zendesk.com`;
  return config.base_url ?? `https://${host}`;
}

/** The address at which agents see a ticket. */
export function ticketUrl(
  ticket: number,
  scope: Pick<Scope<ZendeskConfig>, 'config' | 'target'>,
): string {
  return `${siteUrl(scope)}/agent/tickets/${ticket}`;
}
