import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { linksTo } from './fake/world.js';
import { neverAborted, openAirtable, recordsAt, withCrm } from './source.js';

const test = suite('records of Airtable');

test('shows cells of each type without ids and addresses', () =>
  withCrm(async ({ fake: { world }, base, contacts, connector }) => {
    const ada = world.createRow(contacts, { Name: 'Ada' });
    const table = world.createTable(base, 'cells', {
      Name: 'formula',
      Text: 'richText',
      Number: 'number',
      Done: 'checkbox',
      Tags: 'multipleSelects',
      Owner: 'singleCollaborator',
      Files: 'multipleAttachments',
      Code: 'barcode',
      Summary: 'aiText',
      Link: linksTo(contacts),
      Looked: {
        type: 'multipleLookupValues',
        options: { result: linksTo(contacts) },
      },
      Sum: 'rollup',
      Open: 'button',
      Broken: 'formula',
      Author: 'createdBy',
      Edited: 'lastModifiedTime',
      Empty: 'singleLineText',
    });
    const row = world.createRow(table, {
      Name: 'All kinds',
      Text: '**Bold** <airtable:mention id="men1">@Ben</airtable:mention>\nnext line\n',
      Number: 0,
      Done: true,
      Tags: ['a', 'b'],
      Owner: world.ben,
      Files: [{ id: 'att1', url: 'https://v5.airtableusercontent.com/x', filename: 'plan.pdf' }],
      Code: { text: '4006381333931', type: 'ean13' },
      Summary: { state: 'generated', value: 'In short', isStale: false },
      Link: [ada.id, 'recUnknown'],
      Looked: [ada.id],
      Sum: [1, 2],
      Open: { label: 'Open', url: 'https://example.com' },
      Broken: { error: '#ERROR!' },
      Author: world.ann,
      Edited: '2026-03-01T08:00:00.000Z',
    });
    const [record] = await recordsAt(connector, 'cells');
    assert.equal(record?.fields, {
      Name: 'All kinds',
      Edited: '2026-03-01T08:00:00.000Z',
      Author: 'Ann',
      Sum: [1, 2],
      Looked: ['Ada'],
      Link: ['Ada', 'recUnknown'],
      Summary: 'In short',
      Code: '4006381333931',
      Files: ['plan.pdf'],
      Owner: 'Ben',
      Tags: ['a', 'b'],
      Done: true,
      Number: 0,
      Text: '**Bold** @Ben\nnext line\n',
    });
    assert.is(record?.title, 'All kinds');
    assert.is(record?.author, 'Ann');
    assert.is(record?.at, Date.parse('2026-03-01T08:00:00.000Z'));
    assert.is(record?.url, `https://airtable.com/${base.id}/${table.id}/${row.id}`);
    assert.match(record?.text ?? '', 'Text:\n**Bold** @Ben\nnext line');
  }));

test('keeps long texts out of the fields of the thread', () =>
  withCrm(async ({ fake: { world }, contacts, connector }) => {
    world.createRow(contacts, { Name: 'Ada', Notes: 'long '.repeat(100) });
    const [record] = await recordsAt(connector, 'contacts');
    assert.equal(record?.threadFields, { Name: 'Ada' });
  }));

test('names people in comments, and tells replies apart', () =>
  withCrm(async ({ fake: { world }, contacts, connector }) => {
    const ada = world.createRow(contacts, { Name: 'Ada' });
    const first = world.comment(ada, `Ask @[${world.ben.id}] or @[usr9]`, {
      mentioned: [world.ben],
    });
    world.comment(ada, 'Done', { author: world.ben, parent: first.id });
    world.editComment(first, `Ask @[${world.ben.id}]`);
    const records = await recordsAt(connector, 'contacts', ada.id);
    assert.equal(
      records.slice(1).map(({ text, author, fields }) => [text, author, fields]),
      [
        ['Done', 'Ben', { type: 'reply' }],
        ['Ask @Ben', 'Ann', { type: 'comment' }],
      ],
    );
  }));

test('places the tables of all bases in folders, also of two bases with one name', () =>
  withCrm(async ({ fake }) => {
    const { world } = fake;
    const other = world.createBase('crm');
    world.createRow(world.createTable(other, 'deals', { Title: 'singleLineText' }));
    world.createTable(world.createBase('a/b'), 'c', { Name: 'singleLineText' });
    const connector = await openAirtable(fake);
    const entries = await collect(connector.list({ signal: neverAborted() }));
    const [, , second] = entries;
    assert.equal(
      entries.map(({ path }) => path),
      ['crm/contacts', 'crm/deals', `crm/deals ~${second?.identity?.slice(-6)}`, 'a∕b/c'],
    );
    assert.equal(second?.fields, { base: 'crm' });
    assert.is((await recordsAt(connector, second?.path ?? '')).length, 1);
    await connector.close?.();
  }));

test('reads a single table of a base', () =>
  withCrm(async ({ fake, base, deals }) => {
    const connector = await openAirtable(fake, { target: `airtable://${base.id}/${deals.id}` });
    const entries = await collect(connector.list({ signal: neverAborted() }));
    assert.equal(
      entries.map(({ path }) => path),
      ['deals'],
    );
    await connector.close?.();
  }));

test('reads a text of many unfinished mentions in linear time', () =>
  withCrm(async ({ fake: { world }, contacts, connector }) => {
    const text = '<airtable:mention '.repeat(50_000).trim();
    world.createRow(contacts, { Name: text });
    const start = performance.now();
    const records = await recordsAt(connector, 'contacts');
    assert.ok(records.some(({ fields }) => fields?.['Name'] === text));
    assert.ok(performance.now() - start < 5000);
  }));

test.run();
