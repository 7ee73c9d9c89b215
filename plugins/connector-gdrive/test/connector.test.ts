import { generateKeyPairSync } from 'node:crypto';
import type { Connector } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  emptyPageFault,
  rateLimitFault,
  revokedTokenFault,
  serverErrorFault,
} from '@trove/connector-kit/http/fake';
import { rejection } from '@trove/test-support/rejection.js';
import { startFakeDrive } from './fake.js';
import { documentType, shortcutType } from './fake/world.js';
import {
  addressesOf,
  changesSince,
  entriesOf,
  listedPaths,
  neverAborted,
  openDrive,
  pathsOf,
  requestsOf,
  settingsFor,
  textAt,
  withDrive,
} from './source.js';

const test = suite('Google Drive connector');

test('lists files in their folders, with the facts about them', () =>
  withDrive(async ({ fake: { world }, connector }) => {
    const outer = world.createFolder('Outer');
    const inner = world.createFolder('In/ner', { parent: outer.id });
    const file = world.create({ name: 'a.txt', parent: inner.id, content: 'alpha' });
    world.create({ name: 'Doc', mimeType: documentType, content: '# Doc' });
    world.create({ name: 'from Bob.txt', parent: null });
    const entries = await entriesOf(connector);
    assert.equal(entries.map(({ path }) => path).toSorted(), [
      'Doc.md',
      'Outer/In∕ner/a.txt',
      'Shared with me/from Bob.txt',
    ]);
    const { fingerprint, ...entry } = entries.find(({ identity }) => identity === file.id) ?? {};
    assert.match(String(fingerprint), /^[0-9a-f]{32}$/);
    assert.equal(entry, {
      path: 'Outer/In∕ner/a.txt',
      size: 5,
      modifiedAt: file.modifiedAt,
      mediaType: 'text/plain',
      identity: file.id,
      title: 'a.txt',
      url: `https://drive.google.com/file/d/${file.id}/view`,
      author: 'Ann',
    });
    const document = entries.find(({ title }) => title === 'Doc');
    assert.equal([document?.mediaType, document?.size], ['text/markdown', null]);
  }));

test('states why it does not index shortcuts, forms and protected files', () =>
  withDrive(async ({ fake: { world }, connector }) => {
    const file = world.create({ name: 'a.txt', canDownload: false });
    world.create({ name: 'to a', mimeType: shortcutType, targetId: file.id });
    world.create({ name: 'form', mimeType: 'application/vnd.google-apps.form' });
    const reasons = new Map((await entriesOf(connector)).map(({ path, skip }) => [path, skip]));
    assert.match(String(reasons.get('a.txt')), 'does not allow downloads');
    assert.match(String(reasons.get('to a')), 'A shortcut');
    assert.match(String(reasons.get('form')), 'exports no form');
  }));

test('reads files, ranges of them, and exported documents', () =>
  withDrive(async ({ fake: { world, service }, connector }) => {
    world.create({ name: 'a.txt', content: 'alphabet' });
    world.create({ name: 'Doc', mimeType: documentType, content: '# Doc' });
    await entriesOf(connector);
    service.forget();
    assert.is(await textAt(connector, 'a.txt'), 'alphabet');
    assert.is(await textAt(connector, 'a.txt', { start: 2, end: 5 }), 'pha');
    assert.is(await textAt(connector, 'Doc.md'), '# Doc');
    assert.is(service.exchanges.length, 3);
  }));

test('names the reason why a document cannot be exported', () =>
  withDrive(async ({ fake: { world }, connector }) => {
    world.create({ name: 'Doc', mimeType: documentType, content: '# A long document' });
    await entriesOf(connector);
    world.maxExportBytes = 2;
    const error = await rejection(() => textAt(connector, 'Doc.md'));
    assert.is(error.pluginCode, 'gdrive.export_too_large');
    assert.is(error.retryable, false);
    assert.match(error.message, '10 MB');
  }));

