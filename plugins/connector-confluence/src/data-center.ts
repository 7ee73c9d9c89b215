import { defineHttpConnector, type Scope } from '@trove/connector-kit/http';

import { configSchema, type ConfluenceConfig } from './config.js';
import { commonErrors, pageName, pathName } from './pages.js';
import { nextStart, siteUrl, spacesOf } from './site.js';
import { storageToMarkdown } from './storage.js';

/** Members of the answers that the connector uses. */
interface Item {
  readonly id: string;
  readonly title: string;
  readonly status?: string;
  readonly space?: { readonly key?: string };
  readonly body?: { readonly storage?: { readonly value?: string } };
  readonly _links?: { readonly webui?: string; readonly download?: string };
}

type Kind = 'attachment' | 'comment' | 'page';

/**
 * The search filters by minutes in the time zone of the account, which no API tells. The zones reach from 12 hours before to
 * 14 hours after UTC.
 */
const since = { by: 'since', send: {}, overlap: '13h' } as const;
const page = 'space,version,history';

/** The listing of one kind of content by the search, which serves at most 50 bodies or 200 items without. */
function search(kind: Kind, expand: string, limit: number) {
  return {
    get: '/rest/api/content/search',
    query: { cql: (scope: Scope<ConfluenceConfig>) => queryFor(kind, scope), expand, limit },
    page: nextStart,
    items: 'results',
    itemsRequired: true,
    incremental: since,
  } as const;
}

/** The connector of a Data Center site, which has version 1 of the API. */
export const dataCenter = defineHttpConnector({
  keys: ['confluence'],
  configSchema,
  base: siteUrl,
  auth: [
    { bearer: 'token' },
    { basic: { user: '{config.email}', password: '{secret.api_token}' } },
  ],
  check: { get: '/rest/api/user/current', say: 'Connected as {displayName}.', again: true },
  errors: commonErrors,
  objects: { comments: { path: 'comments', title: 'Comments', countEvery: '1d' } },
  streams: {
    pages: {
      ...search('page', page, 200),
      // A full listing does not use the search, because its index may be incomplete.
      get: ({ since: start }) =>
        start === undefined ? '/rest/api/content' : '/rest/api/content/search',
      query: {
        type: ({ since: start }) => (start === undefined ? 'page' : undefined),
        cql: (scope) => (scope.since === undefined ? undefined : queryFor('page', scope)),
        expand: page,
        limit: 200,
      },
      where: isIncluded,
      isGone: ({ status }: Item) => status === 'trashed',
      gone: {
        get: '/rest/api/content',
        query: { type: 'page', status: 'trashed', limit: 200 },
        page: nextStart,
        items: 'results',
      },
      keep: ['id'],
      document: {
        path: ({ item }) => {
          const { space, title, id }: Item = Object(item);
          return pageName({ space: space?.key, title, id });
        },
        identity: 'id',
        title: 'title',
        url: webUrl,
        author: 'history.createdBy.displayName',
        modifiedAt: 'version.when',
        fingerprint: 'version.number',
        mediaType: () => 'text/markdown',
        fields: { space: 'space.key' },
      },
      one: { get: '/rest/api/content/{identity}', query: { expand: page } },
      read: {
        get: '/rest/api/content/{item.id}',
        query: { expand: 'body.storage' },
        text: ({ title, body }: Item) =>
          `# ${title}\n\n${storageToMarkdown(body?.storage?.value)}\n`,
        mediaType: () => 'text/markdown',
      },
    },
    comments: {
      ...search('comment', 'body.storage,version,container,space', 50),
      in: 'comments',
      key: 'id',
      where: isIncluded,
      record: {
        title: 'title',
        text: ({ body }: Item) => storageToMarkdown(body?.storage?.value),
        at: 'version.when',
        author: 'version.by.displayName',
        url: webUrl,
        version: 'version.number',
        thread: 'container.id',
        threadFields: { page: 'container.id', space: 'space.key' },
      },
      one: {
        get: '/rest/api/content/{key.id}',
        query: { expand: 'body.storage,version,container,space' },
      },
    },
    attachments: {
      ...search('attachment', 'version,container,space', 200),
      where: isIncluded,
      keep: ['id', '_links'],
      document: {
        path: ({ item }) =>
          `attachments/${Object(Object(item).container).id}/${Object(item).id}-${pathName(Object(item).title)}`,
        identity: 'id',
        title: 'title',
        url: webUrl,
        author: 'version.by.displayName',
        size: 'extensions.fileSize',
        modifiedAt: 'version.when',
        fingerprint: 'version.number',
        mediaType: 'extensions.mediaType',
        fields: { page: 'container.id' },
      },
      one: {
        get: '/rest/api/content/{identity}',
        query: { expand: 'version,container,space' },
      },
      read: {
        get: downloadUrl,
        ranges: true,
      },
    },
  },
});

function queryFor(kind: Kind, scope: Scope<ConfluenceConfig>): string {
  const { since: start } = scope;
  const spaces = spacesOf(scope).map((key) => JSON.stringify(key));
  return [
    `type = ${kind}`,
    ...(spaces.length === 0 ? [] : [`space in (${spaces.join(', ')})`]),
    ...(start === undefined ? [] : [`lastmodified >= "${minuteOf(start)}"`]),
  ]
    .join(' and ')
    .concat(' order by created asc');
}

/** `2026-01-31 12:00` */
function minuteOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}

function isIncluded({ space }: Item, scope: Scope<ConfluenceConfig>): boolean {
  const keys = spacesOf(scope);
  return keys.length === 0 || keys.includes(space?.key ?? '');
}

function downloadUrl(scope: Scope<ConfluenceConfig>): string {
  const { _links }: Item = Object(scope.item);
  return siteUrl(scope) + String(_links?.download);
}

function webUrl({ _links }: Item, scope: Scope<ConfluenceConfig>): string | undefined {
  return _links?.webui === undefined ? undefined : siteUrl(scope) + _links.webui;
}
