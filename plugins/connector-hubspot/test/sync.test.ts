import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { changesSince, neverAborted, recordsAt } from '@trove/test-support/connector-reads.js';
import {
  changedIds,
  hourMs,
  idsOf,
  openConnector,
  removedIds,
  requestsOf,
  withHubspot,
} from './support.js';
import { startFakeHubspot } from './fake.js';

const test = suite('hubspot connector');
const dayMs = 24 * hourMs;
const kinds = [
  'contacts',
  'companies',
  'deals',
  'tickets',
  'notes',
  'emails',
  'calls',
  'meetings',
  'tasks',
];

test('lists one object for each kind', () =>
  withHubspot(async ({ connector }) => {
    const entries = await collect(connector.list({ signal: neverAborted() }));
    assert.equal(
      entries.map(({ path }) => path),
      kinds,
    );
    assert.is(entries.find(({ path }) => path === 'emails')?.kind, 'message_stream');
  }));

test('reads a deal with its owner, its stage and the names of associated records', () =>
  withHubspot(async ({ world, connector }) => {
    const company = world.create('companies', { name: 'Acme' });
    const contact = world.create('contacts', {
      firstname: 'Bob',
      lastname: 'Baker',
      email: 'bob@acme.example',
    });
    const deal = world.create('deals', {
      dealname: 'Rocket',
      amount: '1200',
      dealstage: 'appointmentscheduled',
      hubspot_owner_id: world.ann,
    });
    for (const { id } of [company, contact]) world.associate(deal.id, id);
    const [record] = await recordsAt(connector, 'deals');
    assert.equal(record, {
      key: { id: deal.id },
      fields: {
        dealname: 'Rocket',
        amount: '1200',
        dealstage: 'Appointment scheduled',
        createdate: new Date(world.now).toISOString(),
        owner: 'Ann Archer',
        companies: ['Acme'],
        contacts: ['Bob Baker'],
      },
      title: 'Rocket',
      at: world.now,
      author: 'Ann Archer',
      url: `https://app-eu1.hubspot.com/contacts/42/record/0-3/${deal.id}`,
    });
  }));

test('reads a note as text, at the address of its contact', () =>
  withHubspot(async ({ world, connector }) => {
    const contact = world.create('contacts', { email: 'bob@acme.example' });
    const note = world.create('notes', {
      hs_note_body: '<p>Wants a <strong>rocket</strong> &amp; a map.</p>',
      hs_timestamp: '2026-02-01T10:00:00Z',
    });
    world.associate(note.id, contact.id);
    const [record] = await recordsAt(connector, 'notes');
    assert.is(record?.text, 'Wants a rocket & a map.');
    assert.is(record?.at, Date.parse('2026-02-01T10:00:00Z'));
    assert.equal(record?.fields, { contacts: ['bob@acme.example'] });
    assert.is(
      record?.url,
      `https://app-eu1.hubspot.com/contacts/42/record/0-1/${contact.id}?engagement=${note.id}`,
    );
    const [person] = await recordsAt(connector, 'contacts');
    assert.is(person?.title, 'bob@acme.example');
  }));

test('reads a text of many unfinished tags in linear time', () =>
  withHubspot(async ({ connector, world }) => {
    const text = '<a'.repeat(200_000);
    world.create('notes', { hs_note_body: text });
    const start = performance.now();
    const [note] = await recordsAt(connector, 'notes');
    assert.ok(note?.text?.startsWith('<a<a'));
    assert.ok(performance.now() - start < 5000);
  }));

