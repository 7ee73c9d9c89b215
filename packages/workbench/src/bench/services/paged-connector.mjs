// A connector of the page server, described for the kit. It is copied into a package of its own, with `items.mjs`.
import { defineHttpConnector } from '@trove/connector-kit/http';

import { itemOf } from './items.mjs';

const pagings = {
  link: 'link',
  next: { by: 'next', from: 'next' },
  cursor: { by: 'cursor', from: 'cursor', send: 'query.cursor' },
  page: { by: 'page', send: 'query.page', pages: 'pages' },
  offset: { by: 'offset', send: 'query.offset', total: 'total' },
  keyset: { by: 'keyset', from: 'id', send: 'query.after' },
  function: ({ body }) =>
    body.cursor === undefined ? null : { values: { 'query.cursor': body.cursor } },
};

const changes = { by: 'since', send: { query: { since: '{since}' } }, overlap: '1m' };

const forms = {
  records: {
    in: 'items',
    key: 'id',
    record: { title: 'title', text: 'text', at: 'updated' },
    incremental: changes,
  },
  objects: {
    keep: ['id'],
    one: { get: '/items/{identity}' },
    document: {
      path: '{id}.txt',
      identity: 'id',
      title: 'title',
      modifiedAt: 'updated',
      fingerprint: 'version',
    },
    read: { get: '/items/{id}', text: 'text' },
    incremental: changes,
  },
};

/** The floor: the same records from memory, without requests and without the kit. */
const floor = {
  kind: 'connector',
  apiVersion: 1,
  keys: ['floor-records'],
  configSchema: {
    type: 'object',
    properties: { url: { type: 'string' }, count: { type: 'integer' } },
  },
  create: ({ config: { count } }) => ({
    async *list() {
      yield { path: 'items', size: null, modifiedAt: null, fingerprint: null, keyFields: ['id'] };
    },
    async *records(entry, { offset = 0 }) {
      for (let id = offset + 1; id <= count; id++) {
        const { title, text, updated } = itemOf(id);
        yield { key: { id }, fields: {}, title, text, at: updated };
      }
    },
  }),
};

const described = Object.keys(pagings).flatMap((kind) =>
  Object.entries(forms).map(([form, stream]) =>
    defineHttpConnector({
      keys: [`${kind}-${form}`],
      configSchema: {
        type: 'object',
        additionalProperties: false,
        required: ['url'],
        properties: { url: { type: 'string', description: 'The address of the page server.' } },
      },
      base: '{config.url}',
      check: { get: '/me' },
      streams: {
        items: {
          get: `/${kind}`,
          items: (answer) => (Array.isArray(answer) ? answer : answer.items),
          page: pagings[kind],
          ...stream,
        },
      },
    }),
  ),
);

export default [...described, floor];
