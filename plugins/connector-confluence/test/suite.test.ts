import { randomUUID } from 'node:crypto';
import type { SourceRecord } from '@trove/core';
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { connectorHttp } from '@trove/test-support/connector-http.js';
import { testConformance } from '@trove/test-support/conformance.js';
import plugin from '../src/index.js';
import { startFakeConfluence, type FakeConfluence } from './fake.js';
import type { Comment } from './fake/world.js';
import { configOf } from './support.js';

const test = suite('confluence connector, conformance');
const text = 'first line\nsecond line\nthird line\n';

function recordOf({ world, service }: FakeConfluence, comment: Comment): SourceRecord {
  const { id, page, kind } = comment;
  return {
    key: { stream: kind, id: String(id) },
    fields: {},
    title: `Re: ${world.page(page).title}`,
    text: comment.body,
    at: comment.modifiedAt,
    author: 'Ann Archer',
    url: `${service.origin}/wiki/spaces/TRV/pages/${page}?focusedCommentId=${id}`,
    version: String(comment.version),
    thread: String(page),
    threadFields: { page: String(page), space: 'TRV' },
  };
}

async function withSubject(work: (subject: ConnectorSubject) => Promise<void>): Promise<void> {
  await using fake = await startFakeConfluence();
  const { world } = fake;
  const [first = 0, second = 0, third = 0] = ['100% #1 ✨', 'Plain / text', 'Files'].map(
    (title) => {
      world.advance(1000);
      return world.create(title, '<p>one</p><p>two</p>').id;
    },
  );
  for (const page of [first, second]) {
    world.advance(1000);
    world.comment(page, 'Footer');
    world.advance(1000);
    world.comment(page, 'Inline', 'inline');
  }
  const file = world.attach(third, '#1 50% ✨.txt', text).id;
  world.advance(3_600_000);
  await work(subjectOf(fake, { first, second, third, file }));
}

function subjectOf(
  fake: FakeConfluence,
  {
    first,
    second,
    third,
    file,
  }: {
    readonly first: number;
    readonly second: number;
    readonly third: number;
    readonly file: number;
  },
): ConnectorSubject {
  const { world } = fake;
  const config = configOf(fake);
  const secret = `secret-${randomUUID()}`;
  const attachment = `attachments/${third}/att${file}-#1 50% ✨.txt`;
  const pages = [first, second, third].map((id) => ({
    id,
    path: `TRV/${world.page(id).title.replaceAll('/', '∕')}~${id}.md`,
  }));
  const newest = [...world.comments.values()].toReversed();
  const comments = [
    ...newest.filter(({ kind }) => kind === 'footer'),
    ...newest.filter(({ kind }) => kind === 'inline'),
  ];
  return {
    plugin,
    target: 'confluence://acme',
    config,
    refused: [{ ...config, emial: 'a' }, { ...config, base_url: 'nowhere' }, { spaces: 'TRV' }],
    http: connectorHttp(),
    objects: [
      ...pages.map(({ id, path }) => ({
        path,
        bytes: Buffer.from(`# ${world.page(id).title}\n\none\n\ntwo\n`),
      })),
      { path: attachment, bytes: Buffer.from(text) },
      { path: 'comments', records: comments.map((comment) => recordOf(fake, comment)) },
    ],
    absent: 'TRV/nothing.md',
    checkpoints: true,
    change: async (path) => {
      const page = pages.find((each) => each.path === path);
      if (page === undefined) world.replace(file, `${text}fourth line\n`);
      else world.edit(page.id, { body: '<p>longer than before</p>' });
    },
    remove: async (path) => {
      const page = pages.find((each) => each.path === path);
      if (page === undefined) world.attachments.delete(file);
      else world.trash(page.id);
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
  'addReply',
  'browse',
  'changeRecords',
  'coupled',
  'emptyTarget',
  'expireAccess',
  'expireCursors',
  'grep',
  'keysOnly',
  'moveFolder',
  'paths',
  'since',
  'stat',
  'threads',
  'watch',
]);

test.run();
