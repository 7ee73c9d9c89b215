import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import type { SourceRecord } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';

import { connectorHttp } from '@trove/test-support/connector-http.js';
import { rateLimitFault } from '@trove/connector-kit/http/fake';
import { rejection } from '@trove/test-support/rejection.js';
import { SyncedSource } from '@trove/test-support/synced-source.js';
import plugin from '../src/index.js';
import { startFakeGithub, type FakeGithub } from './fake.js';
import { open, target } from './source.js';

const test = suite('GitHub connector, discussions');
const hourMs = 3_600_000;

function textsOf(source: SyncedSource): string[] {
  return messages(source).map(({ text = '' }) => text);
}

function messages(source: SyncedSource): readonly SourceRecord[] {
  return source
    .recordsOf('discussions')
    .toSorted((a, b) => (String(a.text) < String(b.text) ? -1 : 1));
}

function queries({ service }: FakeGithub): number {
  return service.exchanges.filter(({ request }) => request.path === '/graphql').length;
}

test('reads discussions with their comments and replies as threads', async () => {
  await using fake = await startFakeGithub();
  const { discussions } = fake.world;
  const { number } = discussions.create('How do I start it?', 'It does nothing.');
  const first = discussions.comment(number, 'Press the button.');
  discussions.comment(number, 'Thanks!', first.id);
  discussions.editComment(first.id, { isAnswer: true });
  discussions.create('Without a text', '', null);
  const source = new SyncedSource(await open(fake));
  await source.sync();
  const threadFields = {
    number,
    state: 'open',
    category: 'Q&A',
    labels: ['help'],
    answered: true,
  };
  const found = messages(source);
  assert.equal(
    found.map(({ text, thread, author, fields }) => [text, thread, author, fields]),
    [
      ['It does nothing.', '1', 'ann', { type: 'discussion' }],
      ['Press the button.', '1', 'bob', { type: 'answer' }],
      ['Thanks!', '1', 'bob', { type: 'reply' }],
      ['Without a text', '2', undefined, { type: 'discussion' }],
    ],
  );
  assert.equal(found[0]?.threadFields, threadFields);
  assert.is(
    found[1]?.url,
    `https://github.com/acme/rocket/discussions/1#discussioncomment-${first.id}`,
  );
  assert.is(queries(fake), 1);
});

test('requests the comments of long discussions separately', async () => {
  await using fake = await startFakeGithub();
  const { discussions } = fake.world;
  const { number } = discussions.create('Long', 'Text');
  for (let index = 1; index <= 120; index++) discussions.comment(number, `Comment ${index}`);
  const deep = discussions.create('Deep', 'Text');
  const { id } = discussions.comment(deep.number, 'Why?');
  for (let index = 1; index <= 30; index++) discussions.comment(deep.number, `Reply ${index}`, id);
  const source = new SyncedSource(await open(fake));
  await source.sync();
  assert.is(source.recordsOf('discussions').length, 2 + 120 + 1 + 30);
  assert.is(queries(fake), 1 + 2 + 1);
});

test('reads pages of discussions, and one page if nothing has changed', async () => {
  await using fake = await startFakeGithub();
  const { discussions } = fake.world;
  for (let index = 1; index <= 120; index++) discussions.create(`Discussion ${index}`, 'Text');
  fake.world.advance(24 * hourMs);
  const source = new SyncedSource(await open(fake));
  await source.sync();
  assert.is(source.recordsOf('discussions').length, 120);
  assert.is(queries(fake), 3);
  fake.world.advance(24 * hourMs);
  fake.service.forget();
  await source.sync();
  assert.is(queries(fake), 1);
  assert.is(source.recordsOf('discussions').length, 120);
});

test('finds new, changed and deleted comments, and deleted discussions within a week', async () => {
  await using fake = await startFakeGithub();
  const { world } = fake;
  const { discussions } = world;
  const first = discussions.create('First', 'One');
  const second = discussions.create('Second', 'Two');
  const kept = discussions.comment(first.number, 'Old text');
  const removed = discussions.comment(first.number, 'To be deleted');
  const source = new SyncedSource(await open(fake));
  await source.sync();
  assert.equal(textsOf(source), ['Old text', 'One', 'To be deleted', 'Two']);
  world.advance(24 * hourMs);
  discussions.editComment(kept.id, { body: 'New text' });
  discussions.removeComment(removed.id);
  discussions.comment(first.number, 'A reply', kept.id);
  await source.sync();
  assert.equal(textsOf(source), ['A reply', 'New text', 'One', 'Two']);
  discussions.remove(second.number);
  world.advance(7 * 24 * hourMs);
  await source.sync();
  assert.equal(textsOf(source), ['A reply', 'New text', 'One']);
});

test('keeps what is indexed when the token may not read discussions any more', async () => {
  await using fake = await startFakeGithub();
  const { world } = fake;
  world.discussions.create('First', 'One');
  const source = new SyncedSource(await open(fake));
  await source.sync();
  world.advance(24 * hourMs);
  world.discussions.isAllowed = false;
  await source.sync();
  assert.equal(textsOf(source), ['One']);
  assert.match(source.warnings.join(), 'Discussions: read');
  world.advance(7 * 24 * hourMs);
  await source.sync();
  assert.equal(textsOf(source), ['One']);
});

test('names the permission that the token lacks', async () => {
  await using fake = await startFakeGithub();
  fake.world.discussions.create('First', 'One');
  fake.world.discussions.isAllowed = false;
  const source = new SyncedSource(await open(fake));
  const error = await rejection(() => source.sync());
  assert.match(error.message, 'Discussions: read');
});

test('requests no discussions without a token, with the setting, or of a repository without them', async () => {
  await using fake = await startFakeGithub();
  const { world, service } = fake;
  world.isPrivate = false;
  world.createIssue({ title: 'Public' });
  world.discussions.create('First', 'One');
  const config = configFor(plugin, { base_url: service.origin });
  const anonymous = await plugin.create(
    connectorContext({ config, target, http: connectorHttp() }),
  );
  for (const connector of [anonymous, await open(fake, { discussions: false })]) {
    const source = new SyncedSource(connector);
    await source.sync();
    assert.is(source.recordsOf('issues').length, 1);
    assert.is(source.recordsOf('discussions').length, 0);
  }
  world.discussions.isEnabled = false;
  await new SyncedSource(await open(fake)).sync();
  assert.is(queries(fake), 0);
});

test('waits when the service limits queries', async () => {
  await using fake = await startFakeGithub();
  const { world, service, model } = fake;
  world.discussions.create('First', 'One');
  service.addFault(rateLimitFault(model, ({ path }) => path === '/graphql', 1));
  const source = new SyncedSource(await open(fake));
  await source.sync();
  assert.equal(textsOf(source), ['One']);
});

test.run();
