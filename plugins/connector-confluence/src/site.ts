import type { Answer, PageChange, Scope } from '@trove/connector-kit/http';

import type { ConfluenceConfig } from './config.js';

type SiteScope = Pick<Scope<ConfluenceConfig>, 'config' | 'target'>;

/** The address that people open. */
export function siteUrl({ config, target }: SiteScope): string {
  const { base_url: base } = config;
  const { authority } = target;
  const host = authority.includes('.') ? authority : `${authority}.atlassian.net`;
  return `${base?.replace(/\/+$/, '') ?? `https://${host}`}/wiki`;
}

/** The address of requests. Tokens with scopes work only at the address of the site's id. */
export function requestUrl(scope: SiteScope): string {
  const { cloud_id: id } = scope.config;
  return id === undefined ? siteUrl(scope) : `https://api.atlassian.com/ex/confluence/${id}/wiki`;
}

/** Takes the cursor out of the link to the next page. The link is a path of the site, which may have another address. */
export function nextCursor({ body }: Answer): PageChange | null {
  const next: unknown = Object(Object(body)['_links']).next;
  if (typeof next !== 'string') return null;
  const cursor = new URLSearchParams(next.slice(next.indexOf('?') + 1)).get('cursor');
  return cursor === null ? null : { values: { 'query.cursor': cursor } };
}

/** Returns the key of the space from the address of a page or comment. Undefined if it has none. */
export function spaceOf(webui: unknown): string | undefined {
  const [, key] = typeof webui === 'string' ? (/^\/spaces\/([^/?]+)/.exec(webui) ?? []) : [];
  return key === undefined ? undefined : decodeURIComponent(key);
}

/** Whether the source contains an item with this address. */
export function containsSpace(webui: unknown, { config, target }: SiteScope): boolean {
  const [, inTarget] = target.parts;
  const keys = config.spaces ?? (inTarget === undefined ? [] : [inTarget]);
  return keys.length === 0 || keys.includes(spaceOf(webui) ?? '');
}

/** Whether the source has only some of the spaces. */
export function isLimited({ config, target }: SiteScope): boolean {
  return (config.spaces ?? target.parts.slice(1)).length > 0;
}
