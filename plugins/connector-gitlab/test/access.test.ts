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
import { startFakeGitlab } from './fake.js';
import { open, target } from './source.js';

const test = suite('GitLab connector, access');

async function healthOf(connector: Connector): Promise<Health> {
  const health = await connector.check?.({ signal: new AbortController().signal });
  if (health === undefined) throw new Error('The connector has no `check`.');
  return health;
}

test('reports the project that it can read', async () => {
  await using fake = await startFakeGitlab();
  const health = await healthOf(await open(fake));
  assert.equal(health, { ok: true, detail: 'Can read acme/tools/rocket.' });
});

test('refuses a wrong token', async () => {
  await using fake = await startFakeGitlab();
  const health = await healthOf(await open(fake, { token: 'token-wrong' }));
  assert.is(health.ok, false);
  assert.match(health.detail, '401 Unauthorized');
  assert.not.match(health.detail, 'token-wrong');
});

test('reads a public project without a token', async () => {
  await using fake = await startFakeGitlab();
  fake.world.isPublic = true;
  fake.world.create('issue', { title: 'Public' });
  const config = configFor(plugin, { base_url: fake.service.origin });
  const connector = await plugin.create(
    connectorContext({ config, target, http: connectorHttp() }),
  );
  const source = new SyncedSource(connector);
  await source.sync();
  assert.is(source.recordsOf('issues')[0]?.title, 'Public');
});

test('names the project in the settings for a target of your own', async () => {
  await using fake = await startFakeGitlab();
  fake.world.create('issue', { title: 'Found' });
  const connector = await open(fake, { project: 'acme/tools/rocket' }, 'gitlab://backlog');
  const source = new SyncedSource(connector);
  await source.sync();
  assert.is(source.recordsOf('issues')[0]?.title, 'Found');
});

test('says what to check when there is no such project', async () => {
  await using fake = await startFakeGitlab();
  const health = await healthOf(await open(fake, {}, 'gitlab://acme/none'));
  assert.is(health.ok, false);
  assert.match(health.detail, 'GitLab shows no such project');
});

test('names the scope that a token lacks', async () => {
  await using fake = await startFakeGitlab();
  fake.world.hasScope = false;
  const health = await healthOf(await open(fake));
  assert.match(health.detail, 'Create a token with `read_api`');
  assert.match(health.detail, 'api read_api');
  const error = await rejection(async () => new SyncedSource(await open(fake)).sync());
  assert.is(error.pluginCode, 'gitlab.missing_scope');
});

test('reports when a limited service may be asked again', async () => {
  await using fake = await startFakeGitlab();
  const { service, model } = fake;
  service.addFault(rateLimitFault(model, () => true, 60_000));
  const health = await healthOf(await open(fake));
  assert.is(health.ok, false);
  assert.is(health.retryAfterMs, 60_000);
});

test('ends a listing when the token is revoked', async () => {
  await using fake = await startFakeGitlab();
  const { service, model, world } = fake;
  world.create('issue', { title: 'One' });
  const connector = await open(fake);
  service.addFault(revokedTokenFault(model, ({ path }) => path.endsWith('/issues'), 0));
  const error = await rejection(() => new SyncedSource(connector).sync());
  assert.match(error.message, 'Token was revoked');
  assert.is(error.retryable, false);
});

test('warns when merge requests are disabled', async () => {
  await using fake = await startFakeGitlab();
  fake.world.enabled.merge_request = false;
  const source = new SyncedSource(await open(fake));
  await source.sync();
  await source.sync();
  assert.match(source.warnings.join('\n'), 'The merge requests of the project are disabled');
});

test('syncs issues and keeps the known releases when releases are disabled', async () => {
  await using fake = await startFakeGitlab();
  const { world } = fake;
  world.release('v1', 'First');
  const source = new SyncedSource(await open(fake));
  await source.sync();
  world.enabled.release = false;
  world.create('issue', { title: 'Later' });
  await source.sync();
  assert.match(source.warnings.join('\n'), 'The releases of the project are disabled');
  assert.is(source.recordsOf('issues')[0]?.title, 'Later');
  assert.equal([...source.entries.keys()].toSorted(), [
    'issues',
    'merge_requests',
    'releases/v1.md',
  ]);
});

test('reads the thread of an issue, and a single note, without the listing', async () => {
  await using fake = await startFakeGitlab();
  const { world, service } = fake;
  for (const title of ['First', 'Second']) world.create('issue', { title });
  const note = world.note('issue', 2, 'A comment');
  const connector = await open(fake);
  const { signal } = new AbortController();
  const found = await collect(connector.records?.('issues', { thread: '2', signal }));
  assert.equal(
    found.map(({ title, text }) => title ?? text),
    ['Second', 'A comment'],
  );
  const key = { stream: 'issues_notes', iid: 2, id: note.id };
  const [single] = await collect(connector.records?.('issues', { key, signal }));
  assert.is(single?.text, 'A comment');
  assert.not.ok(service.exchanges.some(({ request }) => request.path.endsWith('/issues')));
});

test.run();
