import type { Answer, PageChange, Scope } from '@trove/connector-kit/http';

import type { JiraConfig } from './config.js';

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
  return `${all.join(' AND ')} ORDER BY created ASC, key ASC`;
}

interface SearchPage {
  readonly nextPageToken?: string;
  readonly startAt?: number;
  readonly total?: number;
}

/** Cloud pages with tokens. A data centre counts, and may serve fewer issues than requested. */
export function nextSearchPage({ body }: Answer): PageChange | null {
  const { nextPageToken, startAt, total, issues }: SearchPage & { readonly issues?: unknown[] } =
    Object(body);
  if (nextPageToken !== undefined) return { values: { 'query.nextPageToken': nextPageToken } };
  if (startAt === undefined || total === undefined) return null;
  const next = startAt + (issues?.length ?? 0);
  return next < total ? { values: { 'query.startAt': next } } : null;
}

/** Cloud pages projects. A data centre lists all of them. */
export function nextProjectPage({ body }: Answer): PageChange | null {
  const {
    isLast,
    startAt = 0,
    values = [],
  }: { isLast?: boolean; startAt?: number; values?: unknown[] } = Object(body);
  return isLast === false ? { values: { 'query.startAt': startAt + values.length } } : null;
}
