import { generateKeyPairSync } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rateLimitFault, serverErrorFault, truncatedFault } from '@trove/connector-kit/http/fake';
import { rejection } from '@trove/test-support/rejection.js';
import { configFor, connectorContext } from '@trove/testkit';
import plugin from '../src/index.js';
import { startFakeGmail } from './fake.js';
import {
  addressesOf,
  changesSince,
  neverAborted,
  openMailbox,
  recordsOf,
  requestsOf,
  settingsFor,
  target,
  textAt,
  textsOf,
  withMailbox,
} from './source.js';

const test = suite('Gmail connector');

test('makes a record of a message, with its labels and its thread', () =>
  withMailbox(async ({ fake: { world }, connector }) => {
    const label = world.addLabel('Projects/Rocket');
    const first = world.deliver({ subject: 'Launch', text: 'We launch on Friday.' });
    const reply = world.deliver({
      subject: 'Re: Launch',
      text: 'Fine.',
      replyTo: first,
      from: 'Ann <ann@example.com>',
      labels: ['SENT', 'STARRED', label],
      files: { 'plan.txt': 'The plan' },
    });
    const [answered, asked] = await recordsOf(connector);
    assert.equal(
      [asked?.title, asked?.text, asked?.thread, asked?.fields['labels']],
      ['Launch', 'We launch on Friday.', first.id, ['INBOX']],
    );
    assert.equal(answered, {
      key: { id: reply.id },
      fields: {
        id: reply.id,
        subject: 'Re: Launch',
        from: 'Ann <ann@example.com>',
        to: ['Ann <ann@example.com>'],
        date: '2026-03-02T10:00:00.000Z',
        message_id: reply.messageId,
        flags: ['flagged'],
        labels: ['Projects/Rocket', 'SENT', 'STARRED'],
      },
      text: 'Fine.\n\nAttachments: plan.txt',
      version: '["Projects/Rocket","SENT","STARRED"]',
      title: 'Re: Launch',
      url: `https://mail.google.com/mail/u/0/#all/${reply.id}`,
      author: 'Ann',
      at: world.now,
      thread: first.id,
      attachments: [`attachments/${reply.id}/plan.txt`],
    });
  }));

test('lists and reads attachments', () =>
  withMailbox(async ({ fake, connector }) => {
    const { world, service } = fake;
    world.deliver();
    const { id } = world.deliver({ files: { 'a.txt': 'alpha', 'b.txt': 'beta' } });
    const { changes } = await changesSince(connector);
    assert.equal(textsOf(changes), [
      'messages.jsonl',
      `attachments/${id}/a.txt`,
      `attachments/${id}/b.txt`,
    ]);
    service.forget();
    assert.is(await textAt(connector, `attachments/${id}/a.txt`), 'alpha');
    assert.is(await textAt(connector, `attachments/${id}/b.txt`), 'beta');
    assert.equal(requestsOf(fake), [`/messages/${id}`]);
    for (const path of [`attachments/${id}/c.txt`, 'attachments/none/a.txt', 'none'])
      assert.is((await rejection(() => textAt(connector, path))).code, 'not_found');
  }));

test('sends two requests to find that nothing has changed', () =>
  withMailbox(async ({ fake, connector }) => {
    for (let index = 0; index < 600; index++) fake.world.deliver();
    const { cursor } = await changesSince(connector);
    assert.equal(requestsOf(fake), ['/profile', '/profile', '/messages']);
    fake.service.forget();
    assert.equal((await changesSince(connector, cursor)).changes, []);
    assert.equal(requestsOf(fake), ['/profile', '/history']);
  }));

test('reports new messages, late replies, and deletions with their attachments', () =>
  withMailbox(async ({ fake: { world }, connector }) => {
    const old = world.deliver({ files: { 'a.txt': 'alpha' } });
    const { cursor } = await changesSince(connector);
    world.advance(30 * 86_400_000);
    const reply = world.deliver({ replyTo: old, files: { 'b.txt': 'beta' } });
    const next = await changesSince(connector, cursor);
    assert.equal(textsOf(next.changes), [`attachments/${reply.id}/b.txt`, `record ${reply.id}`]);
    const thread = await recordsOf(connector, { thread: old.id });
    assert.equal(
      thread.map(({ key }) => key['id']),
      [old.id, reply.id],
    );
    world.remove(old.id);
    const last = await changesSince(connector, next.cursor);
    assert.equal(textsOf(last.changes), [`- attachments/${old.id}/a.txt`, `- record ${old.id}`]);
    assert.equal((await changesSince(connector, last.cursor)).changes, []);
  }));

