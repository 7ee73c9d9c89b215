import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rateLimitFault, serverErrorFault, truncatedFault } from '@trove/connector-kit/http/fake';
import { rejection } from '@trove/test-support/rejection.js';
import { problem } from './fake/problems.js';
import { openMailbox, recordsOf, textsOf, withMailbox } from './mail-source.js';
import { changesSince, neverAborted, requestsOf, settingsFor, textAt } from './source.js';

const test = suite('Outlook connector');

test('makes a record of a message, with its folder and its conversation', () =>
  withMailbox(async ({ fake: { world }, connector }) => {
    const { mail } = world;
    const sent = mail.addFolder('Sent Items');
    const asked = mail.deliver({ subject: 'Launch', text: 'We launch on Friday.' });
    const reply = mail.deliver({
      subject: 'Re: Launch',
      text: 'Fine.',
      from: 'Ann <ann@contoso.com>',
      replyTo: asked,
      folder: sent,
      files: { 'plan.txt': 'The plan' },
    });
    mail.change(reply.id, { isFlagged: true, categories: ['Red'] });
    const [first, answered] = await recordsOf(connector);
    assert.equal(
      [first?.title, first?.text, first?.thread, first?.fields['folder']],
      ['Launch', 'We launch on Friday.', asked.conversationId, 'Inbox'],
    );
    assert.equal(answered, {
      key: { id: reply.id },
      fields: {
        id: reply.id,
        subject: 'Re: Launch',
        from: 'Ann <ann@contoso.com>',
        to: ['Ann <ann@contoso.com>'],
        date: '2026-03-02T10:00:00.000Z',
        message_id: reply.messageId,
        flags: ['flagged'],
        folder: 'Sent Items',
        categories: ['Red'],
      },
      text: 'Fine.\n\nAttachments: plan.txt',
      version: '["Sent Items",["flagged"],["Red"],""]',
      title: 'Re: Launch',
      url: `https://outlook.office365.com/owa/?ItemID=${reply.id}`,
      author: 'Ann',
      at: world.now,
      thread: asked.conversationId,
      attachments: [`attachments/${reply.id}/plan.txt`],
    });
    const thread = await recordsOf(connector, { thread: asked.conversationId });
    assert.is(thread.length, 2);
    assert.equal(await recordsOf(connector, { key: { id: reply.id } }), [answered]);
  }));

test('lists and reads attachments', () =>
  withMailbox(async ({ fake, connector }) => {
    const { world, service } = fake;
    world.mail.deliver();
    const { id } = world.mail.deliver({ files: { 'a.txt': 'alpha', 'b.txt': 'beta' } });
    const { changes } = await changesSince(connector);
    assert.equal(textsOf(changes), [
      'messages.jsonl',
      `attachments/${id}/a.txt`,
      `attachments/${id}/b.txt`,
    ]);
    service.forget();
    assert.is(await textAt(connector, `attachments/${id}/a.txt`), 'alpha');
    assert.is(await textAt(connector, `attachments/${id}/b.txt`), 'beta');
    assert.is(requestsOf(fake).filter((path) => path.endsWith('/$value')).length, 1);
    for (const path of [`attachments/${id}/c.txt`, 'attachments/none/a.txt', 'none'])
      assert.is((await rejection(() => textAt(connector, path))).code, 'not_found');
  }));

test('leaves out deleted items and junk, with the folders below them', () =>
  withMailbox(async ({ fake: { world }, connector }) => {
    const { mail } = world;
    const below = mail.addFolder('Old project', mail.deleted);
    for (const folder of [mail.deleted, mail.junk, below]) mail.deliver({ folder });
    const nested = mail.addFolder('2026', mail.addFolder('Projects', mail.inbox));
    mail.deliver({ folder: nested });
    assert.equal(
      (await recordsOf(connector)).map(({ fields }) => fields['folder']),
      ['Inbox/Projects/2026'],
    );
  }));