test('sends two requests to find that nothing has changed', () =>
  withDrive(async ({ fake, connector }) => {
    for (let index = 0; index < 1500; index++) fake.world.create({ name: `${index}.txt` });
    const first = await changesSince(connector);
    assert.is(first.changes.length, 1500);
    // The change token comes before the listing.
    assert.equal(requestsOf(fake), [
      '/about',
      '/changes/startPageToken',
      '/files',
      '/files/root',
      '/files',
      '/files',
    ]);
    fake.service.forget();
    const second = await changesSince(connector, first.cursor);
    assert.equal(second.changes, []);
    assert.equal(requestsOf(fake), ['/about', '/changes']);
  }));

test('reports a changed, a renamed, a trashed and a removed file', () =>
  withDrive(async ({ fake: { world }, connector }) => {
    const [edited, renamed, trashed, removed] = ['a', 'b', 'c', 'd'].map((name) =>
      world.create({ name: `${name}.txt`, content: name }),
    );
    const { cursor } = await changesSince(connector);
    world.edit(edited?.id ?? '', { content: 'new' });
    world.edit(renamed?.id ?? '', { name: 'e.txt' });
    world.trash(trashed?.id ?? '');
    world.remove(removed?.id ?? '');
    const { changes } = await changesSince(connector, cursor);
    assert.equal(pathsOf(changes), ['a.txt', 'e.txt', '- b.txt', '- c.txt', '- d.txt']);
  }));

test('finds a file that changes or appears while it lists', () =>
  withDrive(async ({ fake: { world, service }, connector }) => {
    world.create({ name: 'a.txt' });
    service.addFault({
      matches: ({ path, query }) =>
        path.endsWith('/files') && query.get('q')?.includes('!=') === true,
      apply: async (_request, normal) => {
        const answer = await normal();
        world.create({ name: 'late.txt' });
        return answer;
      },
    });
    const { changes, cursor } = await changesSince(connector);
    assert.equal(pathsOf(changes), ['a.txt']);
    assert.equal(pathsOf((await changesSince(connector, cursor)).changes), ['late.txt']);
  }));

test('lists everything again after the change token has expired', () =>
  withDrive(async ({ fake: { world }, connector }) => {
    world.create({ name: 'a.txt' });
    const { cursor } = await changesSince(connector);
    world.expireChanges();
    const { changes, cursor: next } = await changesSince(connector, cursor);
    assert.equal(changes[0], { reset: true });
    assert.equal(pathsOf(changes.slice(1)), ['a.txt']);
    assert.equal((await changesSince(connector, next)).changes, []);
  }));

test('requests no page twice under a rate limit', () =>
  withDrive(async ({ fake, connector }) => {
    for (let index = 0; index < 2500; index++) fake.world.create({ name: `${index}.txt` });
    fake.service.addFault(
      rateLimitFault(fake.model, ({ query }) => query.has('pageToken'), 60_000),
    );
    let checkpoint: unknown;
    const seen = new Set<string>();
    const run = async (from: Connector): Promise<void> => {
      for await (const item of from.list({ signal: neverAborted(), resume: checkpoint }))
        if ('checkpoint' in item) ({ checkpoint } = item);
        else seen.add(item.path);
    };
    const error = await rejection(() => run(connector));
    assert.is(error.retryable, true);
    assert.is(error.retryAfterMs, 60_000);
    // Another login is not paused, so the test need not wait.
    const settings: Readonly<Record<string, unknown>> = settingsFor(fake);
    const other = await openDrive(settingsFor(fake), {
      credentials: {
        login: 'another login',
        get: (name) => Promise.resolve(name in settings ? String(settings[name]) : undefined),
        refresh: (_name, renew) => renew('refresh-1'),
      },
    });
    await run(other);
    await other.close?.();
    assert.is(seen.size, 2500);
    const pages = fake.service.exchanges
      .filter(({ request, status }) => status === 200 && request.query.get('q')?.includes('!='))
      .map(({ request }) => request.query.get('pageToken'));
    assert.is(pages.length, 3);
    assert.is(new Set(pages).size, 3);
  }));

test('fails retryably on a server error and continues after an empty page', () =>
  withDrive(async ({ fake, connector }) => {
    fake.world.create({ name: 'a.txt' });
    const isFiles = ({ path }: { readonly path: string }): boolean => path.endsWith('/files');
    fake.service.addFault(serverErrorFault(isFiles, 500));
    assert.equal(await listedPaths(connector), ['a.txt']);
    assert.is((await rejection(() => entriesOf(connector))).retryable, true);
    assert.equal(await listedPaths(connector), ['a.txt']);
    for (let index = 0; index < 1000; index++) fake.world.create({ name: `${index}.txt` });
    fake.service.addFault(
      emptyPageFault(
        ({ query }) => query.get('q')?.includes('!=') === true,
        (json) => ({ ...Object(json), files: [] }),
      ),
    );
    assert.is((await entriesOf(connector)).length, 1);
  }));

