import { pageError, type Answer, type PageChange, type Scope } from '@trove/connector-kit/http';

import type { ConfluenceConfig } from './config.js';

type SiteScope = Pick<Scope<ConfluenceConfig>, 'config' | 'target'>;

export function isCloud({ base_url: base, edition }: ConfluenceConfig): boolean {
  if (edition !== undefined) return edition === 'cloud';
  return base === undefined || new URL(base).hostname.endsWith('.atlassian.net');
}

/** The address that people open. */
export function siteUrl({ config, target }: SiteScope): string {
  const { base_url: base } = config;
  const { authority } = target;
  const host = authority.includes('.') ? authority : `${authority}.atlassian.net`;
  const root = base?.replace(/\/+$/, '') ?? `https://${host}`;
  return isCloud(config) ? `${root}/wiki` : root;
}

/** The address of requests. Tokens with scopes work only at the address of the site's id. */
export function requestUrl(scope: SiteScope): string {
  const { cloud_id: id } = scope.config;
  return id === undefined ? siteUrl(scope) : `https://api.atlassian.com/ex/confluence/${id}/wiki`;
}

/** Takes the cursor out of the link to the next page. The link is a path of the site, which may have another address. */
export function nextCursor(answer: Answer): PageChange | null {
  const { body } = answer;
  const next: unknown = Object(Object(body)['_links']).next;
  if (typeof next !== 'string') return null;
  const cursor = new URLSearchParams(next.slice(next.indexOf('?') + 1)).get('cursor');
  if (cursor === null) throw pageError(answer, 'names a next page without a cursor');
  return { values: { 'query.cursor': cursor } };
}

interface ContentPage {
  readonly start?: number;
  readonly results?: readonly unknown[];
  readonly _links?: { readonly next?: string };
}

/** Counts the items itself: a data centre serves fewer items than requested, and its link skips the others. */
export function nextStart({ body }: Answer): PageChange | null {
  const { start = 0, results = [], _links }: ContentPage = Object(body);
  if (_links?.next === undefined || results.length === 0) return null;
  return { values: { 'query.start': start + results.length } };
}

/** Returns the key of the space from the address of a page or comment. Undefined if it has none. */
export function spaceOf(webui: unknown): string | undefined {
  const [, key] = typeof webui === 'string' ? (/^\/spaces\/([^/?]+)/.exec(webui) ?? []) : [];
  if (key === undefined) return undefined;
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** Returns the keys of the spaces that the source is limited to. None: all spaces. */
export function spacesOf({ config, target }: SiteScope): readonly string[] {
  return config.spaces ?? target.parts.slice(1, 2);
}

/** Whether the source contains an item with this address. */
export function containsSpace(webui: unknown, scope: SiteScope): boolean {
  const keys = spacesOf(scope);
  return keys.length === 0 || keys.includes(spaceOf(webui) ?? '');
}

/** Whether the source has only some of the spaces. */
export function isLimited(scope: SiteScope): boolean {
  return spacesOf(scope).length > 0;
}