test('sends a request for each folder to find that nothing has changed', () =>
  withMailbox(async ({ fake, connector }) => {
    const { world, service } = fake;
    const sent = world.mail.addFolder('Sent Items');
    for (let index = 0; index < 450; index++) world.mail.deliver();
    const { cursor } = await changesSince(connector);
    const delta = (folder: string): string =>
      `/me/mailFolders/${encodeURIComponent(folder)}/messages/delta`;
    assert.equal(requestsOf(fake), [
      '/me/mailFolders/inbox',
      '/me/mailFolders/deleteditems',
      '/me/mailFolders/junkemail',
      '/me/mailFolders',
      ...Array.from({ length: 3 }, () => delta(world.mail.inbox)),
      delta(sent),
    ]);
    service.forget();
    assert.equal((await changesSince(connector, cursor)).changes, []);
    assert.equal(requestsOf(fake), [
      '/me/mailFolders/inbox',
      '/me/mailFolders',
      delta(world.mail.inbox),
      delta(sent),
    ]);
    for (const { request } of service.exchanges)
      assert.match(String(request.headers['prefer']), 'IdType="ImmutableId"');
  }));

test('reports new messages, late replies, and deletions with their attachments', () =>
  withMailbox(async ({ fake: { world }, connector }) => {
    const { mail } = world;
    const old = mail.deliver({ files: { 'a.txt': 'alpha' } });
    const { cursor } = await changesSince(connector);
    world.advance(30 * 86_400_000);
    const reply = mail.deliver({ replyTo: old, files: { 'b.txt': 'beta' } });
    const next = await changesSince(connector, cursor);
    assert.equal(textsOf(next.changes), [`attachments/${reply.id}/b.txt`, `record ${reply.id}`]);
    mail.remove(old.id);
    const last = await changesSince(connector, next.cursor);
    assert.equal(textsOf(last.changes), [`- attachments/${old.id}/a.txt`, `- record ${old.id}`]);
    assert.equal((await changesSince(connector, last.cursor)).changes, []);
  }));

for (const isForward of [true, false])
  test(`reports a move to ${isForward ? 'a later' : 'an earlier'} folder as a change`, () =>
    withMailbox(async ({ fake: { world }, connector }) => {
      const { mail } = world;
      const later = mail.addFolder('Later');
      const [from, to] = isForward ? [mail.inbox, later] : [later, mail.inbox];
      const { id } = mail.deliver({ folder: from, files: { 'a.txt': 'alpha' } });
      const { cursor } = await changesSince(connector);
      mail.move(id, to);
      const { changes, cursor: next } = await changesSince(connector, cursor);
      assert.equal(textsOf(changes), [`record ${id}`]);
      const [change] = changes;
      assert.ok(change !== undefined && 'records' in change);
      assert.is(change.records[0]?.fields['folder'], isForward ? 'Later' : 'Inbox');
      mail.move(id, from);
      mail.move(id, to);
      const back = await changesSince(connector, next);
      assert.equal(textsOf(back.changes), [`record ${id}`]);
    }));

test('removes a message that moves to deleted items, and finds it when it is restored', () =>
  withMailbox(async ({ fake: { world }, connector }) => {
    const { mail } = world;
    const { id } = mail.deliver({ files: { 'a.txt': 'alpha' } });
    const { cursor } = await changesSince(connector);
    mail.move(id, mail.deleted);
    const deleted = await changesSince(connector, cursor);
    assert.equal(textsOf(deleted.changes), [`- attachments/${id}/a.txt`, `- record ${id}`]);
    assert.equal(await recordsOf(connector, { key: { id } }), []);
    mail.move(id, mail.inbox);
    const restored = await changesSince(connector, deleted.cursor);
    assert.equal(textsOf(restored.changes), [`attachments/${id}/a.txt`, `record ${id}`]);
  }));

test('does not request a message again because it was read', () =>
  withMailbox(async ({ fake, connector }) => {
    const { world, service } = fake;
    const { id } = world.mail.deliver();
    const { cursor } = await changesSince(connector);
    world.mail.change(id, { isRead: true });
    service.forget();
    const read = await changesSince(connector, cursor);
    assert.equal(read.changes, []);
    assert.not.ok(requestsOf(fake).some((path) => path.includes('/messages/AA')));
    world.mail.change(id, { isFlagged: true });
    assert.equal(textsOf((await changesSince(connector, read.cursor)).changes), [`record ${id}`]);
  }));

