import type { Scope } from '@trove/connector-kit/http';

import type { JiraConfig } from './config.js';
import { searchOrder } from './paging.js';

type JiraScope = Pick<Scope<JiraConfig>, 'config' | 'target'>;

export function isCloud({ base_url: base, edition }: JiraConfig): boolean {
  if (edition !== undefined) return edition === 'cloud';
  return base === undefined || new URL(base).hostname.endsWith('.atlassian.net');
}

/** The address that people open. */
export function siteUrl({ config, target }: JiraScope): string {
  const { base_url: base } = config;
  if (base !== undefined) return base.replace(/\/+$/, '');
  const { authority } = target;
  return `https://${authority.includes('.') ? authority : `${authority}.atlassian.net`}`;
}

/** The address of the API. Tokens with scopes work only at the address of the site's id. */
export function apiUrl(scope: JiraScope): string {
  const { config } = scope;
  const { cloud_id: id } = config;
  const root = id === undefined ? siteUrl(scope) : `https://api.atlassian.com/ex/jira/${id}`;
  return `${root}/rest/api/${isCloud(config) ? '3' : '2'}`;
}

/** Whether the source contains a project. */
export function containsProject(key: string, { config, target }: JiraScope): boolean {
  const [, inTarget] = target.parts;
  const keys = config.projects ?? (inTarget === undefined ? [] : [inTarget]);
  return keys.length === 0 || keys.some((each) => each.toUpperCase() === key);
}

/** Returns the query for issues, oldest first. Their order does not change while pages are requested. */
export function issueQuery(
  conditions: readonly string[],
  { config, since }: Scope<JiraConfig>,
): string {
  const all = [
    ...conditions,
    ...(config.jql === undefined ? [] : [`(${config.jql})`]),
    // A number, because dates are read in the time zone of the account.
    ...(since === undefined ? [] : [`updated >= ${since}`]),
  ];
  return `${all.join(' AND ')}${searchOrder}`;
}
