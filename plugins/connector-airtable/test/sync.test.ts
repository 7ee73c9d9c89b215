import type { SourceRecord } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { neverAborted } from '@trove/test-support/connector-reads.js';
import { SyncedSource } from '@trove/test-support/synced-source.js';
import { dayMinutes, recordsAt, requestsOf, setAge, withCrm } from './source.js';

const test = suite('Airtable connector, syncs');

function textsOf(source: SyncedSource, path: string): string[] {
  return sorted(source.recordsOf(path));
}

function sorted(records: readonly SourceRecord[]): string[] {
  return records.map(({ text = '' }) => text).toSorted();
}

test('requests each page of a first sync once, and three pages when nothing has changed', () =>
  withCrm(async ({ fake, contacts, deals, connector }) => {
    const { world, service } = fake;
    const people = Array.from({ length: 150 }, (_, at) =>
      world.createRow(contacts, { Name: `Person ${at}` }),
    );
    for (let at = 0; at < 120; at++)
      world.createRow(deals, { Title: `Deal ${at}`, People: [people[at]?.id] });
    world.comment(people[7] ?? world.createRow(contacts), 'A remark');
    setAge(fake, 1);
    const source = new SyncedSource(connector);
    await source.sync();
    assert.is(source.recordsOf('contacts').length, 151);
    assert.is(source.recordsOf('deals').length, 120);
    const comments = requestsOf(fake).filter((request) => request.endsWith('/comments'));
    const others = requestsOf(fake).filter((request) => !request.endsWith('/comments'));
    assert.is(comments.length, 1);
    // The check, the bases, the tables, their fields, and the names of linked contacts for two pages.
    assert.equal(others.toSorted(), [
      'crm/contacts',
      'crm/contacts',
      'crm/contacts',
      'crm/contacts next',
      'crm/deals',
      'crm/deals next',
      'meta/bases',
      'meta/bases/crm/tables',
      'meta/bases/crm/tables',
      'meta/bases/crm/tables',
    ]);
    service.forget();
    await source.sync();
    assert.equal(requestsOf(fake), [
      'meta/bases/crm/tables',
      'meta/bases',
      'meta/bases/crm/tables',
      'crm/contacts',
      'crm/deals',
    ]);
    assert.is(source.recordsOf('contacts').length, 151);
  }));

test('finds changed records with their new comments, and an empty new record', () =>
  withCrm(async ({ fake, contacts, connector }) => {
    const { world, service } = fake;
    const ada = world.createRow(contacts, { Name: 'Ada' });
    world.createRow(contacts, { Name: 'Ben' });
    world.comment(ada, 'First');
    const source = new SyncedSource(connector);
    await source.sync();
    setAge(fake, 1);
    world.editRow(ada, { Notes: 'Moved' });
    world.comment(ada, 'A late reply');
    world.createRow(contacts);
    service.forget();
    await source.sync();
    assert.equal(textsOf(source, 'contacts'), [
      'A late reply',
      'First',
      'Name: Ada\nNotes: Moved',
      'Name: Ben',
      'Unnamed record',
    ]);
    assert.is(requestsOf(fake).filter((request) => request.endsWith('/comments')).length, 1);
  }));

test('finds deletions, and comments on unchanged records, within a day', () =>
  withCrm(async ({ fake, contacts, connector }) => {
    const { world, service } = fake;
    setAge(fake, 3 * dayMinutes);
    const [ada, ben, cem] = ['Ada', 'Ben', 'Cem'].map((Name) =>
      world.createRow(contacts, { Name }),
    );
    if (ada === undefined || ben === undefined || cem === undefined) throw new Error('No rows.');
    const question = world.comment(ada, 'Question');
    world.comment(ben, 'Remark');
    const before = ['Name: Ada', 'Name: Ben', 'Name: Cem', 'Question', 'Remark'];
    setAge(fake, 2 * dayMinutes);
    const source = new SyncedSource(connector);
    await source.sync();
    assert.equal(textsOf(source, 'contacts'), before);
    world.comment(ada, 'A late reply', { parent: question.id });
    world.deleteRow(ben);
    world.deleteRow(cem);
    await source.sync();
    assert.equal(textsOf(source, 'contacts'), before, 'not due');
    setAge(fake, 1);
    service.forget();
    await source.sync();
    assert.equal(textsOf(source, 'contacts'), ['A late reply', 'Name: Ada', 'Question']);
    // For the keys, and for the missing comment.
    assert.is(requestsOf(fake).filter((request) => request.endsWith('/comments')).length, 2);
    service.forget();
    await source.sync();
    assert.is(requestsOf(fake).length, 5, 'counted');
  }));

