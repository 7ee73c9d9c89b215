import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { changesSince, neverAborted } from '@trove/test-support/connector-reads.js';
import {
  changedKeys,
  endedThreads,
  hourMs,
  keysOf,
  recordsAt,
  requestsOf,
  syncAll,
  withZendesk,
} from './support.js';

const test = suite('zendesk connector');
const minuteMs = 60_000;

test('lists the tickets as threads and the articles as documents', () =>
  withZendesk(async ({ world, connector }) => {
    const { id } = world.writeArticle('Set up / start', '<p>Press the button.</p>');
    world.writeArticle('Draft', '<p>Later.</p>', true);
    const [tickets, article, ...others] = await collect(connector.list({ signal: neverAborted() }));
    assert.equal([tickets?.path, tickets?.kind], ['tickets', 'message_stream']);
    assert.is(article?.path, `articles/${id} Set up start.html`);
    assert.equal(article?.fields, {
      category: 'Guides',
      section: 'First steps',
      labels: ['setup'],
      locale: 'en-us',
    });
    assert.is(article?.author, 'Ann Archer');
    assert.equal(others, []);
    const content = await connector.read?.(article?.path ?? '', { signal: neverAborted() });
    assert.is(await new Response(content?.bytes).text(), '<p>Press the button.</p>');
    assert.is(content?.mediaType, 'text/html');
  }));

test('reads a ticket with its comments as one conversation', () =>
  withZendesk(async ({ world, connector, service }) => {
    world.create({ subject: 'Printer', description: 'It smokes.', tags: ['fire'] });
    world.advance(hourMs);
    world.comment(1, 'Pull the plug.', { files: ['plug.png'] });
    world.comment(1, 'Is he serious?', { isPublic: false });
    world.advance(hourMs);
    const [ticket, ...comments] = await recordsAt(connector);
    assert.equal([ticket?.title, ticket?.text, ticket?.thread], ['#1 Printer', 'Printer', '1']);
    assert.is(ticket?.url, `${service.origin}/agent/tickets/1`);
    const { status, tags, organization, group, requester, assignee } = ticket?.threadFields ?? {};
    assert.equal(
      [status, tags, organization, group, requester, assignee],
      ['open', ['fire'], 'Acme', 'First level', 'Bob Baker', 'Ann Archer'],
    );
    assert.equal(
      comments.map(({ author, text, thread, fields }) => [author, text, thread, fields]),
      [
        ['Bob Baker', 'It smokes.', '1', { public: true }],
        ['Ann Archer', 'Pull the plug.', '1', { public: true, files: ['plug.png'] }],
        ['Ann Archer', 'Is he serious?', '1', { public: false }],
      ],
    );
  }));

test('leaves internal notes out on request', () =>
  withZendesk(
    async ({ world, connector }) => {
      world.create({ subject: 'Printer', description: 'It smokes.' });
      world.comment(1, 'Is he serious?', { isPublic: false });
      world.advance(hourMs);
      const texts = (await recordsAt(connector)).map(({ text }) => text);
      assert.equal(texts, ['Printer', 'It smokes.']);
    },
    { internal_notes: false },
  ));

test('needs no request for each ticket, and one for 100 people', () =>
  withZendesk(async (open) => {
    const { world, connector } = open;
    const people = Array.from({ length: 150 }, (_, at) => world.addUser(`P ${at}`, 'end-user'));
    for (const requester of people)
      world.create({ subject: 'Case', description: 'It happened.', requester });
    for (let ticket = 1; ticket <= 150; ticket++) world.comment(ticket, 'Sorry.');
    world.advance(hourMs);
    assert.is((await recordsAt(connector)).length, 150 * 3);
    const requests = requestsOf(open);
    assert.equal(
      new Set(requests),
      new Set([
        '/users/me',
        '/incremental/tickets/cursor',
        '/users/show_many',
        '/organizations/show_many',
        '/groups',
        '/incremental/ticket_events',
        '/deleted_tickets',
      ]),
    );
    assert.is(requests.filter((path) => path === '/users/show_many').length, 2);
    assert.is(requests.length, 8);
  }));

test('continues exports page by page, also within one second', () =>
  withZendesk(async (open) => {
    const { world, connector } = open;
    world.exportSize = 3;
    for (let number = 1; number <= 10; number++) {
      world.create({ subject: `Case ${number}`, description: 'It happened.' });
      if (number > 5) world.advance(minuteMs);
    }
    world.advance(hourMs);
    const keys = keysOf(await recordsAt(connector));
    assert.is(keys.length, 20);
    assert.is(new Set(keys).size, 20);
  }));

test('requests only the check, the exports and the articles if nothing changed', () =>
  withZendesk(async (open) => {
    const { world, connector } = open;
    for (let number = 1; number <= 20; number++)
      world.create({ subject: `Case ${number}`, description: 'It happened.' });
    world.writeArticle('Guide', '<p>Do it.</p>');
    world.advance(hourMs);
    const first = await syncAll(connector);
    const expected = [
      '/users/me',
      '/incremental/tickets/cursor',
      '/incremental/ticket_events',
      '/help_center/articles',
    ];
    let { cursor } = first;
    for (let run = 2; run <= 3; run++) {
      world.advance(hourMs);
      open.service.forget();
      const next = await changesSince(connector, cursor);
      assert.equal(changedKeys(next.changes), []);
      assert.equal(requestsOf(open).toSorted(), expected.toSorted());
      ({ cursor } = next);
    }
  }));