test('reports a changed label as a change, and ignores that a message was read', () =>
  withMailbox(async ({ fake, connector }) => {
    const { world, service } = fake;
    const label = world.addLabel('Travel');
    const { id } = world.deliver({ files: { 'a.txt': 'alpha' } });
    const { cursor } = await changesSince(connector);
    world.removeLabels(id, 'UNREAD');
    service.forget();
    const read = await changesSince(connector, cursor);
    assert.equal(read.changes, []);
    assert.equal(requestsOf(fake), ['/profile', '/history']);
    world.addLabels(id, label);
    world.removeLabels(id, 'INBOX');
    const { changes } = await changesSince(connector, read.cursor);
    assert.equal(textsOf(changes), [`record ${id}`]);
    const [change] = changes;
    assert.ok(change !== undefined && 'records' in change);
    assert.equal(change.records[0]?.fields['labels'], ['Travel']);
  }));

test('removes a message in the trash or in spam, and finds it when it is restored', () =>
  withMailbox(async ({ fake: { world }, connector }) => {
    const { id } = world.deliver({ files: { 'a.txt': 'alpha' } });
    const junk = world.deliver();
    const { cursor } = await changesSince(connector);
    world.trash(id);
    world.addLabels(junk.id, 'SPAM');
    const trashed = await changesSince(connector, cursor);
    assert.equal(textsOf(trashed.changes), [
      `- attachments/${id}/a.txt`,
      `- record ${id}`,
      `- record ${junk.id}`,
    ]);
    assert.equal(await recordsOf(connector), []);
    assert.equal(await recordsOf(connector, { key: { id } }), []);
    world.restore(id);
    const restored = await changesSince(connector, trashed.cursor);
    assert.equal(textsOf(restored.changes), [`attachments/${id}/a.txt`, `record ${id}`]);
  }));

test('lists everything again when the history is too old', () =>
  withMailbox(async ({ fake: { world }, connector }) => {
    const gone = world.deliver({ files: { 'a.txt': 'alpha' } });
    world.deliver();
    const { cursor } = await changesSince(connector);
    world.remove(gone.id);
    world.expireHistory();
    const { changes, cursor: next } = await changesSince(connector, cursor);
    assert.equal(changes[0], { reset: true });
    assert.equal(textsOf(changes.slice(1)), ['messages.jsonl']);
    assert.equal((await changesSince(connector, next)).changes, []);
  }));

test('finds a message that arrives during the listing', () =>
  withMailbox(async ({ fake: { world, service }, connector }) => {
    world.deliver({ files: { 'a.txt': 'alpha' } });
    let late = '';
    service.addFault({
      matches: ({ path }) => path.endsWith('/messages'),
      apply: async (_request, normal) => {
        const answer = await normal();
        late = world.deliver().id;
        return answer;
      },
    });
    const { cursor } = await changesSince(connector);
    assert.equal(textsOf((await changesSince(connector, cursor)).changes), [`record ${late}`]);
  }));

test('reads a history whose pages have no records', () =>
  withMailbox(async ({ fake: { world, service }, connector }) => {
    const { cursor } = await changesSince(connector);
    const ids = Array.from({ length: 700 }, () => world.deliver().id);
    service.addFault({
      matches: ({ path }) => path.endsWith('/history'),
      apply: async (_request, normal) => {
        const { json } = await normal();
        const { history: _left, ...rest } = Object(json);
        return { json: rest };
      },
    });
    const { changes } = await changesSince(connector, cursor);
    assert.equal(
      textsOf(changes),
      ids.slice(500).map((id) => `record ${id}`),
    );
  }));

test('continues records after a rate limit without requesting a page twice', () =>
  withMailbox(async ({ fake }) => {
    const { world, service, model } = fake;
    world.limitStatus = 403;
    for (let index = 0; index < 505; index++) world.deliver();
    const settings = settingsFor(fake);
    const seen = new Set<unknown>();
    let resume: unknown;
    const run = async (login: string): Promise<void> => {
      const connector = await openMailbox(settings, {
        credentials: {
          login,
          get: (name) => Promise.resolve(name in settings ? String(settings[name]) : undefined),
          refresh: (_name, renew) => renew('refresh-1'),
        },
      });
      try {
        for await (const item of connector.records?.('messages.jsonl', {
          signal: neverAborted(),
          resume,
        }) ?? [])
          if ('checkpoint' in item) ({ checkpoint: resume } = item);
          else seen.add(item.key['id']);
      } finally {
        await connector.close?.();
      }
    };
    service.addFault(rateLimitFault(model, ({ query }) => query.has('pageToken'), 60_000));
    const error = await rejection(() => run('first'));
    assert.equal([error.retryable, error.code], [true, 'rate_limited']);
    await run('second');
    assert.is(seen.size, 505);
    const pages = service.exchanges.filter(
      ({ request, status }) => status === 200 && request.path.endsWith('/messages'),
    );
    assert.is(pages.length, 2);
  }));