test('counts without a request for comments when nothing was deleted', () =>
  withCrm(async ({ fake, contacts, connector }) => {
    const { world, service } = fake;
    setAge(fake, 3 * dayMinutes);
    for (const Name of ['Ada', 'Ben']) world.comment(world.createRow(contacts, { Name }), 'Hello');
    setAge(fake, 2 * dayMinutes);
    const source = new SyncedSource(connector);
    await source.sync();
    setAge(fake, 1);
    service.forget();
    await source.sync();
    assert.equal(requestsOf(fake).slice(3).toSorted(), [
      'crm/contacts',
      'crm/contacts',
      'crm/deals',
      'crm/deals',
      'meta/bases/crm/tables',
    ]);
    assert.is(source.recordsOf('contacts').length, 4);
  }));

test('follows new, renamed and deleted tables', () =>
  withCrm(async ({ fake, base, contacts, deals, connector }) => {
    const { world } = fake;
    world.createRow(contacts, { Name: 'Ada' });
    const source = new SyncedSource(connector);
    await source.sync();
    setAge(fake, 1);
    contacts.name = 'People / all';
    world.tables.delete(deals.id);
    const tasks = world.createTable(base, 'tasks', { Task: 'singleLineText' });
    world.createRow(tasks, { Task: 'Call Ada' });
    await source.sync();
    assert.equal([...source.entries.keys()].toSorted(), ['People ∕ all', 'tasks']);
    assert.equal(textsOf(source, 'tasks'), ['Task: Call Ada']);
    world.rowsOf(contacts.id).forEach((row) => world.editRow(row, { Notes: 'Here' }));
    await source.sync();
    assert.equal(textsOf(source, 'People ∕ all'), ['Name: Ada\nNotes: Here']);
  }));

test('shows the new name of a field with the next change of a record', () =>
  withCrm(async ({ fake, contacts, connector }) => {
    const { world } = fake;
    const ada = world.createRow(contacts, { Name: 'Ada' });
    const source = new SyncedSource(connector);
    await source.sync();
    setAge(fake, 1);
    const [field] = contacts.fields;
    if (field !== undefined) field.name = 'Full name';
    ada.cells = { 'Full name': 'Ada' };
    world.editRow(ada, { Notes: 'Here' });
    await source.sync();
    const [record] = source.recordsOf('contacts');
    assert.equal([record?.title, record?.text], ['Ada', 'Full name: Ada\nNotes: Here']);
  }));

test('reads one record with its comments without the lists', () =>
  withCrm(async ({ fake, contacts, connector }) => {
    const { world } = fake;
    const ada = world.createRow(contacts, { Name: 'Ada' });
    const ben = world.createRow(contacts, { Name: 'Ben' });
    world.comment(ada, 'Here');
    world.comment(ben, 'There');
    await recordsAt(connector, 'contacts');
    fake.service.forget();
    const thread = await recordsAt(connector, 'contacts', ada.id);
    assert.equal(sorted(thread), ['Here', 'Name: Ada']);
    assert.equal(requestsOf(fake), [
      'crm/contacts',
      'meta/bases/crm/tables',
      `crm/contacts/${ada.id}/comments`,
    ]);
    assert.equal(await recordsAt(connector, 'contacts', 'recNone'), []);
  }));

test('reads a comment that is not on the first page of its record', () =>
  withCrm(async ({ fake, contacts, connector }) => {
    const ada = fake.world.createRow(contacts, { Name: 'Ada' });
    const first = fake.world.comment(ada, 'The oldest one');
    for (let at = 0; at < 100; at++) fake.world.comment(ada, `Comment ${at}`);
    const key = { stream: 'comments', id: `${ada.id}/${first.id}` };
    const found = await collect(connector.records?.('contacts', { key, signal: neverAborted() }));
    assert.equal(sorted(found), ['The oldest one']);
    const none = { stream: 'comments', id: `${ada.id}/comNone` };
    assert.equal(
      await collect(connector.records?.('contacts', { key: none, signal: neverAborted() })),
      [],
    );
  }));

test('leaves out comments on request', () =>
  withCrm(
    async ({ fake, contacts, connector }) => {
      const { world } = fake;
      setAge(fake, 3 * dayMinutes);
      world.comment(world.createRow(contacts, { Name: 'Ada' }), 'Hello');
      setAge(fake, 2 * dayMinutes);
      const source = new SyncedSource(connector);
      await source.sync();
      assert.equal(textsOf(source, 'contacts'), ['Name: Ada']);
      setAge(fake, 1);
      fake.service.forget();
      await source.sync();
      // Each table is counted once, and no keys are compared.
      assert.is(requestsOf(fake).length, 8);
    },
    { comments: false },
  ));

test.run();
