import { defineHttpConnector } from '@trove/connector-kit/http';

/** Reads the tickets of a help desk. The comments of a ticket are its thread. */
export default defineHttpConnector({
  keys: ['__scheme__'],
  configSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['url', 'token'],
    properties: {
      url: { type: 'string', description: 'Address of the API: https://desk.example.com/api.' },
      token: {
        type: 'string',
        writeOnly: true,
        description: 'Token of the API, best given as env:NAME or file:/path.',
      },
    },
  },
  base: '{config.url}',
  auth: { bearer: 'token' },
  // Runs before each sync and must fail with a wrong token.
  check: { get: '/me', say: 'Connected as {name}.' },
  objects: { tickets: { path: 'tickets', title: 'Tickets' } },
  streams: {
    tickets: {
      get: '/tickets',
      page: { by: 'cursor', from: 'next_cursor', send: 'query.cursor' },
      items: 'tickets',
      keep: ['id'],
      in: 'tickets',
      key: 'id',
      one: { get: '/tickets/{key.id}' },
      record: {
        title: 'subject',
        text: 'description',
        at: 'updated_at',
        author: 'requester.name',
        url: 'html_url',
        thread: '{id}',
        fields: ['status'],
      },
      isGone: 'deleted',
      incremental: { by: 'since', send: { query: { updated_since: '{since}' } }, overlap: '10m' },
    },
    comments: {
      for: 'tickets',
      get: '/tickets/{id}/comments',
      page: 'link',
      in: 'tickets',
      key: 'id',
      record: { text: 'body', at: 'created_at', author: 'author.name', thread: '{tickets.id}' },
      // The list has all comments of a ticket, so missing ones are deleted.
      complete: { thread: 'id' },
    },
  },
});
