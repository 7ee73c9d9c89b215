import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { apiUrl } from '../src/site.js';
import { collect } from '@trove/test-support/collect.js';
import { changesSince, neverAborted, recordsAt } from '@trove/test-support/connector-reads.js';
import {
  changedKeys,
  completeScopes,
  hourMs,
  keysOf,
  requestsOf,
  syncAll,
  textsOf,
  withIntercom,
} from './support.js';

const test = suite('intercom connector');

test('reads a conversation with its replies and notes as one thread', () =>
  withIntercom(async ({ world, connector }) => {
    const fin = world.addPerson('Fin', 'bot');
    const { id } = world.write('My <b>printer</b> smokes.', {
      subject: 'Fire',
      tags: ['printer'],
      files: ['photo.png'],
      attributes: { Plan: 'pro', Since: 2024, Empty: null },
    });
    world.advance(hourMs);
    world.reply(id, 'Which one?', { author: fin });
    world.reply(id, 'Is he serious?', { type: 'note' });
    world.reply(id, null, { type: 'assignment' });
    world.reply(id, null, { author: world.bob, files: ['log.txt'] });
    const [first, ...parts] = await recordsAt(connector, 'conversations');
    assert.equal([first?.title, first?.text], ['Fire', 'My printer smokes.']);
    assert.equal(first?.fields, { files: ['photo.png'] });
    const { state, tags, assignee, team, people, attributes } = first?.threadFields ?? {};
    assert.equal(
      [state, tags, assignee, team, people, attributes],
      [
        'open',
        ['printer'],
        'Ann Archer',
        'First level',
        ['Bob Baker'],
        ['Plan: pro', 'Since: 2024'],
      ],
    );
    assert.equal(
      parts.map(({ author, text, thread, fields }) => [author, text, thread, fields]),
      [
        ['Fin', 'Which one?', id, { type: 'comment', internal: false }],
        ['Ann Archer', 'Is he serious?', id, { type: 'note', internal: true }],
        ['Bob Baker', 'log.txt', id, { type: 'comment', internal: false, files: ['log.txt'] }],
      ],
    );
  }));

test('names a conversation by its title, its subject or its first words', () =>
  withIntercom(async ({ world, connector }) => {
    world.write('One', { title: 'A title', subject: 'A subject' });
    world.write('Two', { subject: '<p>A subject</p>' });
    world.write(`Three ${'words '.repeat(30)}`);
    const titles = (await recordsAt(connector, 'conversations')).map(({ title }) => title);
    assert.equal(titles.slice(0, 2), ['A title', 'A subject']);
    assert.match(titles[2] ?? '', /^Three words .*…$/);
  }));

test('reads a text of many unfinished tags in linear time', () =>
  withIntercom(async ({ world, connector }) => {
    const title = '<a '.repeat(100_000).trim();
    world.write('One', { title });
    const start = performance.now();
    const [record] = await recordsAt(connector, 'conversations');
    assert.is(record?.title, `${title.slice(0, 80)}…`);
    assert.ok(performance.now() - start < 5000);
  }));

test('leaves internal notes out on request', () =>
  withIntercom(
    async ({ world, connector }) => {
      const { id } = world.write('My printer smokes.');
      world.reply(id, 'Is he serious?', { type: 'note' });
      world.reply(id, 'Assigned, because he is.', { type: 'assignment' });
      world.reply(id, 'Pull the plug.', { type: 'close' });
      assert.equal(textsOf(await recordsAt(connector, 'conversations')), [
        'My printer smokes.',
        'Pull the plug.',
      ]);
    },
    { internal_notes: false },
  ));

