import {
  defineHttpConnector,
  type ErrorRule,
  type Incremental,
  type RecordMapping,
  type Scope,
  type StreamDescription,
} from '@trove/connector-kit/http';

import { configSchema, type ConfluenceConfig } from './config.js';
import { commonErrors, noLogin, pageName, pathName } from './pages.js';
import { containsSpace, isLimited, nextCursor, requestUrl, siteUrl, spaceOf } from './site.js';
import { storageToMarkdown } from './storage.js';
import { setup } from './setup.js';

/** Members of the answers that the connector uses. */
interface Item {
  readonly id: string;
  readonly title?: string;
  readonly status?: string;
  readonly authorId?: string;
  readonly pageId?: string;
  readonly version?: { readonly number?: number; readonly authorId?: string };
  readonly body?: { readonly storage?: { readonly value?: string } };
  readonly _links?: { readonly webui?: string };
}

const errors: readonly ErrorRule[] = [
  {
    when: { text: 'scope does not match' },
    do: 'fail',
    code: 'missing_scope',
    say: 'The token lacks a scope. It needs `read:page:confluence`, `read:comment:confluence`, `read:attachment:confluence`, `read:user:confluence` and `readonly:content.attachment:confluence`.',
  },
  {
    when: { status: 403, text: 'not permitted to use Confluence' },
    do: 'login',
    code: 'login_refused',
    say: noLogin,
  },
  ...commonErrors,
];

/** There is no filter by time. Items that are gone are listed only in incremental runs. */
const newestPages: Incremental<ConfluenceConfig> = {
  by: 'newest-first',
  time: 'version.createdAt',
  overlap: '10m',
  send: { query: { status: 'current,archived,trashed,deleted' } },
};
/** The service knows no deleted attachments, and refuses a request for them. */
const newestAttachments: Incremental<ConfluenceConfig> = {
  ...newestPages,
  send: { query: { status: 'current,trashed' } },
};
const newestComments: Incremental<ConfluenceConfig> = {
  by: 'newest-first',
  time: 'version.createdAt',
  overlap: '10m',
};

const comment: RecordMapping<ConfluenceConfig> = {
  title: 'title',
  text: ({ body }: Item) => storageToMarkdown(body?.storage?.value),
  at: 'version.createdAt',
  author: ({ version }: Item, { lookup }) => lookup('users', version?.authorId),
  url: webUrl,
  version: 'version.number',
  thread: 'pageId',
  threadFields: { page: 'pageId', space: ({ _links }: Item) => spaceOf(_links?.webui) },
};

/** The listing of one kind of comments of all pages. */
function commentsOf(
  kind: 'footer-comments' | 'inline-comments',
): StreamDescription<ConfluenceConfig> {
  return {
    get: `/api/v2/${kind}`,
    query: { 'body-format': 'storage', sort: '-modified-date', limit: 100 },
    page: nextCursor,
    items: 'results',
    itemsRequired: true,
    where: ({ pageId, _links }: Item, scope) =>
      pageId !== undefined && containsSpace(_links?.webui, scope),
    in: 'comments',
    key: 'id',
    record: comment,
    one: { get: `/api/v2/${kind}/{key.id}`, query: { 'body-format': 'storage' } },
    incremental: newestComments,
  };
}

/**
 * The connector of a site at atlassian.net, which has version 2 of the API. Longer than other descriptions, because pages,
 * two kinds of comments and attachments are four lists.
 */
export const cloud = defineHttpConnector({
  keys: ['confluence'],
  configSchema,
  setup,
  base: requestUrl,
  auth: { basic: { user: '{config.email}', password: '{secret.api_token}' } },
  check: { get: '/rest/api/user/current', say: 'Connected as {displayName}.', again: true },
  errors,
  lookups: {
    users: { get: '/rest/api/user', query: { accountId: '{id}' }, value: 'displayName' },
    addresses: { get: '/api/v2/pages/{id}', value: '_links.webui' },
  },
  objects: { comments: { path: 'comments', title: 'Comments', countEvery: '1d' } },
  streams: {
    pages: {
      get: '/api/v2/pages',
      query: { status: 'current', sort: '-modified-date', limit: 100 },
      page: nextCursor,
      items: 'results',
      itemsRequired: true,
      where: ({ _links }: Item, scope) => containsSpace(_links?.webui, scope),
      isGone,
      keep: ['id'],
      incremental: newestPages,
      document: {
        path: pagePath,
        identity: 'id',
        title: 'title',
        url: webUrl,
        author: ({ authorId }: Item, { lookup }) => lookup('users', authorId),
        modifiedAt: 'version.createdAt',
        fingerprint: 'version.number',
        mediaType: () => 'text/markdown',
        fields: { space: ({ _links }: Item) => spaceOf(_links?.webui), parent: 'parentId' },
      },
      one: { get: '/api/v2/pages/{identity}' },
      read: {
        get: '/api/v2/pages/{item.id}',
        query: { 'body-format': 'storage' },
        text: ({ title, body }: Item) =>
          `# ${title ?? ''}\n\n${storageToMarkdown(body?.storage?.value)}\n`,
        mediaType: () => 'text/markdown',
      },
    },
    footer: commentsOf('footer-comments'),
    inline: commentsOf('inline-comments'),
    attachments: {
      get: '/api/v2/attachments',
      query: { status: 'current', sort: '-modified-date', limit: 100 },
      page: nextCursor,
      items: 'results',
      itemsRequired: true,
      where: async ({ pageId }: Item, scope) =>
        pageId !== undefined &&
        (!isLimited(scope) || containsSpace(await scope.lookup('addresses', pageId), scope)),
      isGone,
      keep: ['id', 'pageId'],
      incremental: newestAttachments,
      document: {
        path: ({ item }) =>
          `attachments/${Object(item).pageId}/${Object(item).id}-${pathName(Object(item).title)}`,
        identity: 'id',
        title: 'title',
        url: webUrl,
        author: ({ version }: Item, { lookup }) => lookup('users', version?.authorId),
        size: 'fileSize',
        modifiedAt: 'version.createdAt',
        fingerprint: 'version.number',
        mediaType: 'mediaType',
        fields: { page: 'pageId' },
      },
      one: { get: '/api/v2/attachments/{identity}' },
      read: {
        get: '/rest/api/content/{item.pageId}/child/attachment/{item.id}/download',
        ranges: true,
      },
    },
  },
});

function isGone({ status }: Item): boolean {
  return status === 'archived' || status === 'trashed' || status === 'deleted';
}

function webUrl({ _links }: Item, scope: Scope<ConfluenceConfig>): string | undefined {
  return _links?.webui === undefined ? undefined : siteUrl(scope) + _links.webui;
}

function pagePath({ item }: Scope<ConfluenceConfig>): string {
  const { id, title = '', _links }: Item = Object(item);
  return pageName({ space: spaceOf(_links?.webui), title, id });
}
