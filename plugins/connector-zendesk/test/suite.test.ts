import { randomUUID } from 'node:crypto';
import type { SourceRecord } from '@trove/core';
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { connectorHttp } from '@trove/test-support/connector-http.js';
import { testConformance } from '@trove/test-support/conformance.js';
import plugin from '../src/index.js';
import { startFakeZendesk, type FakeZendesk } from './fake.js';
import { timeForm } from './fake/forms.js';
import { configOf, hourMs } from './support.js';

const test = suite('zendesk connector, conformance');
const text = '<p>first line</p>\n<p>second line</p>\n<p>third line</p>\n';

function recordsOf({ world, service }: FakeZendesk): SourceRecord[] {
  const tickets = [...world.tickets.values()].map((ticket): SourceRecord => ({
    key: { stream: 'tickets', ticket: ticket.id, id: ticket.id },
    fields: {},
    title: `#${ticket.id} ${ticket.subject ?? ''}`,
    text: ticket.subject ?? ticket.description,
    at: ticket.createdAt,
    author: 'Bob Baker',
    url: `${service.origin}/agent/tickets/${ticket.id}`,
    thread: String(ticket.id),
    threadFields: {
      ticket: ticket.id,
      status: ticket.status,
      priority: 'normal',
      type: 'question',
      tags: [...ticket.tags],
      channel: 'email',
      requester: 'Bob Baker',
      assignee: 'Ann Archer',
      organization: 'Acme',
      group: 'First level',
      created: timeForm(ticket.createdAt),
      updated: timeForm(ticket.updatedAt),
    },
  }));
  const comments = [...world.comments.values()].map((comment): SourceRecord => ({
    key: { stream: 'comments', ticket: comment.ticket, id: comment.id },
    fields: { public: comment.isPublic },
    text: comment.body,
    at: comment.createdAt,
    author: world.users.get(comment.author)?.name ?? '',
    url: `${service.origin}/agent/tickets/${comment.ticket}`,
    thread: String(comment.ticket),
  }));
  return [...tickets, ...comments];
}

async function withSubject(work: (subject: ConnectorSubject) => Promise<void>): Promise<void> {
  await using fake = await startFakeZendesk();
  const { world } = fake;
  for (const subject of ['Crash 100% #1', 'Idea ✨', 'Idea?'])
    world.create({ subject, description: `About ${subject}` });
  world.comment(1, 'Me too');
  world.writeArticle('#1 100% ✨', text);
  world.writeArticle('A/B', text);
  world.advance(hourMs);
  await work(subjectOf(fake));
}

function subjectOf(fake: FakeZendesk): ConnectorSubject {
  const { world } = fake;
  const config = configOf(fake);
  const secret = `secret-${randomUUID()}`;
  const articles = [...world.articles.values()].map(({ id, title }) => ({
    path: `articles/${id} ${title.replace('/', ' ')}.html`,
    bytes: Buffer.from(text),
  }));
  const articleAt = (path: string): number => Number(/\d+/.exec(path)?.[0]);
  return {
    plugin,
    target: 'zendesk://acme',
    config,
    refused: [
      { ...config, emial: 'a' },
      { ...config, base_url: 'nowhere' },
    ],
    http: connectorHttp(),
    objects: [...articles, { path: 'tickets', records: recordsOf(fake) }],
    absent: 'articles/1 None.html',
    change: async (path) => {
      world.advance(hourMs);
      world.editArticle(articleAt(path), { body: `${text}<p>more</p>\n` });
    },
    remove: async (path) => void world.articles.delete(articleAt(path)),
    checkpoints: true,
    addReply: async () => {
      world.comment(1, 'A reply');
      world.advance(hourMs);
    },
    changeRecords: async () => {
      world.create({ subject: 'New', description: 'Something new' });
      world.setTags(2, ['news']);
      world.remove(3);
      world.advance(hourMs);
    },
    replaceCredential: async () => {
      world.tokens.clear();
      world.tokens.add('new');
      return { api_token: 'new' };
    },
    unreachable: { config: { ...config, api_token: secret } },
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
  // An expired cursor of an export continues by time.
  'expireCursors',
  'expireAccess',
  'emptyTarget',
  'moveFolder',
]);

test.run();