test('reads a ticket with its parts, without a request for each ticket', () =>
  withIntercom(async (open) => {
    const { world, connector } = open;
    for (let number = 1; number <= 5; number++) {
      const { id } = world.open(`Case ${number}`, 'It <happens>', { attributes: { Plan: 'pro' } });
      world.reply(id, 'Sorry.');
    }
    const records = await recordsAt(connector, 'tickets');
    const [first] = records;
    assert.equal(
      [first?.title, first?.text, first?.author],
      ['#1 Case 1', 'It <happens>', 'Bob Baker'],
    );
    assert.equal(first?.threadFields?.['attributes'], ['Plan: pro']);
    const texts = textsOf(records.filter(({ thread }) => thread === first?.thread));
    assert.equal(texts, ['It <happens>', 'Sorry.']);
    assert.is(records.length, 10);
    assert.not.ok(requestsOf(open).some((request) => request.startsWith('GET /tickets/')));
  }));

test('requests a ticket whose parts are not all in the search', () =>
  withIntercom(async (open) => {
    const { world, connector } = open;
    const { id } = world.open('Case', 'It happens.');
    world.reply(id, 'One');
    world.reply(id, 'Two');
    world.maxParts = 1;
    assert.equal(textsOf(await recordsAt(connector, 'tickets')), ['It happens.', 'Two']);
    assert.ok(requestsOf(open).includes(`GET /tickets/${id}`));
  }));

test('finds a late reply to a closed conversation, and requests only that one', () =>
  withIntercom(async (open) => {
    const { world, connector, service } = open;
    const ids = ['Printer', 'Screen'].map((body) => world.write(body).id);
    const [id = ''] = ids;
    world.close(id);
    world.advance(hourMs);
    const { cursor } = await syncAll(connector);
    world.advance(100 * 24 * hourMs);
    const { id: reply } = world.reply(id, 'It smokes again.', { author: world.bob });
    world.advance(hourMs);
    service.forget();
    const { changes } = await changesSince(connector, cursor);
    assert.equal(changedKeys(changes), [id, `${id}#${reply}`]);
    assert.equal(completeScopes(changes), [{ thread: id }]);
    assert.equal(
      requestsOf(open).filter((request) => /\/conversations\/\d/.test(request)),
      [`GET /conversations/${id}`],
    );
    service.forget();
    const thread = await recordsAt(connector, 'conversations', { thread: id });
    assert.equal(textsOf(thread), ['Printer', 'It smokes again.']);
  }));

test('searches again from ten minutes before the last sync', () =>
  withIntercom(async ({ world, connector, service }) => {
    const { id } = world.write('Printer');
    const { cursor } = await syncAll(connector);
    const start = Math.floor(world.now / 1000);
    world.advance(5000);
    world.reply(id, 'A change that a search shows late.');
    const second = await changesSince(connector, cursor);
    assert.ok(changedKeys(second.changes).includes(id));
    service.forget();
    await changesSince(connector, second.cursor);
    const searches = service.exchanges
      .filter(({ request }) => request.path.endsWith('/search'))
      .map(({ request }) => Object(request.body));
    assert.equal(
      searches.map(({ query, sort }) => [query.value, sort.order]),
      [
        [0, 'ascending'],
        [start + 5 - 600, 'ascending'],
        [start + 5 - 600, 'ascending'],
      ],
    );
  }));

test('removes a deleted conversation with all its messages', () =>
  withIntercom(async ({ world, connector }) => {
    const ids = ['Printer', 'Screen'].map((body) => world.write(body).id);
    const [id = ''] = ids;
    world.reply(id, 'Never mind.');
    world.advance(hourMs);
    const { cursor } = await syncAll(connector);
    world.advance(hourMs);
    world.removeConversation(id);
    world.advance(hourMs);
    const { changes } = await changesSince(connector, cursor);
    assert.equal(
      changes.flatMap((change) => ('removedKeys' in change ? change.removedKeys : [])),
      [{ stream: 'conversations', conversation: id, id }],
    );
    assert.equal(completeScopes(changes), [{ thread: id }]);
    assert.equal(textsOf(await recordsAt(connector, 'conversations')), ['Screen']);
  }));

