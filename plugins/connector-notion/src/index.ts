import { defineHttpConnector, type Scope } from '@trove/connector-kit/http';

import { configSchema } from './config.js';
import {
  commentRecord,
  nameOf,
  pageItem,
  pageItems,
  rowRecord,
  tableItems,
  type PageItem,
} from './items.js';
import { wholeMarkdown } from './markdown.js';
import { plainText, type RichText } from './properties.js';
import { setup } from './setup.js';

const paging = {
  by: 'cursor',
  from: 'next_cursor',
  more: 'has_more',
  send: 'body.start_cursor',
} as const;
const newestFirst = { timestamp: 'last_edited_time', direction: 'descending' };
/** The search index is late, and the times in it are whole minutes. */
const overlap = '10m';

const noComments = 'The integration lacks the capability "Read comments".';

function mayReadComments(_page: unknown, { lookup }: Scope): Promise<unknown> {
  return lookup('comments', '00000000-0000-4000-8000-000000000000');
}

function search(filter: Readonly<Record<string, unknown>>) {
  return {
    post: '/v1/search',
    body: { filter: { property: 'object', ...filter }, sort: newestFirst, page_size: 100 },
    page: paging,
  };
}

/**
 * Connector for Notion (`notion://WORKSPACE`): pages as Markdown, rows of databases as records, and comments. Longer than other
 * descriptions, because names come from look-ups, and each of the three kinds reports deletions in its own way.
 */
export default defineHttpConnector({
  keys: ['notion'],
  configSchema,
  setup,
  base: '{config.base_url}',
  auth: { bearer: 'token' },
  headers: { 'Notion-Version': '2025-09-03' },
  check: {
    post: '/v1/search',
    body: { page_size: 1 },
    say: ({ results }: { readonly results: readonly unknown[] }) =>
      results.length > 0
        ? 'The integration can read pages.'
        : 'No page is shared with the integration. Open a page, choose ••• and Connections, and add the integration.',
  },
  errors: [
    {
      when: { body: { code: 'restricted_resource' } },
      do: 'fail',
      code: 'missing_capability',
      say: 'The integration lacks the capability "Read content". Add it at notion.so/profile/integrations.',
    },
    { when: { status: 400, text: 'start_cursor provided is invalid' }, do: 'expired' },
    { when: { status: 409 }, do: 'retry' },
    {
      when: { status: 200, body: { 'request_status.type': 'incomplete' } },
      do: 'incomplete',
      say: 'Notion lists only a part of the workspace ({request_status.incomplete_reason}). Nothing that is missing counts as deleted.',
    },
  ],
  lookups: {
    /** Titles of data sources. */
    tables: {
      ...search({ value: 'data_source' }),
      items: 'results',
      key: 'id',
      value: ({ title }: { readonly title: readonly RichText[] }) => plainText(title),
    },
    pages: { get: '/v1/pages/{id}', value: pageItem },
    users: {
      get: '/v1/users',
      query: { page_size: 100 },
      page: { ...paging, send: 'query.start_cursor' },
      items: 'results',
      key: 'id',
      value: 'name',
      errors: [{ when: { status: 403 }, do: 'absent' }],
    },
    subtrees: {
      get: '/v1/pages/{id}/markdown',
      value: '.',
      errors: [{ when: { status: [400, 403] }, do: 'absent' }],
    },
    /** Whether comments may be read. Without the capability, the answer is 403, otherwise an empty list or 404. */
    comments: {
      get: '/v1/comments',
      query: { block_id: '{id}' },
      value: () => true,
      errors: [
        { when: { status: 403 }, do: 'absent' },
        { when: { status: 404 }, do: 'ok' },
      ],
    },
  },
  objects: {
    tables: {
      for: 'tables',
      path: '{+folder}/rows',
      title: 'title',
      url: 'url',
      identity: 'id',
      modifiedAt: 'edited',
    },
    comments: {
      path: 'comments',
      title: () => 'Comments',
      skip: async (_item, scope) => ((await mayReadComments(_item, scope)) ? '' : noComments),
    },
  },
  streams: {
    tables: {
      ...search({ value: 'data_source' }),
      items: tableItems,
      keep: ['id', 'folder'],
    },
    rows: {
      for: 'tables',
      post: '/v1/data_sources/{tables.id}/query',
      body: { page_size: 100 },
      page: paging,
      items: pageItems,
      in: 'tables',
      key: 'id',
      record: rowRecord,
      one: { get: '/v1/pages/{key.id}', item: pageItem },
      incremental: {
        by: 'since',
        send: {
          body: {
            filter: {
              timestamp: 'last_edited_time',
              last_edited_time: { on_or_after: '{since}' },
            },
          },
        },
        overlap,
      },
      gone: {
        post: '/v1/data_sources/{tables.id}/query',
        body: {
          in_trash: true,
          filter: { timestamp: 'last_edited_time', last_edited_time: { on_or_after: '{since}' } },
          page_size: 100,
        },
        items: 'results',
      },
    },
    pages: {
      ...search({ value: 'page' }),
      items: pageItems,
      where: ({ isRow }: PageItem, { config }) => !isRow || config.row_pages,
      keep: ['id', 'title', 'url'],
      document: {
        path: ({ item }) => {
          const { folder, title, id }: Partial<PageItem> = Object(item);
          return `${folder}/${nameOf(title ?? '', id ?? '')}.md`;
        },
        identity: 'id',
        title: 'title',
        url: 'url',
        author: ({ editor }: PageItem, { lookup }) => lookup('users', editor),
        modifiedAt: 'edited',
        fingerprint: 'version',
        mediaType: () => 'text/markdown',
        fields: 'fields',
      },
      isGone: 'inTrash',
      one: { get: '/v1/pages/{identity}', item: pageItem },
      read: {
        get: '/v1/pages/{id}/markdown',
        text: wholeMarkdown,
        mediaType: () => 'text/markdown',
      },
      incremental: { by: 'newest-first', time: 'edited', overlap },
      gone: { ...search({ value: 'page', in_trash: true }), items: pageItems },
    },
    comments: {
      for: 'pages',
      when: mayReadComments,
      get: '/v1/comments',
      query: { block_id: '{pages.id}', page_size: 100 },
      page: { ...paging, send: 'query.start_cursor' },
      items: 'results',
      itemsRequired: true,
      in: 'comments',
      key: 'id',
      record: commentRecord,
      ofThread: { query: { block_id: '{thread}' } },
      // Changed pages list all of their comments.
      incremental: { by: 'since', send: {}, overlap },
      complete: { thread: '{pages.id}' },
      errors: [{ when: { status: 403 }, do: 'skip', say: noComments }],
    },
  },
});
