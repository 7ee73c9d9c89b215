import type { ConnectorSubject } from '@trove/testkit';
import { testConformance } from '@trove/test-support/conformance.js';
import { suite } from 'uvu';

import { startHttpFake } from '../../src/http/fake/index.js';
import { deskPlugin } from './open-desk.js';

const test = suite('conformance of a described web service');
const text = 'first line\nsecond line\nthird line\n';

const plugin = deskPlugin({
  objects: { tickets: { path: 'all tickets', title: 'Tickets' } },
  streams: {
    tickets: {
      get: '/cursor/tickets',
      page: { by: 'cursor', from: 'meta.next', send: 'query.cursor' },
      items: 'data',
      in: 'tickets',
      key: 'id',
      one: { get: '/tickets/{key.id}' },
      isGone: 'gone',
      keysOnly: { query: { fields: 'id' } },
      record: { title: 'title', text: 'body', at: 'updated', thread: '{id}', fields: ['author'] },
      ofThread: { get: '/threads/{thread}', items: '.' },
      incremental: { by: 'since', send: { query: { since: '{since}' } }, overlap: '10m' },
    },
    notes: {
      get: '/notes',
      items: 'notes',
      keep: ['id', 'text'],
      document: { path: 'notes/{id}', identity: 'id', modifiedAt: 'modified', fingerprint: 'text' },
      read: { inItem: true, text: 'text', mediaType: '.' },
    },
  },
});

async function withSubject(work: (subject: ConnectorSubject) => Promise<void>): Promise<void> {
  const config = (url: string): object => ({ url, token: 'good' });
  await using fake = await startHttpFake(plugin, { target: 'desk://acme/main', config });
  const names = ['#1 100% ✨.txt', 'plain text.txt'];
  for (const id of names) fake.put('notes', { id, text });
  const tickets = [1, 2, 3, 4, 5].map((id) => ({
    id,
    title: `Ticket ${id}`,
    body: `Body of ticket ${id}`,
    author: 'u1',
    updated: 1_000_000_000_000 + id,
  }));
  for (const ticket of tickets) fake.put('tickets', ticket);
  await work(
    fake.subject({
      refused: [{}, { url: fake.origin, tokn: 'good' }, { url: 7 }],
      objects: [
        ...names.map((name) => ({ path: `notes/${name}`, bytes: Buffer.from(text) })),
        {
          path: 'all tickets',
          records: tickets.map(({ id, title, body, author, updated }) => ({
            key: { id },
            fields: { author },
            title,
            text: body,
            at: updated,
            thread: String(id),
          })),
        },
      ],
      absent: 'notes/nothing',
    }),
  );
}

await testConformance(test, withSubject, [
  'addReply',
  'moveFolder',
  'browse',
  'stat',
  'grep',
  'watch',
  'since',
  'paths',
  'coupled',
  'expireCursors',
  'expireAccess',
  'emptyTarget',
]);

test.run();