test('reads only the newest page of deleted conversations', () =>
  withIntercom(async (open) => {
    const { world, connector, service } = open;
    for (let number = 1; number <= 200; number++) {
      const { id } = world.write(`Case ${number}`);
      world.removeConversation(id);
    }
    const { id } = world.write('Printer');
    world.advance(hourMs);
    const { cursor } = await syncAll(connector);
    world.advance(hourMs);
    world.removeConversation(id);
    service.forget();
    const { changes } = await changesSince(connector, cursor);
    assert.equal(completeScopes(changes), [{ thread: id }]);
    const lists = requestsOf(open).filter((request) => request.endsWith('/deleted'));
    assert.is(lists.length, 1);
  }));

test('removes redacted messages', () =>
  withIntercom(async ({ world, connector }) => {
    const { id } = world.write('My password is 1234.', { title: 'Login' });
    const part = world.reply(id, 'It is 1234, right?');
    world.reply(id, 'Never write it here.');
    world.advance(hourMs);
    const { cursor } = await syncAll(connector);
    world.advance(hourMs);
    world.redact(id, part.id);
    world.redactSource(id);
    const { changes } = await changesSince(connector, cursor);
    const texts = changes.flatMap((change) =>
      'records' in change ? change.records.map(({ text }) => text) : [],
    );
    assert.equal([...new Set(texts)], ['Login', 'Never write it here.']);
    assert.equal(completeScopes(changes), [{ thread: id }]);
    const thread = await recordsAt(connector, 'conversations', { thread: id });
    assert.equal(textsOf(thread), ['Login', 'Never write it here.']);
  }));

test('finds deleted tickets once a day by their number', () =>
  withIntercom(async ({ world, connector }) => {
    const [first = '', second = ''] = ['Printer', 'Screen'].map(
      (title) => world.open(title, 'It is broken.').id,
    );
    world.reply(second, 'Sorry.');
    world.advance(hourMs);
    const { cursor } = await syncAll(connector);
    world.tickets.delete(first);
    world.advance(hourMs);
    const totalsOf = (changes: readonly object[]): unknown[] =>
      changes.flatMap((change) => ('total' in change ? change.total : []));
    const second2 = await changesSince(connector, cursor);
    assert.equal(totalsOf(second2.changes), []);
    world.advance(25 * hourMs);
    const third = await changesSince(connector, second2.cursor);
    assert.equal(totalsOf(third.changes), [2]);
  }));

test('lists published articles in the folders of their collections', () =>
  withIntercom(async ({ world, connector }) => {
    world.publish('Set up / start', '<p>Press the button.</p>');
    world.publish('Set up / start', '<p>Twice.</p>');
    world.publish('Alone', '<p>Alone.</p>', null);
    world.publish('Draft', '<p>Later.</p>', '90', true);
    world.publishInternally('Refunds', '<p>At most 10 €.</p>');
    const entries = await collect(connector.list({ signal: neverAborted() }));
    const [, , ...documents] = entries;
    const paths = documents.map(({ path }) => path);
    const first = documents[0];
    assert.is(paths.length, 4);
    assert.match(paths[0] ?? '', /^articles\/Guides\/First steps\/Set up ∕ start/);
    assert.is.not(paths[0], paths[1]);
    assert.equal(paths.slice(2), ['articles/Alone.html', 'internal-articles/Refunds.html']);
    assert.equal(first?.fields, { collection: ['Guides', 'First steps'], locale: 'en' });
    assert.is(first?.author, 'Ann Archer');
    const content = await connector.read?.('articles/Alone.html', { signal: neverAborted() });
    assert.is(await new Response(content?.bytes).text(), '<p>Alone.</p>');
    assert.is(content?.mediaType, 'text/html');
  }));