test('fails when an answer has no list', () =>
  withDrive(async ({ fake: { world, service }, connector }) => {
    world.create({ name: 'a.txt' });
    for (const kind of [' = ', ' != ']) {
      service.addFault({
        matches: ({ query }) => query.get('q')?.startsWith(`mimeType${kind}`) === true,
        apply: () => ({ json: {} }),
      });
      const error = await rejection(() => entriesOf(connector));
      assert.is(error.retryable, true);
      assert.match(error.message, 'is not a list');
    }
    assert.equal(await listedPaths(connector), ['a.txt']);
  }));

test('refreshes an access token that is refused in the middle', () =>
  withDrive(async ({ fake, connector }) => {
    fake.world.create({ name: 'a.txt' });
    await entriesOf(connector);
    fake.world.expireAccess();
    assert.equal(await listedPaths(connector), ['a.txt']);
    fake.service.addFault(revokedTokenFault(fake.model, ({ path }) => path.endsWith('/files'), 0));
    assert.match((await rejection(() => entriesOf(connector))).message, 'HTTP 401');
  }));

test('keeps a rotated refresh token', async () => {
  await using fake = await startFakeDrive();
  fake.world.rotates = true;
  fake.world.create({ name: 'a.txt' });
  const values = new Map(
    Object.entries(settingsFor(fake)).map(([name, value]) => [name, String(value)]),
  );
  const credentials = {
    login: 'rotating login',
    get: (name: string) => Promise.resolve(values.get(name)),
    refresh: async (name: string, renew: (token: string) => Promise<string>) => {
      const token = await renew(values.get(name) ?? '');
      values.set(name, token);
      return token;
    },
  };
  const connector = await openDrive(settingsFor(fake), { credentials });
  assert.equal(await listedPaths(connector), ['a.txt']);
  assert.ok(fake.world.refreshTokens.has(values.get('refresh_token') ?? ''));
  assert.is.not(values.get('refresh_token'), 'refresh-1');
  fake.world.expireAccess();
  assert.equal(await listedPaths(connector), ['a.txt']);
  await connector.close?.();
});

test('logs in as a service account with a signed token', async () => {
  await using fake = await startFakeDrive();
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' });
  fake.world.serviceAccountKey = String(publicPem);
  fake.world.create({ name: 'a.txt' });
  const key = JSON.stringify({
    type: 'service_account',
    client_email: 'robot@example.com',
    private_key_id: 'key-1',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  });
  const settings = { ...addressesOf(fake), service_account_key: key, subject: 'ann@example.com' };
  const connector = await openDrive(settings);
  assert.equal(await listedPaths(connector), ['a.txt']);
  await connector.close?.();
});

test('checks the login, its scope and the settings', () =>
  withDrive(async ({ fake, connector }) => {
    const health = async (checked: Connector): Promise<string> => {
      const found = await checked.check?.({ signal: neverAborted() });
      return `${found?.ok} ${found?.detail}`;
    };
    assert.is(await health(connector), 'true Connected as ann@example.com.');
    fake.world.hasScope = false;
    assert.match(await health(connector), /^false .*lacks the scope .*drive\.readonly/);
    fake.world.refreshTokens.clear();
    fake.world.expireAccess();
    const command = 'trove-server connector login gdrive gdrive://ann';
    const revoked = await health(connector);
    assert.match(revoked, /^false .*Token has been expired or revoked/);
    assert.ok(revoked.includes(`\`${command}\``), revoked);
    assert.is((await rejection(() => entriesOf(connector))).code, 'connector_unhealthy');
    const bare = await openDrive(addressesOf(fake));
    const absent = await health(bare);
    assert.match(absent, /^false .*`refresh_token`/);
    assert.ok(absent.includes(command), absent);
    await bare.close?.();
  }));

test.run();