test('fails retryably on faults', () =>
  withMailbox(async ({ fake: { world, service }, connector }) => {
    for (let index = 0; index < 3; index++) world.deliver();
    const isMessage = ({ path }: { readonly path: string }): boolean => /\/messages\/\w/.test(path);
    service.addFault(serverErrorFault(isMessage, 500));
    assert.is((await rejection(() => recordsOf(connector))).retryable, true);
    service.addFault(truncatedFault(isMessage));
    assert.is((await rejection(() => recordsOf(connector))).retryable, true);
    assert.is((await recordsOf(connector)).length, 3);
  }));

test('indexes only the messages of a label', () =>
  withMailbox(
    async ({ fake: { world }, connector }) => {
      const label = world.addLabel('Rocket');
      const inside = world.deliver({ labels: [label] });
      const outside = world.deliver();
      const { cursor } = await changesSince(connector);
      assert.equal(
        (await recordsOf(connector)).map(({ key }) => key['id']),
        [inside.id],
      );
      world.addLabels(outside.id, label);
      world.removeLabels(inside.id, label);
      assert.equal(textsOf((await changesSince(connector, cursor)).changes), [
        `record ${outside.id}`,
        `- record ${inside.id}`,
      ]);
    },
    { label: 'Rocket' },
  ));

test('names the labels when the configured one does not exist', () =>
  withMailbox(
    async ({ fake: { world }, connector }) => {
      world.addLabel('Rocket');
      const error = await rejection(() => recordsOf(connector));
      assert.is(error.code, 'config_invalid');
      assert.match(error.suggestions.join(), 'Rocket');
    },
    { label: 'Rokcet' },
  ));

test('uses the time of arrival for a message with an invalid date', () =>
  withMailbox(async ({ fake: { world }, connector }) => {
    world.deliver({ date: 'yesterday' });
    const [record] = await recordsOf(connector);
    assert.is(record?.at, world.now);
  }));

test('logs in as a service account that acts for a user', async () => {
  await using fake = await startFakeGmail();
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  fake.world.serviceAccountKey = String(publicKey.export({ type: 'spki', format: 'pem' }));
  fake.world.deliver();
  const key = JSON.stringify({
    client_email: 'robot@example.com',
    private_key_id: 'key-1',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  });
  const settings = { ...addressesOf(fake), service_account_key: key, account: 'ann@example.com' };
  const connector = await openMailbox(settings);
  const [record] = await recordsOf(connector);
  assert.match(String(record?.url), '/u/?authuser=ann%40example.com#all/');
  await connector.close?.();
});

test('people log in only in a browser', async () => {
  const config = configFor(plugin, { client_id: 'client-1', client_secret: 'secret-1' });
  const login = await plugin.login?.(connectorContext({ target, config }));
  assert.is(login?.authorizeUrl, 'https://accounts.google.com/o/oauth2/v2/auth');
  assert.is(login?.deviceUrl, undefined);
});

test('checks the login and names the missing scope', () =>
  withMailbox(async ({ fake, connector }) => {
    const health = async (): Promise<string> => {
      const found = await connector.check?.({ signal: neverAborted() });
      return `${found?.ok} ${found?.detail}`;
    };
    assert.is(await health(), 'true Connected as ann@example.com.');
    fake.world.hasScope = false;
    assert.match(await health(), /^false .*lacks the scope .*gmail\.readonly/);
    fake.world.refreshTokens.clear();
    fake.world.expireAccess();
    const revoked = await health();
    assert.match(revoked, /^false .*Token has been expired or revoked/);
    assert.match(revoked, 'trove-server connector login gmail gmail://ann');
    assert.is((await rejection(() => changesSince(connector))).code, 'connector_unhealthy');
  }));

test('fails for a message without its content, and leaves out a chat', () =>
  withMailbox(async ({ fake: { world, service }, connector }) => {
    const { id } = world.deliver();
    const { cursor } = await changesSince(connector);
    world.addLabels(id, 'STARRED');
    const respond = (labelIds: readonly string[]): void =>
      service.addFault({
        matches: ({ path }) => path.endsWith(`/messages/${id}`),
        apply: () => ({ json: { id, threadId: id, labelIds } }),
      });
    respond(['INBOX']);
    const error = await rejection(() => changesSince(connector, cursor));
    assert.equal([error.code, error.retryable], ['connector_unhealthy', true]);
    assert.match(error.message, `the message ${id} without its content`);
    respond(['CHAT']);
    const { changes } = await changesSince(connector, cursor);
    assert.equal(textsOf(changes), [`- record ${id}`]);
  }));

test.run();
