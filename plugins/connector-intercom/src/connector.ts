import { defineHttpConnector, type Paging, type Scope } from '@trove/connector-kit/http';

import {
  articleBody,
  articleDocument,
  articleItem,
  articleItems,
  isPublished,
} from './articles.js';
import { configSchema, type IntercomConfig } from './config.js';
import {
  conversationItem,
  conversationItems,
  conversationParts,
  conversationRecord,
  deletedItems,
} from './conversations.js';
import { deletionErrors, errors, permissionErrors, planErrors } from './errors.js';
import { isMessage, partRecord, type PartItem } from './parts.js';
import { lookups } from './people.js';
import { setup } from './setup.js';
import { apiUrl } from './site.js';
import { hasAllParts, ticketItem, ticketItems, ticketParts, ticketRecord } from './tickets.js';

/** The first version that lists deleted conversations. */
const apiVersion = '2.16';
const countedPages: Paging = { by: 'page', send: 'query.page', pages: 'pages.total_pages' };
const searchPages: Paging = {
  by: 'cursor',
  from: 'pages.next.starting_after',
  send: 'body.pagination.starting_after',
};
/** Oldest changes first: a change during a search moves an item to a later page, so none is missed. */
const search = {
  query: { field: 'updated_at', operator: '>', value: 0 },
  sort: { field: 'updated_at', order: 'ascending' },
  pagination: { per_page: 150 },
};
const since = {
  by: 'since',
  send: { body: { query: { value: '{since}' } } },
  format: 'seconds',
  overlap: '10m',
} as const;
/** Finds a message in its conversation or ticket, because it has no request of its own. */
function onePart<B>(
  partsOf: (body: B) => readonly PartItem[] | undefined,
): (body: B, scope: Scope<IntercomConfig>) => PartItem | undefined {
  return (body, scope) =>
    partsOf(body)?.find(
      (part) => part.id === Object(scope.values['key']).id && isMessage(part, scope),
    );
}

/** Conversations, tickets and articles of a workspace of Intercom: `intercom://acme`. */
export const intercom = defineHttpConnector({
  keys: ['intercom'],
  configSchema,
  setup,
  base: apiUrl,
  auth: { bearer: 'token' },
  headers: { 'Intercom-Version': apiVersion },
  check: {
    post: '/conversations/search',
    body: { ...search, pagination: { per_page: 1 } },
    say: 'The app can read {total_count} conversations.',
  },
  errors,
  lookups: {
    ...lookups,
    collections: {
      get: '/help_center/collections',
      query: { per_page: 50 },
      page: countedPages,
      items: 'data',
      key: 'id',
      value: '.',
      fresh: true,
    },
  },
  objects: {
    conversations: { path: 'conversations', title: () => 'Conversations' },
    tickets: { path: 'tickets', title: () => 'Tickets', countEvery: '1d' },
  },
  streams: {
    conversations: {
      post: '/conversations/search',
      body: search,
      page: searchPages,
      items: conversationItems,
      itemsRequired: true,
      keep: ['id'],
      in: 'conversations',
      key: { conversation: 'id', id: 'id' },
      record: conversationRecord,
      one: { get: '/conversations/{key.id}', item: conversationItem },
      ofThread: { get: '/conversations/{thread}', items: conversationItem },
      incremental: since,
      gone: {
        get: '/conversations/deleted',
        query: { per_page: 60, order: 'desc' },
        page: countedPages,
        items: deletedItems,
        time: 'deleted_at',
      },
      errors: [...deletionErrors, ...permissionErrors('Read conversations')],
    },
    parts: {
      for: 'conversations',
      get: '/conversations/{id}',
      items: conversationParts,
      itemsRequired: true,
      where: isMessage,
      in: 'conversations',
      key: { conversation: 'of', id: 'id' },
      record: partRecord,
      complete: { thread: 'id' },
      one: { get: '/conversations/{key.conversation}', item: onePart(conversationParts) },
      ofThread: { get: '/conversations/{thread}' },
    },
    tickets: {
      post: '/tickets/search',
      body: search,
      page: searchPages,
      items: ticketItems,
      itemsRequired: true,
      keep: ['id'],
      in: 'tickets',
      key: { ticket: 'id', id: 'id' },
      record: ticketRecord,
      one: { get: '/tickets/{key.ticket}', item: ticketItem },
      ofThread: { get: '/tickets/{thread}', items: ticketItem },
      incremental: since,
      errors: permissionErrors('Read tickets'),
    },
    ticket_parts: {
      for: 'tickets',
      get: '/tickets/{id}',
      items: ticketParts,
      itemsRequired: true,
      embedded: { items: ticketParts, isComplete: hasAllParts },
      where: isMessage,
      in: 'tickets',
      key: { ticket: 'of', id: 'id' },
      record: partRecord,
      complete: { thread: 'id' },
      one: { get: '/tickets/{key.ticket}', item: onePart(ticketParts) },
      ofThread: { get: '/tickets/{thread}' },
    },
    articles: {
      get: '/articles',
      query: { per_page: 50 },
      page: countedPages,
      items: articleItems,
      itemsRequired: true,
      where: isPublished,
      document: articleDocument('articles'),
      one: { get: '/articles/{identity}', item: articleItem },
      read: { inItem: true, text: articleBody, mediaType: () => 'text/html' },
      errors: permissionErrors('Read and List articles'),
    },
    internal_articles: {
      get: '/internal_articles',
      query: { per_page: 50 },
      page: countedPages,
      items: articleItems,
      itemsRequired: true,
      document: articleDocument('internal-articles'),
      one: { get: '/internal_articles/{identity}', item: articleItem },
      read: { inItem: true, text: articleBody, mediaType: () => 'text/html' },
      errors: [...planErrors, ...permissionErrors('Read and List articles')],
    },
  },
});