test('reads the emails of a conversation as one thread', () =>
  withHubspot(async (open) => {
    const { world, connector } = open;
    const send = (subject: string, thread: string) =>
      world.create('emails', {
        hs_email_subject: subject,
        hs_email_text: `About ${subject}`,
        hs_email_thread_id: thread,
      });
    const first = send('Offer', 't1');
    send('Other', 't2');
    world.advance(hourMs);
    const { cursor } = await changesSince(connector, undefined);
    world.advance(hourMs);
    const reply = send('Re: Offer', 't1');
    const { changes } = await changesSince(connector, cursor);
    assert.equal(changedIds(changes), [reply.id]);
    open.service.forget();
    assert.equal(idsOf(await recordsAt(connector, 'emails', { thread: 't1' })), [
      first.id,
      reply.id,
    ]);
    assert.is(requestsOf(open).filter((path) => path.endsWith('/search')).length, 1);
  }));

test('reads the associations of a changed record again', () =>
  withHubspot(async ({ world, connector }) => {
    const deal = world.create('deals', { dealname: 'Rocket' });
    const company = world.create('companies', { name: 'Acme' });
    const { cursor } = await changesSince(connector, undefined);
    await recordsAt(connector, 'deals');
    world.advance(hourMs);
    world.associate(deal.id, company.id);
    world.edit(deal.id, { amount: '7' });
    const { changes } = await changesSince(connector, cursor);
    const records = changes.flatMap((change) => ('records' in change ? change.records : []));
    assert.equal(records.find(({ key }) => key['id'] === deal.id)?.fields['companies'], ['Acme']);
  }));

test('adds the properties of the settings to the fields', () =>
  withHubspot(
    async ({ world, connector }) => {
      world.create('contacts', { firstname: 'Bob', favorite_color: 'blue' });
      const [record] = await recordsAt(connector, 'contacts');
      assert.is(record?.fields['favorite_color'], 'blue');
    },
    { properties: { contacts: ['favorite_color'] } },
  ));

test('lists more records than one search shows, also with one time', () =>
  withHubspot(async ({ world, connector }) => {
    world.searchSize = 10;
    world.maxResults = 200;
    const all = Array.from({ length: 450 }, (_, at) =>
      world.create('tasks', { hs_task_subject: `${at}` }),
    );
    assert.equal(
      idsOf(await recordsAt(connector, 'tasks')),
      all.map(({ id }) => id),
    );
    const { cursor } = await changesSince(connector, undefined);
    world.advance(hourMs);
    for (const { id } of all) world.edit(id, { hs_task_status: 'COMPLETED' });
    const { changes } = await changesSince(connector, cursor);
    assert.is(new Set(changedIds(changes)).size, 450);
  }));

test('requests names and associations for 100 records at a time', () =>
  withHubspot(async (open) => {
    const { world, connector } = open;
    const company = world.create('companies', { name: 'Acme' });
    for (let number = 1; number <= 150; number++) {
      const { id } = world.create('contacts', { firstname: 'Bob', lastname: `${number}` });
      world.associate(id, company.id);
    }
    const records = await recordsAt(connector, 'contacts');
    assert.equal(
      new Set(records.map(({ fields }) => String(fields['companies']))),
      new Set(['Acme']),
    );
    assert.equal(requestsOf(open).toSorted(), [
      'account-info/details',
      'associations/contacts/companies/batch/read',
      'associations/contacts/companies/batch/read',
      'objects/companies/batch/read',
      'objects/contacts',
      'objects/contacts/search',
    ]);
  }));

test('requests one search and the archive of each kind if nothing changed', () =>
  withHubspot(async (open) => {
    const { world, connector } = open;
    world.create('contacts', { firstname: 'Bob' });
    world.advance(hourMs);
    const { cursor } = await changesSince(connector, undefined);
    world.advance(hourMs);
    open.service.forget();
    const { changes } = await changesSince(connector, cursor);
    assert.equal(changes, []);
    assert.equal(
      requestsOf(open).toSorted(),
      [
        'objects/contacts',
        ...kinds.map((kind) => `objects/${kind}/search`),
        ...kinds.map((kind) => `objects/${kind}?archived`),
      ].toSorted(),
    );
  }));