test('reads a draft again when its text changes', () =>
  withMailbox(async ({ fake: { world }, connector }) => {
    const { mail } = world;
    const draft = mail.deliver({ text: 'A begin', isDraft: true });
    const { cursor } = await changesSince(connector);
    const [before] = await recordsOf(connector);
    mail.change(draft.id, { raw: draft.raw.replace('A begin', 'The end') });
    const { changes } = await changesSince(connector, cursor);
    const [change] = changes;
    assert.ok(change !== undefined && 'records' in change);
    assert.is(change.records[0]?.text, 'The end');
    assert.is.not(change.records[0]?.version, before?.version);
  }));

test('compares a folder with what it knows when its link has expired', () =>
  withMailbox(async ({ fake: { world }, connector }) => {
    const { mail } = world;
    const gone = mail.deliver({ files: { 'a.txt': 'alpha' } });
    const kept = mail.deliver();
    const { cursor } = await changesSince(connector);
    mail.remove(gone.id);
    const arrived = mail.deliver();
    mail.expireLinks();
    const { changes, cursor: next } = await changesSince(connector, cursor);
    assert.equal(textsOf(changes), [
      `record ${kept.id}`,
      `record ${arrived.id}`,
      `- attachments/${gone.id}/a.txt`,
      `- record ${gone.id}`,
    ]);
    assert.equal((await changesSince(connector, next)).changes, []);
  }));

test('finds a new folder, a renamed one, and removes the messages of a deleted one', () =>
  withMailbox(async ({ fake: { world }, connector }) => {
    const { mail } = world;
    const [first, second] = [mail.addFolder('First'), mail.addFolder('Second')];
    const [one, two] = [first, second].map((folder) => mail.deliver({ folder }));
    assert.ok(one && two);
    const { cursor } = await changesSince(connector);
    const third = mail.deliver({ folder: mail.addFolder('Third') });
    mail.renameFolder(first, 'Renamed');
    mail.removeFolder(second);
    const { changes } = await changesSince(connector, cursor);
    assert.equal(textsOf(changes), [
      `record ${one.id}`,
      `record ${third.id}`,
      `- record ${two.id}`,
    ]);
    const [change] = changes;
    assert.ok(change !== undefined && 'records' in change);
    assert.equal(
      change.records.map(({ fields }) => fields['folder']),
      ['Renamed', 'Third'],
    );
  }));

test('indexes only the configured folders', () =>
  withMailbox(
    async ({ fake: { world }, connector }) => {
      const { mail } = world;
      const projects = mail.addFolder('Projects');
      mail.deliver({ folder: mail.addFolder('Rocket', projects) });
      const other = mail.deliver();
      const { cursor } = await changesSince(connector);
      assert.equal(
        (await recordsOf(connector)).map(({ fields }) => fields['folder']),
        ['Projects/Rocket'],
      );
      mail.move(other.id, projects);
      assert.equal(textsOf((await changesSince(connector, cursor)).changes), [
        `record ${other.id}`,
      ]);
    },
    { folders: ['Projects'] },
  ));

test('starts a folder over when a page link expires during a listing', () =>
  withMailbox(async ({ fake: { world, service }, connector }) => {
    for (let index = 0; index < 250; index++) world.mail.deliver();
    service.addFault({
      matches: ({ query }) => query.has('$skiptoken'),
      apply: () => ({ status: 410, json: { error: { code: 'SyncStateInvalid', message: '' } } }),
    });
    assert.is((await recordsOf(connector)).length, 250);
  }));

test('continues records after a rate limit without requesting a page twice', () =>
  withMailbox(async ({ fake }) => {
    const { world, service, model } = fake;
    for (let index = 0; index < 205; index++) world.mail.deliver();
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
    service.addFault(rateLimitFault(model, ({ query }) => query.has('$skiptoken'), 60_000));
    const error = await rejection(() => run('first'));
    assert.equal([error.retryable, error.retryAfterMs], [true, 60_000]);
    await run('second');
    assert.is(seen.size, 205);
    const pages = service.exchanges.filter(
      ({ request, status }) => status === 200 && request.path.endsWith('/delta'),
    );
    assert.is(pages.length, 2);
  }));

test('fails retryably on faults', () =>
  withMailbox(async ({ fake: { world, service }, connector }) => {
    for (let index = 0; index < 4; index++) world.mail.deliver();
    const isContent = ({ path }: { readonly path: string }): boolean => path.endsWith('/$value');
    service.addFault(serverErrorFault(isContent, 500));
    assert.is((await rejection(() => recordsOf(connector))).retryable, true);
    service.addFault(truncatedFault(({ path }) => path.endsWith('/delta')));
    assert.is((await rejection(() => recordsOf(connector))).retryable, true);
    assert.is((await recordsOf(connector)).length, 4);
  }));

