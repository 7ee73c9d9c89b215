// test-timeout: 300
import { randomUUID } from 'node:crypto';
import type { SourceRecord } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { connectorHttp } from '@trove/test-support/connector-http.js';
import { testConformance } from '@trove/test-support/conformance.js';
import { rejection } from '@trove/test-support/rejection.js';
import { SyncedSource } from '@trove/test-support/synced-source.js';
import { configFor, connectorContext } from '@trove/testkit';

import plugin from '../src/index.js';
import { startFakeDataCenter, type FakeConfluence } from './fake.js';

const test = suite('confluence connector, Data Center');
const hourMs = 3_600_000;
const text = 'first line\nsecond line\nthird line\n';

function settingsOf({ service }: FakeConfluence): Readonly<Record<string, unknown>> {
  return { base_url: `${service.origin}/wiki`, token: 'token-1' };
}

async function open(fake: FakeConfluence, target = 'confluence://acme'): Promise<SyncedSource> {
  const config = configFor(plugin, settingsOf(fake));
  return new SyncedSource(
    await plugin.create(connectorContext({ target, http: connectorHttp(), config })),
  );
}

function requestsOf({ service }: FakeConfluence): string[] {
  return service.exchanges.map(({ request }) => {
    const { path, query } = request;
    const [, type = ''] = /^type = (\w+)/.exec(query.get('cql') ?? '') ?? [];
    return `${path.replace('/wiki/rest/api/', '')} ${query.get('status') ?? type}`.trim();
  });
}

function recordOf({ world, service }: FakeConfluence, id: number): SourceRecord {
  const comment = world.comments.get(id);
  if (comment === undefined) throw new Error(`There is no comment ${id}.`);
  const { page, body, modifiedAt } = comment;
  return {
    key: { id: String(id) },
    fields: {},
    title: `Re: ${world.page(page).title}`,
    text: body,
    at: modifiedAt,
    author: 'Ann Archer',
    url: `${service.origin}/wiki/display/TRV/${page}?focusedCommentId=${id}#comment-${id}`,
    version: '1',
    thread: String(page),
    threadFields: { page: String(page), space: 'TRV' },
  };
}

const pathsOf = ({ documents }: SyncedSource): string[] => [...documents.keys()].toSorted();

test('lists pages, comments and attachments', async () => {
  await using fake = await startFakeDataCenter();
  const { world } = fake;
  const { id } = world.create('Set up / run', '<p>First</p>');
  const comment = world.comment(id, 'Nice', 'inline');
  const file = world.attach(id, 'a b.txt', 'boom');
  const source = await open(fake);
  await source.sync();
  assert.equal(
    [...source.documents],
    [
      [`TRV/Set up ∕ run~${id}.md`, '# Set up / run\n\nFirst\n'],
      [`attachments/${id}/att${file.id}-a b.txt`, 'boom'],
    ],
  );
  assert.equal(source.recordsOf('comments'), [recordOf(fake, comment.id)]);
});

test('reads all pages and comments of an answer with fewer items than requested', async () => {
  await using fake = await startFakeDataCenter();
  const { world } = fake;
  for (let number = 1; number <= 450; number++) world.create(`Page ${number}`, '');
  const [first = 0] = world.pages.keys();
  for (let number = 1; number <= 120; number++) world.comment(first, `Comment ${number}`);
  const source = await open(fake);
  await source.sync();
  assert.is(source.documents.size, 450);
  assert.is(source.recordsOf('comments').length, 120);
});

