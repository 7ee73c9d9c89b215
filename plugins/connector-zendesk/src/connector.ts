import { defineHttpConnector } from '@trove/connector-kit/http';

import { articleDocument, articleItems, type ArticleItem } from './articles.js';
import { commentItems, commentRecord, isVisible, nextCommentPage } from './comments.js';
import { configSchema } from './config.js';
import { articleErrors, errors, exportErrors } from './errors.js';
import { setup } from './setup.js';
import { siteUrl } from './site.js';
import { isDeleted, ticketItem, ticketItems, ticketRecord } from './tickets.js';

const pageSize = { 'page[size]': 100 };
const tokenPaging = {
  by: 'cursor',
  from: 'meta.after_cursor',
  send: 'query.page[after]',
  more: 'meta.has_more',
} as const;
/** Exports leave out the last minute. */
const overlap = '10m';
const notSent = (): undefined => undefined;

/**
 * Tickets of Zendesk with their comments, as threads, and articles of the help center: `zendesk://acme`. Longer than other
 * descriptions, because an export has the comments of all tickets in place of a request for each ticket.
 */
export const zendesk = defineHttpConnector({
  keys: ['zendesk'],
  configSchema,
  setup,
  base: siteUrl,
  auth: [
    { basic: { user: '{config.email}/token', password: '{secret.api_token}' } },
    { bearer: 'token' },
  ],
  check: { get: '/api/v2/users/me.json', say: 'Connected as {user.name}.' },
  errors,
  limits: {
    waitFrom: ['header.retry-after', 'header.rate-limit-reset'],
    budgets: [
      { match: '/api/v2/incremental/tickets/', requests: 10, per: '1m' },
      { match: '/api/v2/incremental/ticket_events', requests: 10, per: '1m' },
    ],
  },
  lookups: {
    users: {
      get: '/api/v2/users/show_many.json',
      query: { ids: '{ids}' },
      batch: 100,
      items: 'users',
      key: 'id',
      value: 'name',
    },
    organizations: {
      get: '/api/v2/organizations/show_many.json',
      query: { ids: '{ids}' },
      batch: 100,
      items: 'organizations',
      key: 'id',
      value: 'name',
    },
    groups: {
      get: '/api/v2/groups.json',
      query: pageSize,
      page: tokenPaging,
      items: 'groups',
      key: 'id',
      value: 'name',
    },
    /** The deleted tickets that can still be restored. */
    deleted: {
      get: '/api/v2/deleted_tickets.json',
      query: pageSize,
      page: tokenPaging,
      items: 'deleted_tickets',
      key: 'id',
      value: () => true,
      fresh: true,
      errors: [{ when: { status: [403, 404] }, do: 'absent' }],
    },
  },
  objects: { tickets: { path: 'tickets', title: () => 'Tickets' } },
  streams: {
    tickets: {
      get: '/api/v2/incremental/tickets/cursor.json',
      page: { by: 'cursor', from: 'after_cursor', send: 'query.cursor', until: 'end_of_stream' },
      items: ticketItems,
      itemsRequired: true,
      in: 'tickets',
      key: { ticket: 'id', id: 'id' },
      record: ticketRecord,
      isGone: isDeleted,
      endsThread: 'id',
      one: {
        get: '/api/v2/tickets/{key.id}.json',
        item: ({ ticket }: { readonly ticket: Parameters<typeof ticketItem>[0] }, scope) =>
          ticketItem(ticket, scope),
      },
      ofThread: { get: '/api/v2/tickets/{thread}.json', query: { start_time: notSent } },
      incremental: {
        by: 'export',
        send: { query: { start_time: '{since}' } },
        format: 'seconds',
        overlap,
      },
      errors: exportErrors,
    },
    comments: {
      get: '/api/v2/incremental/ticket_events.json',
      query: {
        include: ({ values }) => (values['thread'] === undefined ? 'comment_events' : undefined),
        start_time: ({ values }) => (values['thread'] === undefined ? 0 : undefined),
      },
      page: nextCommentPage,
      items: (body: Parameters<typeof commentItems>[0], scope) =>
        commentItems(body, scope, Number(scope.values['thread'])),
      itemsRequired: true,
      where: isVisible,
      in: 'tickets',
      key: ['ticket', 'id'],
      record: commentRecord,
      one: {
        get: '/api/v2/tickets/{key.ticket}/comments.json',
        query: pageSize,
        item: async (body: Parameters<typeof commentItems>[0], scope) => {
          const { ticket, id } = Object(scope.values['key']);
          const comments = await commentItems(body, scope, Number(ticket));
          return comments?.find((comment) => comment.id === id);
        },
      },
      ofThread: { get: '/api/v2/tickets/{thread}/comments.json', query: pageSize },
      incremental: {
        by: 'since',
        send: { query: { start_time: '{since}' } },
        format: 'seconds',
        overlap,
      },
      errors: exportErrors,
    },
    articles: {
      get: '/api/v2/help_center/articles.json',
      query: { ...pageSize, include: 'sections,categories,users' },
      page: tokenPaging,
      items: articleItems,
      itemsRequired: true,
      where: ({ draft }: ArticleItem) => !draft,
      document: articleDocument,
      one: {
        get: '/api/v2/help_center/articles/{identity}.json',
        query: { include: 'sections,categories,users' },
        item: (body: Parameters<typeof articleItems>[0]) => articleItems(body)?.[0],
      },
      read: {
        inItem: true,
        text: ({ body }: ArticleItem) => body ?? '',
        mediaType: () => 'text/html',
      },
      errors: articleErrors,
    },
  },
});
