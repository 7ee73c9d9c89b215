import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import type { HttpDescription } from '../../src/http/index.js';
import { changesSince, neverAborted, recordsAt, withDesk } from './open-desk.js';

const test = suite('documents with children, and incomplete listings');

const documents: Pick<HttpDescription, 'streams' | 'lookups'> = {
  lookups: { users: { get: '/users/{id}', value: 'profile.name' } },
  streams: {
    tickets: {
      get: '/next/tickets',
      page: { by: 'next', from: 'links.next' },
      items: 'data',
      document: {
        path: '{id}.txt',
        identity: 'id',
        fields: (ticket: { readonly title: string }) => ({ title: ticket.title }),
        author: ({ author }: { readonly author: string }, { lookup }) => lookup('users', author),
      },
      read: { inItem: true, text: 'body' },
      incremental: {
        by: 'newest-first',
        time: 'updated',
        send: { query: { sort: 'newest' } },
        overlap: '1m',
      },
    },
    comments: {
      for: 'tickets',
      get: '/tickets/{id}/comments',
      items: 'items',
      in: 'comments',
      key: 'id',
      record: { text: 'text', thread: '{ticket}' },
      incremental: { by: 'since', send: {}, overlap: '1m' },
    },
  },
};

const ticketList = {
  get: '/next/tickets',
  page: { by: 'next', from: 'links.next' },
  items: 'data',
  read: { inItem: true, text: 'body' },
} as const;

test('lists the items of an answer that leaves others out, and then fails', () =>
  withDesk(
    {
      ...documents,
      errors: [{ when: { body: { cut: true } }, do: 'incomplete', say: 'Too many tickets.' }],
    },
    async ({ desk, service, connector }) => {
      for (let id = 1; id <= 3; id++) desk.addTicket(id, Date.now());
      service.addFault({
        matches: ({ path }) => path === '/next/tickets',
        after: 1,
        apply: async (_request, normal) => {
          const answer = await normal();
          return { ...answer, json: { ...Object(answer.json), cut: true } };
        },
      });
      const paths: string[] = [];
      const error = await rejection(async () => {
        for await (const item of connector.list({ signal: neverAborted() }))
          if ('path' in item) paths.push(item.path);
      });
      assert.is(error.code, 'listing_incomplete');
      assert.match(error.message, 'Too many tickets.');
      assert.equal(paths, ['comments', '1.txt', '2.txt', '3.txt']);
    },
  ));

test('reports the records below a new document', () =>
  withDesk(documents, async ({ desk, connector }) => {
    const { cursor } = await changesSince(connector, undefined);
    desk.addTicket(1, Date.now());
    desk.addComment(7, 1, Date.now());
    const { changes } = await changesSince(connector, cursor);
    assert.equal(
      changes.map((change) => ('path' in change ? change.path : Object.keys(change))),
      [['entry'], 'comments'],
    );
  }));

test('takes the fields of a document from a value that is an object', () =>
  withDesk(documents, async ({ desk, connector }) => {
    desk.addTicket(1, Date.now());
    const { changes } = await changesSince(connector, undefined);
    const entries = changes.flatMap((change) => ('entry' in change ? [change.entry] : []));
    assert.equal(
      entries.map(({ fields }) => fields),
      [undefined, { title: 'Ticket 1' }],
    );
  }));

test('sends the headers of all requests with look-ups', () =>
  withDesk(
    { ...documents, headers: { 'X-Version': '7' } },
    async ({ desk, service, connector }) => {
      desk.addTicket(1, Date.now());
      await changesSince(connector, undefined);
      const lookup = service.exchanges.find(({ request }) => request.path.startsWith('/users'));
      assert.is(lookup?.request.headers['x-version'], '7');
    },
  ));

test('keeps documents with equal names after an interruption', () =>
  withDesk(
    { streams: { tickets: { ...ticketList, document: { path: 'Ticket.txt', identity: 'id' } } } },
    async ({ desk, connector }) => {
      for (let id = 1; id <= 5; id++) desk.addTicket(id, 1);
      const signal = neverAborted();
      const paths: string[] = [];
      let resume: unknown;
      for await (const item of connector.list({ signal }))
        if ('path' in item) paths.push(item.path);
        else {
          resume = structuredClone(item.checkpoint);
          break;
        }
      for await (const item of connector.list({ signal, resume }))
        if ('path' in item) paths.push(item.path);
      assert.is(new Set(paths).size, 5);
    },
  ));

const ticketThreads: Pick<HttpDescription, 'streams'> = {
  streams: {
    tickets: {
      get: '/link/tickets',
      page: 'link',
      in: 'desk',
      key: 'id',
      record: { text: 'title', thread: 'id' },
      ofThread: { get: '/tickets/{thread}', items: '.' },
    },
    comments: {
      for: 'tickets',
      get: '/tickets/{id}/comments',
      items: 'items',
      in: 'desk',
      key: 'id',
      record: { text: 'text', thread: '{tickets.id}' },
      ofThread: { get: '/tickets/{thread}/comments' },
      errors: [{ when: { status: [403, 404] }, do: 'skip', say: 'The comments are private.' }],
    },
  },
};

test('reads the rest of a thread of which a part is refused, and then fails', () =>
  withDesk(ticketThreads, async ({ desk, service, connector }) => {
    desk.addTicket(1, 1);
    desk.addComment(7, 1, 1);
    service.addFault({
      matches: ({ path }) => path === '/tickets/1/comments',
      apply: () => ({ status: 403 }),
    });
    const texts: unknown[] = [];
    const error = await rejection(async () => {
      const records = connector.records?.('desk', { thread: '1', signal: neverAborted() });
      for await (const record of records ?? []) if ('text' in record) texts.push(record.text);
    });
    assert.equal([error.code, error.message], ['listing_incomplete', 'The comments are private.']);
    assert.equal(texts, ['Ticket 1']);
    const again = await recordsAt(connector, 'desk', { thread: '1' });
    assert.equal(
      again.map(({ text }) => text),
      ['Ticket 1', 'Comment 7'],
    );
  }));

test('reads a thread of which a part does not exist any more', () =>
  withDesk(ticketThreads, async ({ desk, service, connector }) => {
    desk.addTicket(1, 1);
    desk.addComment(7, 1, 1);
    service.addFault({
      matches: ({ path }) => path === '/tickets/1/comments',
      apply: () => ({ status: 404 }),
    });
    const records = await recordsAt(connector, 'desk', { thread: '1' });
    assert.equal(
      records.map(({ text }) => text),
      ['Ticket 1'],
    );
  }));

test.run();
