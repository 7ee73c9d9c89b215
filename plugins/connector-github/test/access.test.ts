import type { Connector, Health } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { rateLimitFault, revokedTokenFault } from '@trove/connector-kit/http/fake';
import { rejection } from '@trove/test-support/rejection.js';
import { SyncedSource } from '@trove/test-support/synced-source.js';
import plugin from '../src/index.js';
import { startFakeGithub } from './fake.js';
import { open } from './source.js';

const test = suite('GitHub connector, access');

async function healthOf(connector: Connector): Promise<Health> {
  const health = await connector.check?.({ signal: new AbortController().signal });
  if (health === undefined) throw new Error('The connector has no `check`.');
  return health;
}

test('reports a repository that it can read', async () => {
  await using fake = await startFakeGithub();
  const health = await healthOf(await open(fake));
  assert.equal(health, { ok: true, detail: 'The repository can be read.' });
});

test('refuses a wrong token, also for a public repository', async () => {
  await using fake = await startFakeGithub();
  fake.world.isPrivate = false;
  const health = await healthOf(await open(fake, { token: 'token-wrong' }));
  assert.is(health.ok, false);
  assert.match(health.detail, 'Bad credentials');
  assert.not.match(health.detail, 'token-wrong');
});

test('reads a public repository without a token', async () => {
  await using fake = await startFakeGithub();
  fake.world.isPrivate = false;
  fake.world.createIssue({ title: 'Public' });
  const config = configFor(plugin, { base_url: fake.service.origin });
  const target = 'github://acme/rocket';
  const connector = await plugin.create(
    connectorContext({ config, target, http: connectorHttp() }),
  );
  const source = new SyncedSource(connector);
  await source.sync();
  assert.is(source.recordsOf('issues')[0]?.title, 'Public');
  const sent = fake.service.exchanges.map(({ request }) => request.headers['authorization']);
  assert.equal([...new Set(sent)], [undefined]);
});

test('names the repository in the settings for a target of your own', async () => {
  await using fake = await startFakeGithub();
  fake.world.createIssue({ title: 'Found' });
  const connector = await open(fake, { repository: 'acme/rocket' }, 'github://backlog');
  const source = new SyncedSource(connector);
  await source.sync();
  assert.is(source.recordsOf('issues')[0]?.title, 'Found');
});

test('says what to check when there is no such repository', async () => {
  await using fake = await startFakeGithub();
  const health = await healthOf(await open(fake, {}, 'github://acme/none'));
  assert.is(health.ok, false);
  assert.match(health.detail, 'GitHub shows no such repository');
});

test('names the permission that a token lacks', async () => {
  await using fake = await startFakeGithub();
  const { world } = fake;
  world.permissions.delete('issues');
  const health = await healthOf(await open(fake));
  assert.match(health.detail, 'The token lacks the permission "Issues: read"');
  world.permissions.add('issues').delete('pull_requests');
  const source = new SyncedSource(await open(fake));
  const error = await rejection(() => source.sync());
  assert.is(error.pluginCode, 'github.missing_permission');
  assert.match(error.message, '"Pull requests: read"');
});

test('reports when a limited service may be asked again', async () => {
  await using fake = await startFakeGithub();
  const { service, model, world } = fake;
  world.limitForm = 'primary';
  service.addFault(rateLimitFault(model, () => true, 1_800_000));
  const health = await healthOf(await open(fake));
  assert.is(health.ok, false);
  const waitMs = health.retryAfterMs ?? 0;
  assert.ok(waitMs > 1_790_000 && waitMs <= 1_801_000, String(waitMs));
});

test('ends a listing when the token is revoked', async () => {
  await using fake = await startFakeGithub();
  const { service, model, world } = fake;
  for (let index = 1; index <= 150; index++) world.createIssue({ title: `Issue ${index}` });
  const connector = await open(fake);
  service.addFault(revokedTokenFault(model, ({ query }) => query.get('page') === '2', 0));
  const error = await rejection(() => new SyncedSource(connector).sync());
  assert.match(error.message, 'Bad credentials');
  assert.is(error.retryable, false);
});

test('reads releases and warns when issues are disabled', async () => {
  await using fake = await startFakeGithub();
  fake.world.hasIssues = false;
  const connector = await open(fake);
  assert.is((await healthOf(connector)).ok, true);
  const signal = new AbortController().signal;
  const cursors: unknown[] = [];
  const commit = (cursor: unknown): void => void cursors.push(cursor);
  await collect(connector.changes?.({ cursor: undefined, commit, signal }));
  const warnings: string[] = [];
  const warn = (sentence: string): void => void warnings.push(sentence);
  await collect(connector.changes?.({ cursor: cursors.at(-1), commit, warn, signal }));
  assert.match(warnings.join('\n'), 'Issues are disabled in this repository');
});

test('reads the thread of an issue without the listing', async () => {
  await using fake = await startFakeGithub();
  const { world, service } = fake;
  for (const title of ['First', 'Second']) world.createIssue({ title });
  world.comment(2, { body: 'A comment' });
  const connector = await open(fake);
  const { signal } = new AbortController();
  const found = await collect(connector.records?.('issues', { thread: '2', signal }));
  assert.equal(
    found.map(({ title, text }) => title ?? text),
    ['Second', 'A comment'],
  );
  assert.not.ok(service.exchanges.some(({ request }) => request.path.endsWith('/issues/comments')));
});

test.run();
