import { randomUUID } from 'node:crypto';
import type { SourceRecord } from '@trove/core';
import type { ConnectorSubject } from '@trove/testkit';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { testConformance } from '@trove/test-support/conformance.js';
import { suite } from 'uvu';

import { deskPlugin } from './open-desk.js';
import { startDesk, type Desk, type Ticket } from './desk-service.js';

const test = suite('conformance of a described web service');

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
      ofThread: { get: '/tickets/{thread}', items: '.' },
      incremental: { by: 'since', send: { query: { since: '{since}' } }, overlap: '10m' },
    },
    notes: {
      get: '/notes',
      items: 'notes',
      keep: ['id', 'text'],
      document: {
        path: 'notes/{name}',
        identity: 'id',
        modifiedAt: 'modified',
        fingerprint: 'text',
      },
      read: { inItem: true, text: 'text', mediaType: '.' },
    },
  },
});

interface Note {
  readonly id: string;
  readonly name: string;
  text: string;
}

function recordOf({ id, title, body, author, updated }: Ticket): SourceRecord {
  return { key: { id }, fields: { author }, title, text: body, at: updated, thread: String(id) };
}

async function withSubject(work: (subject: ConnectorSubject) => Promise<void>): Promise<void> {
  const { desk, service } = await startDesk();
  for (let id = 1; id <= 5; id++) desk.addTicket(id, 1_000_000_000_000 + id);
  const notes = new Map<string, Note>(
    ['#1 100% ✨.txt', 'plain text.txt'].map((name) => [
      name,
      { id: name, name, text: 'first line\nsecond line\nthird line\n' },
    ]),
  );
  service.addFault({
    matches: ({ path }) => path === '/notes',
    times: Infinity,
    apply: () => ({ json: { notes: [...notes.values()] } }),
  });
  try {
    await work(subjectOf(desk, notes, service.origin));
  } finally {
    await service.stop();
  }
}

function subjectOf(desk: Desk, notes: Map<string, Note>, url: string): ConnectorSubject {
  const secret = `secret-${randomUUID()}`;
  return {
    plugin,
    target: 'desk://acme/main',
    config: { url, token: 'good' },
    refused: [{}, { url, tokn: 'good' }, { url: 7 }],
    http: connectorHttp(),
    objects: [
      ...[...notes.values()].map(({ name, text }) => ({
        path: `notes/${name}`,
        bytes: Buffer.from(text),
      })),
      { path: 'all tickets', records: [...desk.tickets.values()].map(recordOf) },
    ],
    absent: 'notes/nothing',
    change: async (path) => {
      const note = notes.get(path.slice('notes/'.length));
      if (note !== undefined) note.text += 'a fourth line\n';
    },
    remove: async (path) => void notes.delete(path.slice('notes/'.length)),
    changeRecords: async () => {
      const [first, second] = desk.tickets.values();
      Object.assign(first ?? {}, { title: 'changed', updated: Date.now() });
      Object.assign(second ?? {}, { gone: true, updated: Date.now() });
      desk.addTicket(99, Date.now());
    },
    checkpoints: true,
    replaceCredential: async () => {
      desk.tokens.clear();
      desk.tokens.add('new');
      return { token: 'new' };
    },
    unreachable: { config: { url, token: secret } },
    secret,
  };
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