test('finds changed, new, trashed and purged content', async () => {
  await using fake = await startFakeDataCenter();
  const { world } = fake;
  const [first, second, third] = ['One', 'Two', 'Three'].map((title) => world.create(title, '').id);
  const comment = world.comment(first ?? 0, 'Old');
  const file = world.attach(first ?? 0, 'a.txt', 'old');
  world.advance(30 * hourMs);
  const source = await open(fake);
  await source.sync();
  world.advance(hourMs);
  world.edit(first ?? 0, { title: 'Eins' });
  world.editComment(comment.id, 'New');
  world.replace(file.id, 'new');
  world.trash(second ?? 0);
  world.purge(third ?? 0);
  const fourth = world.create('Four', '').id;
  fake.service.forget();
  await source.sync();
  const attachment = `attachments/${first}/att${file.id}-a.txt`;
  assert.equal(pathsOf(source), [
    `TRV/Eins~${first}.md`,
    `TRV/Four~${fourth}.md`,
    `TRV/Three~${third}.md`,
    attachment,
  ]);
  assert.is(source.documents.get(attachment), 'new');
  assert.equal(
    source.recordsOf('comments').map((record) => record.text),
    ['New'],
  );
  await source.sync({ isFull: true });
  assert.not.ok(pathsOf(source).includes(`TRV/Three~${third}.md`));
});

test('sends a handful of requests if nothing changed', async () => {
  await using fake = await startFakeDataCenter();
  const { world } = fake;
  for (let number = 1; number <= 250; number++) world.create(`Page ${number}`, '');
  world.advance(30 * hourMs);
  const source = await open(fake);
  await source.sync();
  world.advance(hourMs);
  fake.service.forget();
  await source.sync();
  assert.equal(requestsOf(fake).toSorted(), [
    'content trashed',
    'content/search attachment',
    'content/search comment',
    'content/search page',
    'user/current',
    'user/current',
  ]);
});

test('limits a source to the space of its target', async () => {
  await using fake = await startFakeDataCenter();
  const { world } = fake;
  world.addSpace('OPS', 'Operations');
  world.comment(world.create('Home', '').id, 'Home');
  const { id } = world.create('Ops', '', { space: 'OPS' });
  world.comment(id, 'Ops');
  const source = await open(fake, 'confluence://acme/OPS');
  await source.sync();
  assert.equal(pathsOf(source), [`OPS/Ops~${id}.md`]);
  assert.is(source.recordsOf('comments').length, 1);
});

test('refuses a wrong token', async () => {
  await using fake = await startFakeDataCenter();
  fake.world.tokens.clear();
  const source = await open(fake);
  const error = await rejection(() => source.sync());
  assert.match(error.message, 'does not accept the login');
});

await testConformance(
  test,
  async (work) => {
    await using fake = await startFakeDataCenter();
    const { world } = fake;
    const { id } = world.create('100% #1 ✨', '<p>one</p><p>two</p>');
    const plain = world.create('Plain', '<p>one</p><p>two</p>').id;
    const other = world.create('Files', '').id;
    const file = world.attach(other, '#1 50% ✨.txt', text);
    const comments = ['First', 'Second'].map((body) => world.comment(other, body).id);
    world.advance(hourMs);
    const pages = new Map([
      [`TRV/100% #1 ✨~${id}.md`, id],
      [`TRV/Plain~${plain}.md`, plain],
    ]);
    const config = settingsOf(fake);
    const secret = `secret-${randomUUID()}`;
    await work({
      plugin,
      target: 'confluence://acme',
      config,
      refused: [{ ...config, edition: 'server' }],
      http: connectorHttp(),
      objects: [
        ...[...pages].map(([path, page]) => ({
          path,
          bytes: Buffer.from(`# ${world.page(page).title}\n\none\n\ntwo\n`),
        })),
        { path: `TRV/Files~${other}.md`, bytes: Buffer.from('# Files\n\n\n') },
        { path: `attachments/${other}/att${file.id}-#1 50% ✨.txt`, bytes: Buffer.from(text) },
        { path: 'comments', records: comments.map((comment) => recordOf(fake, comment)) },
      ],
      absent: 'TRV/nothing.md',
      checkpoints: true,
      change: async (path) => {
        const page = pages.get(path);
        if (page !== undefined) world.edit(page, { body: '<p>longer than before</p>' });
        else world.replace(file.id, `${text}fourth line\n`);
      },
      remove: async (path) => {
        const page = pages.get(path);
        if (page !== undefined) world.trash(page);
        else world.attachments.delete(file.id);
      },
      replaceCredential: async () => {
        world.tokens.clear();
        world.tokens.add('new');
        return { token: 'new' };
      },
      unreachable: { config: { ...config, token: secret } },
      secret,
    });
  },
  [
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
  ],
);

test.run();