test('finds a late answer to an archived ticket, and requests only its thread', () =>
  withZendesk(async (open) => {
    const { world, connector } = open;
    for (const subject of ['Printer', 'Screen'])
      world.create({ subject, description: 'It is broken.' });
    world.archive(1);
    world.advance(hourMs);
    const { cursor } = await syncAll(connector);
    world.advance(100 * 24 * hourMs);
    const { id } = world.comment(1, 'It is broken again.', { author: world.bob });
    world.advance(hourMs);
    const { changes } = await changesSince(connector, cursor);
    assert.equal(changedKeys(changes), ['1', `1#${id}`]);
    open.service.forget();
    const thread = await recordsAt(connector, { thread: '1' });
    assert.equal(
      thread.map(({ text }) => text),
      ['Printer', 'It is broken.', 'It is broken again.'],
    );
    assert.equal(requestsOf(open), ['/tickets/1', '/tickets/1/comments']);
  }));

test('removes a deleted ticket with all its comments', () =>
  withZendesk(async ({ world, connector }) => {
    for (const subject of ['Printer', 'Screen'])
      world.create({ subject, description: 'It is broken.' });
    world.advance(hourMs);
    const { cursor } = await syncAll(connector);
    world.advance(hourMs);
    world.comment(1, 'Never mind.');
    world.advance(minuteMs);
    world.remove(1);
    world.advance(hourMs);
    const { changes } = await changesSince(connector, cursor);
    assert.equal(changedKeys(changes), []);
    assert.equal(endedThreads(changes), [{ thread: '1' }]);
    assert.ok(
      changes.some((change) => 'removedKeys' in change && change.removedKeys[0]?.['id'] === 1),
    );
    const texts = (await recordsAt(connector)).map(({ text }) => text);
    assert.equal(texts, ['Screen', 'It is broken.']);
    assert.equal(await recordsAt(connector, { thread: '1' }), []);
  }));

test('keeps both tickets of a merge, with notes that name the other', () =>
  withZendesk(async ({ world, connector }) => {
    for (const subject of ['Printer', 'Same printer'])
      world.create({ subject, description: 'It is broken.' });
    world.advance(hourMs);
    const { cursor } = await syncAll(connector);
    world.advance(hourMs);
    world.merge(2, 1);
    world.advance(hourMs);
    const { changes } = await changesSince(connector, cursor);
    const records = changes.flatMap((change) => ('records' in change ? change.records : []));
    const merged = records.find(({ key }) => key['stream'] === 'tickets' && key['id'] === 2);
    assert.is(merged?.threadFields?.['status'], 'closed');
    assert.equal(merged?.threadFields?.['tags'], ['closed_by_merge']);
    assert.equal(
      records
        .filter(({ key }) => key['stream'] === 'comments')
        .map(({ thread, text }) => [thread, text]),
      [
        ['2', 'This request was closed and merged into request #1.'],
        ['1', 'Request #2 "Same printer" was closed and merged into this request.'],
      ],
    );
  }));

test('finds changed, new and removed articles', () =>
  withZendesk(async ({ world, connector }) => {
    const [first, second] = ['One', 'Two'].map((title) => world.writeArticle(title, '<p>Old</p>'));
    world.advance(hourMs);
    const { cursor } = await syncAll(connector);
    world.advance(hourMs);
    world.editArticle(first?.id ?? 0, { body: '<p>New</p>' });
    world.articles.delete(second?.id ?? 0);
    const third = world.writeArticle('Three', '<p>New</p>');
    const { changes } = await changesSince(connector, cursor);
    assert.equal(
      changes.map((change) =>
        'entry' in change ? change.entry.path : 'removed' in change ? `-${change.removed}` : '',
      ),
      [
        `articles/${first?.id} One.html`,
        `articles/${third.id} Three.html`,
        `-articles/${second?.id} Two.html`,
      ],
    );
  }));

test('reads one ticket and one comment by their keys', () =>
  withZendesk(async (open) => {
    const { world, connector } = open;
    world.create({ subject: 'Printer', description: 'It smokes.' });
    const { id } = world.comment(1, 'Pull the plug.');
    world.advance(hourMs);
    const read = async (key: Readonly<Record<string, string | number>>): Promise<unknown[]> =>
      (await recordsAt(connector, { key })).map(({ text }) => text);
    assert.equal(await read({ stream: 'tickets', ticket: 1, id: 1 }), ['Printer']);
    assert.equal(await read({ stream: 'comments', ticket: 1, id }), ['Pull the plug.']);
    assert.equal(await read({ stream: 'tickets', ticket: 9, id: 9 }), []);
    assert.equal(await read({ stream: 'comments', ticket: 1, id: 9 }), []);
    assert.not.ok(requestsOf(open).some((path) => path.startsWith('/incremental')));
  }));

test('reads articles without Support, and tickets without a help center', () =>
  withZendesk(async ({ world, connector }) => {
    world.create({ subject: 'Printer', description: 'It smokes.' });
    world.writeArticle('Guide', '<p>Do it.</p>');
    world.advance(hourMs);
    world.hasSupport = false;
    const paths = async (): Promise<string[]> =>
      (await collect(connector.list({ signal: neverAborted() }))).map(({ path }) => path);
    assert.is((await paths()).length, 2);
    assert.equal(await recordsAt(connector), []);
    world.hasSupport = true;
    world.hasHelpCenter = false;
    assert.equal(await paths(), ['tickets']);
    assert.is((await recordsAt(connector)).length, 2);
  }));

test('logs in with an OAuth access token', () =>
  withZendesk(
    async ({ connector }) => {
      const health = await connector.check?.({ signal: neverAborted() });
      assert.equal(health, { ok: true, detail: 'Connected as Ann Archer.' });
    },
    { email: undefined, api_token: undefined, token: 'token-1' },
  ));

test.run();
