import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  emptyPageFault,
  rateLimitFault,
  repeatedPageFault,
  serverErrorFault,
  truncatedFault,
} from '@trove/connector-kit/http/fake';
import { rejection } from '@trove/test-support/rejection.js';
import {
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

const test = suite('OneDrive connector');

const isDelta = ({ path }: { readonly path: string }): boolean => path.endsWith('/delta');

test('lists files in their folders, with the facts about them', () =>
  withDrive(async ({ fake: { world }, connector }) => {
    const outer = world.own.createFolder('Outer');
    const inner = world.own.createFolder('100% #1', outer.id);
    const file = world.own.create({ name: 'a.txt', parent: inner.id, content: 'alpha' });
    world.own.create({ name: 'Notes', kind: 'notebook' });
    world.own.create({ name: 'Theirs', kind: 'shortcut' });
    const entries = await entriesOf(connector);
    const found = entries.find(({ identity }) => identity === file.id);
    assert.ok(found);
    const { fingerprint, ...entry } = found;
    assert.match(String(fingerprint), /^[\w+/]{27}=$/);
    assert.equal(entry, {
      path: 'Outer/100% #1/a.txt',
      size: 5,
      modifiedAt: file.modifiedAt,
      mediaType: 'text/plain',
      identity: file.id,
      title: 'a.txt',
      url: `https://contoso-my.sharepoint.com/${file.id}`,
      author: 'Ann',
    });
    const reasons = new Map(entries.map(({ path, skip }) => [path, skip]));
    assert.match(String(reasons.get('Notes')), 'OneNote');
    assert.match(String(reasons.get('Theirs')), 'shortcut');
  }));

test('reads files and ranges without showing the token to their host', () =>
  withDrive(async ({ fake: { world, service, downloads }, connector }) => {
    world.own.create({ name: 'a b.txt', content: 'alphabet' });
    assert.is(await textAt(connector, 'a b.txt'), 'alphabet');
    assert.is(await textAt(connector, 'a b.txt', { start: 2, end: 5 }), 'pha');
    assert.is(downloads.exchanges.length, 2);
    for (const { request } of downloads.exchanges) {
      assert.is(request.headers['authorization'], undefined);
      assert.not.match(JSON.stringify(request.headers), /access-|token/);
    }
    await entriesOf(connector);
    service.forget();
    await textAt(connector, 'a b.txt');
    assert.is(service.exchanges.length, 1);
    assert.is((await rejection(() => textAt(connector, 'none.txt'))).code, 'not_found');
  }));

test('sends two requests to find that nothing has changed', () =>
  withDrive(async ({ fake, connector }) => {
    for (let index = 0; index < 450; index++) fake.world.own.create({ name: `${index}.txt` });
    const first = await changesSince(connector);
    assert.is(first.changes.length, 450);
    assert.equal(requestsOf(fake), [
      '/me/drive',
      ...Array.from({ length: 3 }, () => '/me/drive/root/delta'),
    ]);
    fake.service.forget();
    const second = await changesSince(connector, first.cursor);
    assert.equal(second.changes, []);
    assert.equal(requestsOf(fake), ['/me/drive', '/me/drive/root/delta']);
  }));

test('reports a changed, a renamed, a moved and a deleted file', () =>
  withDrive(async ({ fake: { world }, connector }) => {
    const folder = world.own.createFolder('Folder');
    const ids = ['a', 'b', 'c', 'd'].map((name) => world.own.create({ name: `${name}.txt` }).id);
    const { cursor } = await changesSince(connector);
    const [edited = '', renamed = '', moved = '', removed = ''] = ids;
    world.own.edit(edited, { content: 'new' });
    world.own.edit(renamed, { name: 'x.txt' });
    world.own.edit(renamed, { name: 'e.txt' });
    world.own.move(moved, folder.id);
    world.own.remove(removed);
    const { changes, cursor: next } = await changesSince(connector, cursor);
    assert.equal(pathsOf(changes), [
      'a.txt',
      'e.txt',
      'Folder/c.txt',
      '- b.txt',
      '- c.txt',
      '- d.txt',
    ]);
    assert.equal((await changesSince(connector, next)).changes, []);
  }));

test('keeps a path that another file takes over', () =>
  withDrive(async ({ fake: { world }, connector }) => {
    const old = world.own.create({ name: 'plan.txt' });
    const { cursor } = await changesSince(connector);
    world.own.edit(old.id, { name: 'old.txt' });
    world.own.create({ name: 'plan.txt' });
    const { changes } = await changesSince(connector, cursor);
    assert.equal(pathsOf(changes), ['old.txt', 'plan.txt']);
  }));

test('removes everything in a deleted folder of which it learns nothing else', () =>
  withDrive(async ({ fake: { world }, connector }) => {
    const folder = world.own.createFolder('Folder');
    world.own.create({ name: 'a.txt', parent: world.own.createFolder('Inner', folder.id).id });
    world.own.create({ name: 'b.txt' });
    const { cursor } = await changesSince(connector);
    world.own.remove(folder.id);
    const { changes } = await changesSince(connector, cursor);
    assert.equal(pathsOf(changes), ['- Folder/Inner/a.txt']);
  }));

test('moves everything below a moved or renamed folder', () =>
  withDrive(async ({ fake: { world }, connector }) => {
    const folder = world.own.createFolder('Folder');
    const file = world.own.create({ name: 'a.txt', parent: folder.id });
    const other = world.own.createFolder('Other');
    const { cursor } = await changesSince(connector);
    world.own.move(folder.id, other.id);
    const moved = await changesSince(connector, cursor);
    assert.equal(moved.changes[0], { reset: true });
    assert.equal(pathsOf(moved.changes.slice(1)), ['Other/Folder/a.txt']);
    world.own.edit(other.id, { name: 'Renamed' });
    const { changes } = await changesSince(connector, moved.cursor);
    const entries = changes.flatMap((change) => ('entry' in change ? [change.entry] : []));
    assert.equal(
      entries.map(({ path, identity }) => [path, identity]),
      [['Renamed/Folder/a.txt', file.id]],
    );
  }));

test('lists everything again when the service requires a resync', () =>
  withDrive(async ({ fake: { world }, connector }) => {
    const gone = world.own.create({ name: 'gone.txt' });
    world.own.create({ name: 'a.txt' });
    const { cursor } = await changesSince(connector);
    world.own.remove(gone.id);
    world.own.expireLinks();
    const { changes, cursor: next } = await changesSince(connector, cursor);
    assert.equal(changes[0], { reset: true });
    assert.equal(pathsOf(changes.slice(1)), ['a.txt']);
    assert.equal((await changesSince(connector, next)).changes, []);
  }));

test('starts over when a page link expires during a listing', () =>
  withDrive(async ({ fake: { world, service }, connector }) => {
    for (let index = 0; index < 250; index++) world.own.create({ name: `${index}.txt` });
    service.addFault({
      matches: ({ query }) => query.has('token'),
      apply: () => ({
        status: 410,
        json: { error: { code: 'resyncChangesApplyDifferences', message: 'Resync' } },
      }),
    });
    assert.is((await entriesOf(connector)).length, 250);
  }));

test('lists only what is below a folder', () =>
  withDrive(
    async ({ fake: { world }, connector }) => {
      const top = world.own.createFolder('Top');
      world.own.create({ name: 'in.txt', parent: world.own.createFolder('In', top.id).id });
      const out = world.own.create({ name: 'out.txt' });
      const { changes, cursor } = await changesSince(connector);
      assert.equal(pathsOf(changes), ['Top/In/in.txt']);
      world.own.move(out.id, top.id);
      assert.equal(pathsOf((await changesSince(connector, cursor)).changes), ['Top/out.txt']);
    },
    { folder: 'Top' },
  ));

test('fails retryably on faults, and then lists everything', () =>
  withDrive(async ({ fake, connector }) => {
    const { world, service, model } = fake;
    for (let index = 0; index < 650; index++) world.own.create({ name: `${index}.txt` });
    service.addFault(serverErrorFault(isDelta, 500));
    assert.is((await rejection(() => entriesOf(connector))).retryable, true);
    service.addFault(truncatedFault(isDelta));
    assert.is((await rejection(() => entriesOf(connector))).retryable, true);
    service.addFault({ matches: isDelta, apply: () => ({ json: {} }) });
    assert.match((await rejection(() => entriesOf(connector))).message, 'is not a list');
    const empty = (json: unknown): unknown => ({ ...Object(json), value: [] });
    service.addFault(emptyPageFault(({ query }) => query.has('token'), empty));
    assert.is((await entriesOf(connector)).length, 450);
    service.addFault(emptyPageFault(isDelta, empty));
    assert.match((await rejection(() => entriesOf(connector))).message, 'without its root');
    service.addFault(repeatedPageFault(isDelta));
    assert.is((await entriesOf(connector)).length, 650);
    service.addFault(rateLimitFault(model, isDelta, 60_000));
    const limited = await rejection(() => entriesOf(connector));
    assert.equal([limited.retryable, limited.retryAfterMs], [true, 60_000]);
  }));

test('refreshes an access token, and keeps the new refresh token', async () => {
  await withDrive(async ({ fake, connector }) => {
    fake.world.own.create({ name: 'a.txt' });
    assert.equal(await listedPaths(connector), ['a.txt']);
    fake.world.expireAccess();
    assert.equal(await listedPaths(connector), ['a.txt']);
    const sent = fake.service.exchanges
      .filter(({ request }) => request.path.endsWith('/token'))
      .map(({ request }) => Object(request.body).refresh_token);
    assert.is(sent.length, 2);
    assert.is(sent[0], 'refresh-1');
    assert.match(sent[1], /^0\.refresh-/);
  });
});

test('logs in as an app, and with an access token', () =>
  withDrive(async ({ fake }) => {
    fake.world.own.create({ name: 'a.txt' });
    const { refresh_token: _user, ...settings } = settingsFor(fake);
    const app = { ...settings, client_secret: 'secret-1', tenant: 'contoso.com' };
    for (const login of [
      { ...app, user: 'ann@contoso.com' },
      { ...settings, token: 'token-1' },
    ]) {
      const connector = await openDrive(login, {
        credentials: {
          login: JSON.stringify(login),
          get: (name) =>
            Promise.resolve(name in login ? String(Reflect.get(login, name)) : undefined),
          refresh: () => Promise.reject(new Error('There is no refresh token')),
        },
      });
      fake.world.accessTokens.add('token-1');
      assert.equal(await listedPaths(connector), ['a.txt']);
      await connector.close?.();
    }
  }));

test('checks the login and names the missing permission', () =>
  withDrive(async ({ fake, connector }) => {
    const health = async (): Promise<string> => {
      const found = await connector.check?.({ signal: neverAborted() });
      return `${found?.ok} ${found?.detail}`;
    };
    assert.is(await health(), 'true Connected to the drive of Ann.');
    fake.world.permissions.delete('Files.Read.All');
    assert.match(await health(), /^false .*the permission Files\.Read\.All/);
    fake.world.refreshTokens.clear();
    fake.world.expireAccess();
    const revoked = await health();
    assert.match(revoked, /^false .*AADSTS70008/);
    assert.match(revoked, 'trove-server connector login onedrive onedrive://ann');
    assert.is((await rejection(() => entriesOf(connector))).code, 'connector_unhealthy');
  }));

test.run();
