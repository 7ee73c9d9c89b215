import { randomUUID } from 'node:crypto';
import type { SourceRecord } from '@trove/core';
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { connectorHttp } from '@trove/test-support/connector-http.js';
import { testConformance } from '@trove/test-support/conformance.js';
import plugin from '../src/index.js';
import { startFakeIntercom, type FakeIntercom } from './fake.js';
import type { Conversation, Part, Ticket } from './fake/world.js';
import { configOf, hourMs } from './support.js';

const test = suite('intercom connector, conformance');
const text = '<p>first line</p>\n<p>second line</p>\n<p>third line</p>\n';

function inboxUrl(id: string): string {
  return `https://app.eu.intercom.com/a/inbox/acme1234/inbox/conversation/${id}`;
}

function partRecord(
  parent: Readonly<Record<string, string>>,
  of: string,
  part: Part,
): SourceRecord {
  return {
    key: { ...parent, id: part.id },
    fields: { type: part.type, internal: part.type === 'note' },
    text: part.body?.replace(/<\/?p>/g, '') ?? '',
    at: part.createdAt,
    author: part.author.name ?? '',
    url: inboxUrl(of),
    thread: of,
  };
}

function conversationRecord(conversation: Conversation): SourceRecord {
  const { id, body, createdAt, contact, tags } = conversation;
  const message = body.replace(/<\/?p>/g, '');
  return {
    key: { stream: 'conversations', conversation: id, id },
    fields: {},
    title: message,
    text: message,
    at: createdAt,
    author: contact.name ?? '',
    url: inboxUrl(id),
    thread: id,
    threadFields: {
      conversation: id,
      state: 'open',
      priority: 'none',
      channel: 'conversation',
      tags: [...tags],
      assignee: 'Ann Archer',
      team: 'First level',
      people: ['Bob Baker'],
      ai_agent: false,
      attributes: [],
      created: new Date(createdAt).toISOString(),
    },
  };
}

function ticketRecord(ticket: Ticket): SourceRecord {
  const { id, number, title, description, createdAt } = ticket;
  return {
    key: { stream: 'tickets', ticket: id, id },
    fields: {},
    title: `#${number} ${title}`,
    text: description ?? '',
    at: createdAt,
    author: 'Bob Baker',
    url: inboxUrl(id),
    thread: id,
    threadFields: {
      ticket: number,
      type: 'Bug',
      category: 'Customer',
      state: 'In progress',
      state_category: 'in_progress',
      open: true,
      assignee: 'Ann Archer',
      people: ['Bob Baker'],
      attributes: [],
      created: new Date(createdAt).toISOString(),
    },
  };
}

/** All records, in the order in which the connector reads them. */
function recordsOf({ world }: FakeIntercom): readonly { path: string; records: SourceRecord[] }[] {
  const conversations = [...world.conversations.values()];
  const tickets = [...world.tickets.values()];
  return [
    {
      path: 'conversations',
      records: [
        ...conversations.map(conversationRecord),
        ...conversations.flatMap(({ id, parts }) =>
          parts.map((part) => partRecord({ stream: 'parts', conversation: id }, id, part)),
        ),
      ],
    },
    {
      path: 'tickets',
      records: [
        ...tickets.map(ticketRecord),
        ...tickets.flatMap(({ id, parts }) =>
          parts.map((part) => partRecord({ stream: 'ticket_parts', ticket: id }, id, part)),
        ),
      ],
    },
  ];
}

async function withSubject(work: (subject: ConnectorSubject) => Promise<void>): Promise<void> {
  await using fake = await startFakeIntercom();
  const { world } = fake;
  const [first] = ['Crash 100% #1', 'Idea ✨', 'Idea?'].map((body) => world.write(body));
  world.reply(first?.id ?? '', 'Me too');
  const ticket = world.open('Printer', 'It smokes');
  world.open('Screen', 'It flickers');
  world.reply(ticket.id, 'Pull the plug');
  world.publish('#1 100% ✨', text);
  world.publish('A/B', text);
  world.publishInternally('Secret', text);
  world.advance(hourMs);
  await work(subjectOf(fake));
}

function subjectOf(fake: FakeIntercom): ConnectorSubject {
  const { world } = fake;
  const config = configOf(fake);
  const secret = `secret-${randomUUID()}`;
  const pathOf = (title: string): string =>
    `articles/Guides/First steps/${title.replace('/', '∕')}.html`;
  const articles = [...world.articles.values()].map(({ id, title }) => ({
    id,
    path: pathOf(title),
  }));
  const internal = [...world.internalArticles.values()].map(({ id, title }) => ({
    id,
    path: `internal-articles/${title}.html`,
  }));
  const idAt = (path: string): string =>
    [...articles, ...internal].find((each) => each.path === path)?.id ?? '';
  const [first = '', second = '', third = ''] = world.conversations.keys();
  const [ticket = ''] = world.tickets.keys();
  return {
    plugin,
    target: 'intercom://acme',
    config,
    refused: [
      { ...config, tokn: 'a' },
      { ...config, region: 'mars' },
      { base_url: fake.service.origin },
    ],
    http: connectorHttp(),
    objects: [
      ...[...articles, ...internal].map(({ path }) => ({ path, bytes: Buffer.from(text) })),
      ...recordsOf(fake),
    ],
    absent: 'articles/None.html',
    change: async (path) => {
      world.advance(hourMs);
      world.editArticle(idAt(path), { body: `${text}<p>more</p>\n` });
    },
    remove: async (path) => {
      world.articles.delete(idAt(path));
      world.internalArticles.delete(idAt(path));
    },
    checkpoints: true,
    addReply: async (path) => {
      world.advance(hourMs);
      world.reply(path === 'tickets' ? ticket : first, 'A reply');
      world.advance(hourMs);
    },
    changeRecords: async (path) => {
      world.advance(hourMs);
      if (path === 'tickets') {
        world.open('New', 'Something new');
        const [, removed = ''] = world.tickets.keys();
        world.describeTicket(ticket, 'It burns');
        world.tickets.delete(removed);
        // The daily count finds the deleted ticket.
        world.advance(25 * hourMs);
      } else {
        world.write('Something new');
        world.setTags(second, ['news']);
        world.removeConversation(third);
        world.advance(hourMs);
      }
    },
    replaceCredential: async () => {
      world.tokens.clear();
      world.tokens.add('new');
      return { token: 'new' };
    },
    unreachable: { config: { ...config, token: secret } },
    secret,
  };
}

await testConformance(test, withSubject, [
  'browse',
  'stat',
  'grep',
  'watch',
  'since',
  'paths',
  'coupled',
  'keysOnly',
  'expireCursors',
  'expireAccess',
  'emptyTarget',
  'moveFolder',
]);

test.run();