test('finds changed, new, moved and removed articles', () =>
  withIntercom(async ({ world, connector }) => {
    const ids = ['One', 'Two', 'Three'].map((title) => world.publish(title, '<p>Old</p>', '9').id);
    world.advance(hourMs);
    const { cursor } = await syncAll(connector);
    world.advance(hourMs);
    world.editArticle(ids[0] ?? '', { body: '<p>New</p>' });
    world.articles.delete(ids[1] ?? '');
    world.editArticle(ids[2] ?? '', { isDraft: true });
    world.publish('Four', '<p>New</p>', '9');
    world.collections.set('9', { name: 'Help', parent: null });
    const { changes } = await changesSince(connector, cursor);
    const paths = changes.map((change) =>
      'entry' in change ? change.entry.path : 'removed' in change ? `-${change.removed}` : '',
    );
    assert.equal(paths.toSorted(), [
      '-articles/Guides/One.html',
      '-articles/Guides/Three.html',
      '-articles/Guides/Two.html',
      'articles/Help/Four.html',
      'articles/Help/One.html',
    ]);
  }));

test('requests seven lists if nothing changed', () =>
  withIntercom(async (open) => {
    const { world, connector, service } = open;
    for (let number = 1; number <= 20; number++) {
      world.write(`Case ${number}`);
      world.open(`Case ${number}`, 'It happened.');
    }
    world.publish('Guide', '<p>Do it.</p>');
    world.advance(hourMs);
    let { cursor } = await syncAll(connector);
    for (let run = 2; run <= 3; run++) {
      world.advance(hourMs);
      service.forget();
      const next = await changesSince(connector, cursor);
      assert.equal(changedKeys(next.changes), []);
      assert.equal(requestsOf(open).toSorted(), [
        'GET /articles',
        'GET /conversations/deleted',
        'GET /help_center/collections',
        'GET /internal_articles',
        'POST /conversations/search',
        'POST /conversations/search',
        'POST /tickets/search',
      ]);
      ({ cursor } = next);
    }
  }));

test('looks up fifteen contacts per request', () =>
  withIntercom(async (open) => {
    const { world, connector } = open;
    for (let number = 1; number <= 30; number++)
      world.write('Hello', {}, world.addPerson(`Person ${number}`, 'user'));
    const records = await recordsAt(connector, 'conversations');
    assert.equal(records[29]?.threadFields?.['people'], ['Person 30']);
    const lookups = requestsOf(open).filter((request) => request === 'POST /contacts/search');
    assert.is(lookups.length, 2);
  }));

test('reads one conversation, ticket and part by their keys', () =>
  withIntercom(async (open) => {
    const { world, connector } = open;
    const { id } = world.write('Printer');
    const part = world.reply(id, 'Pull the plug.').id;
    const ticket = world.open('Screen', 'It flickers.').id;
    const ofTicket = world.reply(ticket, 'Turn it off.').id;
    const read = async (path: string, key: Readonly<Record<string, string>>): Promise<unknown[]> =>
      textsOf(await recordsAt(connector, path, { key }));
    const conversations = { stream: 'conversations', conversation: id, id };
    assert.equal(await read('conversations', conversations), ['Printer']);
    assert.equal(await read('conversations', { stream: 'parts', conversation: id, id: part }), [
      'Pull the plug.',
    ]);
    assert.equal(await read('tickets', { stream: 'tickets', ticket, id: ticket }), [
      'It flickers.',
    ]);
    assert.equal(await read('tickets', { stream: 'ticket_parts', ticket, id: ofTicket }), [
      'Turn it off.',
    ]);
    assert.equal(await read('conversations', { ...conversations, conversation: '9', id: '9' }), []);
    assert.equal(await read('conversations', { stream: 'parts', conversation: id, id: '9' }), []);
    assert.equal(keysOf([{ key: conversations }]), [id]);
  }));

test('sends requests to the region of the workspace', () => {
  const urlOf = (config: { readonly region?: 'au' | 'eu' | 'us' }): string =>
    apiUrl({ config: { token: 'token-1', internal_notes: true, ...config } });
  assert.is(urlOf({}), 'https://api.intercom.io');
  assert.is(urlOf({ region: 'us' }), 'https://api.intercom.io');
  assert.is(urlOf({ region: 'eu' }), 'https://api.eu.intercom.io');
  assert.is(urlOf({ region: 'au' }), 'https://api.au.intercom.io');
});

test.run();