test('ends a list of folders that repeats a page', () =>
  withMailbox(async ({ fake: { service }, connector }) => {
    service.addFault({
      matches: ({ path }) => path.endsWith('/mailFolders'),
      times: 20,
      apply: ({ path }) => ({
        json: { value: [], '@odata.nextLink': `${service.origin}${path}?$skip=100` },
      }),
    });
    const { failure } = await changesSince(connector);
    assert.match(failure?.message ?? '', 'repeats a page of a list');
    assert.is(failure?.retryable, true);
  }));

test('checks the login and names the missing permission', () =>
  withMailbox(async ({ fake, connector }) => {
    const health = async (): Promise<string> => {
      const found = await connector.check?.({ signal: neverAborted() });
      return `${found?.ok} ${found?.detail}`;
    };
    assert.is(await health(), 'true Connected to the mailbox. The inbox has 0 messages.');
    fake.world.permissions.delete('Mail.Read');
    assert.match(await health(), /^false .*the permission Mail\.Read/);
  }));

test('leaves out junk whose folder was not found at the first sync', () =>
  withMailbox(async ({ fake: { world, service }, connector }) => {
    const { mail } = world;
    mail.deliver({ folder: mail.junk, files: { 'a.txt': 'alpha' } });
    service.addFault({
      matches: ({ path }) => path.endsWith('/mailFolders/junkemail'),
      apply: () => problem(404, 'ErrorItemNotFound', 'The folder was not found.'),
    });
    const first = await changesSince(connector);
    assert.is(textsOf(first.changes).length, 2, 'the first sync does not know it');
    const second = await changesSince(connector, first.cursor);
    assert.ok(textsOf(second.changes).every((text) => text.startsWith('- ')));
    assert.is(second.changes.length, 2);
    service.forget();
    await changesSince(connector, second.cursor);
    assert.not(service.exchanges.some(({ request }) => request.path.endsWith('/junkemail')));
  }));

test('lists each folder once although folders contain each other', () =>
  withMailbox(
    async ({ fake: { world, service }, connector }) => {
      const outer = world.mail.addFolder('Outer');
      world.mail.addFolder('Inner', outer);
      world.mail.deliver();
      const path = `/v1.0/me/mailFolders/${encodeURIComponent(outer)}/childFolders`;
      service.addFault({
        matches: (request) => request.path === path,
        times: Infinity,
        apply: () => ({
          json: { value: [{ id: outer, displayName: 'Outer', childFolderCount: 1 }] },
        }),
      });
      assert.is((await recordsOf(connector)).length, 1);
    },
    { folders: ['Inbox'] },
  ));

for (const [what, answer] of [
  ['does not exist', () => problem(404, 'ErrorItemNotFound', 'There is no mailbox.')],
  ['has folders without names', () => ({ json: { value: [{ id: 'a', name: 'Inbox' }] } })],
] as const)
  test(`fails when the list of folders ${what}`, () =>
    withMailbox(async ({ fake: { world, service }, connector }) => {
      world.mail.deliver();
      const { cursor } = await changesSince(connector);
      service.addFault({
        matches: ({ path }) => path === '/v1.0/me/mailFolders',
        times: Infinity,
        apply: answer,
      });
      const { failure } = await changesSince(connector, cursor);
      assert.equal([failure?.code, failure?.retryable], ['connector_unhealthy', true]);
    }));

test('fails when no message of a page has an id', () =>
  withMailbox(async ({ fake: { world, service }, connector }) => {
    world.mail.deliver();
    const { cursor } = await changesSince(connector);
    service.addFault({
      matches: ({ path }) => path.endsWith('/messages/delta'),
      times: Infinity,
      apply: async (_request, normal) => {
        const answer = await normal();
        return { ...answer, json: { ...Object(answer.json), value: [{ messageId: 'a' }] } };
      },
    });
    const { failure } = await changesSince(connector, cursor);
    assert.match(failure?.message ?? '', 'no list of messages');
  }));

test.run();