test('finds a change that the search shows late', () =>
  withHubspot(async ({ world, connector }) => {
    const { id } = world.create('contacts', { firstname: 'Bob' });
    world.advance(hourMs);
    const first = await changesSince(connector, undefined);
    world.advance(hourMs);
    world.searchLagMs = 300_000;
    world.edit(id, { firstname: 'Rob' });
    world.advance(120_000);
    const second = await changesSince(connector, first.cursor);
    assert.equal(changedIds(second.changes), []);
    world.advance(300_000);
    const third = await changesSince(connector, second.cursor);
    assert.equal(changedIds(third.changes), [id]);
  }));

test('removes archived records and brings restored ones back', () =>
  withHubspot(async ({ world, connector }) => {
    const { id } = world.create('deals', { dealname: 'Rocket' });
    world.create('deals', { dealname: 'Map' });
    world.advance(hourMs);
    const first = await changesSince(connector, undefined);
    world.advance(hourMs);
    world.archive(id);
    const second = await changesSince(connector, first.cursor);
    assert.equal([changedIds(second.changes), removedIds(second.changes)], [[], [id]]);
    assert.is((await recordsAt(connector, 'deals')).length, 1);
    world.advance(hourMs);
    world.restore(id);
    const third = await changesSince(connector, second.cursor);
    assert.equal([changedIds(third.changes), removedIds(third.changes)], [[id], []]);
  }));

test('removes a merged record, which its winner names', () =>
  withHubspot(async ({ world, connector }) => {
    const [bob, rob, bert] = ['Bob', 'Rob', 'Bert'].map((firstname) =>
      world.create('contacts', { firstname }),
    );
    world.advance(hourMs);
    const { cursor } = await changesSince(connector, undefined);
    world.advance(hourMs);
    world.merge(bob?.id ?? '', bert?.id ?? '');
    world.merge(rob?.id ?? '', bert?.id ?? '');
    const { changes } = await changesSince(connector, cursor);
    assert.equal([changedIds(changes), removedIds(changes)], [[bert?.id], [bob?.id, rob?.id]]);
  }));

test('counts the records each day, because some disappear without a trace', () =>
  withHubspot(async ({ world, connector }) => {
    const all = ['Bob', 'Rob', 'Bert'].map((firstname) => world.create('contacts', { firstname }));
    world.advance(hourMs);
    const first = await changesSince(connector, undefined);
    world.purge(all[0]?.id ?? '');
    world.advance(hourMs);
    const second = await changesSince(connector, first.cursor);
    assert.equal(second.changes, []);
    world.advance(dayMs);
    const { changes } = await changesSince(connector, second.cursor);
    const counted = changes.find((change) => 'path' in change && change.path === 'contacts');
    assert.is(counted !== undefined && 'total' in counted ? counted.total : undefined, 2);
    const keys = await recordsAt(connector, 'contacts', { keysOnly: true });
    assert.equal(idsOf(keys), [all[1]?.id, all[2]?.id]);
  }));

test('reads one record by its key', () =>
  withHubspot(async (open) => {
    const { world, connector } = open;
    const { id } = world.create('companies', { name: 'Acme' });
    const read = async (key: string): Promise<unknown[]> =>
      (await recordsAt(connector, 'companies', { key: { id: key } })).map(({ title }) => title);
    assert.equal(await read(id), ['Acme']);
    assert.equal(await read('9'), []);
    assert.not.ok(requestsOf(open).some((path) => path.endsWith('/search')));
  }));

test('sends at most five searches in a second', async () => {
  await using fake = await startFakeHubspot();
  fake.world.create('contacts', { firstname: 'Bob' });
  fake.service.limit({ requests: 5, perMs: 900, matches: ({ path }) => path.endsWith('/search') });
  const connector = await openConnector(fake, {}, true);
  const { cursor } = await changesSince(connector, undefined);
  await changesSince(connector, cursor);
  await connector.close?.();
  assert.not.ok(fake.service.exchanges.some(({ status }) => status === 429));
});

test.run();
